import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A folder of files outside the repository, whose ignore files and manifest would count otherwise. */
export interface TemporaryProject {
  readonly root: string;
  pathOf(file: string): string;
  remove(): void;
}

export function temporaryProject(files: ReadonlyMap<string, string>): TemporaryProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'project-')));
  for (const [file, text] of new Map([['package.json', '{ "private": true }'], ...files])) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return {
    root,
    pathOf: (file) => join(root, file),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The plugin as JavaScript, where its dependencies are found: oxlint loads no TypeScript with our options. */
export async function builtPlugin(): Promise<{ readonly path: string; remove(): void }> {
  const repository = fileURLToPath(new URL('../', import.meta.url));
  const cache = join(repository, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'deadtime-'));
  const path = join(folder, 'dist', 'plugin.js');
  await build({
    absWorkingDir: repository,
    entryPoints: ['src/eslint/plugin.ts'],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  writeFileSync(join(folder, 'package.json'), '{ "version": "0.0.0", "type": "module" }');
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
