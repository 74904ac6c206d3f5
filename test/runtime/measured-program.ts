import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from '../../src/runtime/recording.ts';

/** Runs Node.js in a folder, with a cache there, and without what the tests themselves were started with. */
export function runIn(
  cwd: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> {
  const { NODE_OPTIONS: _, NODE_ENV: __, NODE_TEST_CONTEXT: ___, ...inherited } = process.env;
  return spawnSync(process.execPath, args, {
    ...{ cwd, encoding: 'utf8' },
    env: { ...inherited, XDG_CACHE_HOME: join(cwd, '.cache'), NO_COLOR: '1', ...environment },
  });
}

/** What `deadtime run` has written there. */
export function recordingOf<Written extends Recording = Recording>(cwd: string): Written {
  return JSON.parse(readFileSync(join(cwd, '.deadtime', 'run.json'), 'utf8')) as Written;
}
