import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildCli } from '../../tools/build/build.ts';
import { builtOnce } from './built-once.ts';

/** The path of the command line, bundled as for npm; it may be run as a program. */
export async function builtCli(): Promise<string> {
  const root = await builtOnce('cli', async (folder) => {
    await buildCli(join(folder, 'dist'));
    mkdirSync(join(folder, 'src'));
    for (const name of ['package.json', 'rules', 'src/proof']) {
      symlinkSync(resolve(name), join(folder, name));
    }
    chmodSync(join(folder, 'dist', 'cli.js'), 0o755);
  });
  return join(root, 'dist', 'cli.js');
}
