import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildPackage } from './build.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The same files under the name by which people look for an ESLint plugin. */
const names = ['deadtime', 'eslint-plugin-deadtime'] as const;

export type PackageName = (typeof names)[number];

/** Builds once and packs under each name; returns the tarballs. */
export async function packPackages(folder: string): Promise<Readonly<Record<PackageName, string>>> {
  await buildPackage();
  const scratch = mkdtempSync(join(tmpdir(), 'deadtime-pack-'));
  try {
    const [packed] = JSON.parse(npmPack(root, '--json', '--dry-run')) as [
      { readonly files: readonly { readonly path: string }[] },
    ];
    for (const { path } of packed.files) {
      cpSync(join(root, path), join(scratch, path), { recursive: true });
    }
    return Object.fromEntries(
      names.map((name) => [name, packedAs(name, scratch, folder)]),
    ) as Record<PackageName, string>;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function packedAs(name: PackageName, scratch: string, folder: string): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
  const published = { ...manifest, name, scripts: undefined, workspaces: undefined };
  writeFileSync(join(scratch, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
  return join(folder, npmPack(scratch, '--pack-destination', folder).trim().split('\n').at(-1)!);
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
