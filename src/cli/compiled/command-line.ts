import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orUndefined } from '../../project/files.ts';
import type * as bundled from '../command-line.ts';
import { compiledFrom } from './compiled.ts';
import { userCacheFolder } from '../../system/own-files.ts';

/**
 * The replacement of command-line.ts in dist/cli.js: the same code in two files, which load faster than many, and its packages in a
 * third. A `check` with a valid cache needs only the first, and others than `lsp`, `mcp` and proofs on a database need only
 * two. Agents wait for `hook` and people for `check`: the code of these is kept compiled.
 */
export const commandLine: typeof bundled.commandLine = async (argv) => {
  const use = argv[2] === 'hook' ? 'hook' : 'check';
  const moduleUrl = import.meta.url;
  const beside = (name: string) => fileURLToPath(new URL(name, moduleUrl));
  // Yarn's Plug'n'Play resolves for Node 20 what a module imports, and not what a module imports that `require()` loads.
  const parser = 'pnp' in process.versions ? { 'oxc-parser': await import('oxc-parser') } : {};
  const folder = orUndefined(() => join(userCacheFolder(), 'compiled'));
  const files = ['./command-line.cjs', './commands.cjs', './packages.cjs'].map(beside);
  const { require, keep } = compiledFrom(files, { moduleUrl, folder, use, imported: parser });
  const { commandLine } = require('./src/cli/command-line.ts') as typeof bundled;
  const ran = await commandLine(argv);
  // By now V8 has compiled what a run needs.
  if (ran.command === use) keep();
  return ran;
};
