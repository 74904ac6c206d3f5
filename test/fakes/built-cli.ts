import { chmodSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { cliBuilds } from '../../scripts/build.ts';
import { builtOnce } from './built-once.ts';

/** The path of the command line, bundled as for npm; it may be run as a program. */
export async function builtCli(): Promise<string> {
  const root = await builtOnce('cli', async (folder) => {
    await Promise.all(cliBuilds(join(folder, 'dist')).map((it) => build(it)));
    for (const name of ['package.json', 'rules', 'benchmarks']) {
      symlinkSync(resolve(name), join(folder, name));
    }
    chmodSync(join(folder, 'dist', 'cli.js'), 0o755);
  });
  return join(root, 'dist', 'cli.js');
}
