import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userCacheFolder } from '../../benchmarks/servers/folders.ts';
import { orUndefined } from '../../project/files.ts';
import type * as bundled from '../command-line.ts';
import { requireCompiled } from './compiled.ts';

/**
 * What stands for command-line.ts in dist/cli.js: the same in one file of its own, which is read faster than its parts. Agents
 * wait for `hook` and people for `check`: what these need is kept compiled.
 */
export const commandLine: typeof bundled.commandLine = async (argv) => {
  const use = argv[2] === 'hook' ? 'hook' : 'check';
  const moduleUrl = import.meta.url;
  const path = fileURLToPath(new URL('./command-line.cjs', moduleUrl));
  const folder = orUndefined(() => join(userCacheFolder(), 'compiled'));
  const { exports, digest, keep } = requireCompiled(path, { moduleUrl, folder, use });
  const ran = await (exports as typeof bundled).commandLine(argv, { build: digest });
  // By now V8 has compiled what a run needs.
  if (ran.command === use) keep();
  return ran;
};
