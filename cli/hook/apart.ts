import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userCacheFolder } from '../../benchmarks/servers/folders.ts';
import type * as command from '../commands/hook.ts';
import { requireCompiled } from './compiled.ts';

const { exports, digest } = requireCompiled(
  fileURLToPath(new URL('./hook.cjs', import.meta.url)),
  join(userCacheFolder(), 'compiled'),
);

/** What stands for commands/hook.ts in dist/cli.js: the same in one file of its own, which is read faster than its parts. */
export const hook = () => (exports as typeof command).hook({ build: digest });
