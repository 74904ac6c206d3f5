import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Metafile } from 'esbuild';
import { globSync } from 'tinyglobby';
import { buildPackage, writeContents } from './build.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** All of Deadtime, and the plugin alone, under the name by which people look for one. */
export type PackageName = 'deadtime' | 'eslint-plugin-deadtime';

/** What the plugin reads, and what people read. */
const filesOfPlugin = ['dist/plugin.{js,d.ts}', 'rules/*/README.md', 'CHANGELOG.md', 'LICENSE'];

/** Builds once and packs both packages; returns the tarballs. */
export async function packPackages(folder: string): Promise<Readonly<Record<PackageName, string>>> {
  const plugin = await buildPackage();
  return {
    deadtime: packedFrom(folder, packageJson(), filesOfPackage()),
    'eslint-plugin-deadtime': packedFrom(
      folder,
      manifestOfPlugin(),
      globSync(filesOfPlugin, { cwd: root }),
      (scratch) => finishPlugin(scratch, plugin),
    ),
  };
}

type Manifest = Readonly<Record<string, unknown>>;

function packageJson(): Manifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
}

function manifestOfPlugin(): Manifest {
  const {
    bin: _bin,
    files: _files,
    peerDependencies,
    peerDependenciesMeta,
    exports,
    ...rest
  } = packageJson();
  const { eslint } = peerDependencies as Manifest;
  // A run of a program is not measured by a linter.
  const { './register': _register, ...own } = exports as Manifest;
  return {
    ...rest,
    name: 'eslint-plugin-deadtime',
    description: 'The rules of Deadtime for ESLint and oxlint: dead time in Node.js code',
    keywords: ['eslint', 'eslintplugin', 'eslint-plugin', 'oxlint'],
    exports: own,
    peerDependencies: { eslint },
    peerDependenciesMeta: { eslint: (peerDependenciesMeta as Manifest)['eslint'] },
  };
}

function finishPlugin(folder: string, plugin: Metafile): void {
  cpSync(join(root, 'src/eslint/README.md'), join(folder, 'README.md'));
  writeContents(join(folder, 'dist'), [plugin]);
}

function filesOfPackage(): readonly string[] {
  const [packed] = JSON.parse(npmPack(root, '--json', '--dry-run')) as [
    { readonly files: readonly { readonly path: string }[] },
  ];
  return packed.files.map(({ path }) => path);
}

/** The path of the tarball in the folder. */
function packedFrom(
  folder: string,
  source: Manifest,
  files: readonly string[],
  finish: (scratch: string) => void = () => {},
): string {
  const forUs = new Set(['scripts', 'workspaces', 'devDependencies', 'overrides']);
  const manifest = Object.fromEntries(Object.entries(source).filter(([key]) => !forUs.has(key)));
  const scratch = mkdtempSync(join(tmpdir(), 'deadtime-pack-'));
  try {
    for (const path of files) {
      mkdirSync(dirname(join(scratch, path)), { recursive: true });
      cpSync(join(root, path), join(scratch, path));
    }
    writeFileSync(join(scratch, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    finish(scratch);
    const tarball = npmPack(scratch, '--pack-destination', folder).trim().split('\n').at(-1)!;
    return join(folder, tarball);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function npmPack(cwd: string, ...options: readonly string[]): string {
  return execFileSync('npm', ['pack', '--silent', '--ignore-scripts', ...options], {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const tarballs = await packPackages(resolve(process.argv[2] ?? '.'));
  console.log(Object.values(tarballs).join('\n'));
}
