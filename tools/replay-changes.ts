// Changes the files of a copied project at random, and asks after each few changes whether what is found with the cache is what
// is found without it:
//   npm run replay:changes -- DIR [--changes 1000] [--seed 1]
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { scanFound } from '../src/cli/scan-found.ts';
import { disk, diskOfScan } from '../src/project/files.ts';
import { jsonReport } from '../src/report/json.ts';
import { scanMemory } from '../src/scan/cache/scan-memory.ts';
import { createClock } from '../src/scan/clock.ts';
import { filesOf } from '../src/scan/files.ts';
import type { ScanResult } from '../src/scan/scan-files.ts';
import { readArguments } from './arguments.ts';
import { codeIn, randomChanges } from './random-changes.ts';
import { randomNumbers } from './random-edits.ts';

export interface Replay {
  /** Copied; nothing is written there. */
  readonly project: string;
  readonly changes: number;
  readonly seed: number;
  onLook?(look: Look): void;
}

export interface Look {
  /** All that was done so far. */
  readonly log: readonly string[];
  readonly findings: number;
  readonly files: number;
  /** Files that were in the cache. */
  readonly remembered: number;
  readonly isSame: boolean;
}

/** The time between a write and the next read: longer than the resolution of a file system's clock. */
const SETTLING_MS = 25;
/** Files count as settled after 3 s; here the time of looking is as much later as that takes. */
const AHEAD_MS = 3_000 - 15;

/** Stops at the first scan in which the two differ, and returns the last one. */
export async function replayChanges(replay: Replay): Promise<Look> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'deadtime-changes-')));
  const [root, folder, outside] = ['project', 'cache', 'outside'].map((it) => join(scratch, it));
  try {
    cpSync(replay.project, root!, { recursive: true });
    mkdirSync(join(root!, '.git'), { recursive: true });
    mkdirSync(outside!);
    const random = randomNumbers(replay.seed);
    const below = (limit: number) => Math.floor(random() * limit);
    const change = randomChanges(
      { root: root!, outside: outside!, origin: replay.project },
      below,
      replay.seed,
    );
    const log: string[] = [];
    let look: Look | undefined;
    for (let done = 0; done <= replay.changes;) {
      await sleep(SETTLING_MS);
      // Every other scan is of some of the files: the rest must not seem to have been scanned.
      const code = below(2) === 0 ? codeIn(root!) : [];
      const part = code.filter(() => below(3) === 0);
      look = { log, ...(await compared(root!, folder!, part.length > 0 ? part : [root!])) };
      replay.onLook?.(look);
      if (!look.isSame) break;
      for (let i = below(4); i >= 0; i--, done++) log.push(change());
    }
    return look!;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function compared(
  root: string,
  folder: string,
  paths: readonly string[],
): Promise<Omit<Look, 'log'>> {
  const now = Date.now() + AHEAD_MS;
  const plain = (result: ScanResult) => jsonReport(result, { cwd: root });
  const scan = async (isRemembering: boolean) => {
    const kind = [root];
    const memory = isRemembering ? scanMemory({ folder, version: '1', kind, now }) : undefined;
    const asked = [paths, { cwd: root }] as const;
    const found = memory ? memory.search(...asked) : filesOf(...asked);
    const remembered = memory?.recall(found);
    const options = {
      ...{ root, clock: createClock(), disk: diskOfScan(disk) },
      profile: 'audit',
    } as const;
    const result = await outcomeOf(() => scanFound(found, { ...options, memory, remembered }));
    return typeof result === 'string' ? result : { report: plain(result), ...result };
  };
  const warm = await scan(true);
  const cold = await scan(false);
  if (typeof warm === 'string' || typeof cold === 'string') {
    return { findings: 0, files: 0, remembered: 0, isSame: warm === cold };
  }
  return {
    findings: (JSON.parse(cold.report) as { findings: unknown[] }).findings.length,
    files: cold.stats.files,
    remembered: warm.stats.rememberedFiles ?? 0,
    isSame: isDeepStrictEqual(warm.report, cold.report),
  };
}

/** A configuration that means nothing ends a run with a message. */
async function outcomeOf<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    return String(error);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();

async function main(): Promise<void> {
  const { values, positionals } = readArguments(
    'npm run replay:changes -- DIR [--changes 1000] [--seed 1]',
    { changes: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
    (it) => it.positionals.length === 1,
  );
  const project = positionals[0]!;
  let [looks, remembered, files, findings] = [0, 0, 0, 0];
  const last = await replayChanges({
    project: resolve(process.env['INIT_CWD'] ?? process.cwd(), project),
    changes: Number(values.changes),
    seed: Number(values.seed),
    onLook(look) {
      looks++;
      remembered += look.remembered;
      files += look.files;
      findings += look.findings;
    },
  });
  if (!last.isSame) console.log(last.log.slice(-12).join('\n'));
  console.log(
    `${last.log.length} changes, ${looks} looks, ${findings} findings; ${remembered} of ${files} files were remembered; ${last.isSame ? 'as' : 'NOT as'} without the cache`,
  );
  process.exitCode = last.isSame ? 0 : 1;
}
