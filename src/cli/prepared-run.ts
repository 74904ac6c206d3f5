import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type DiskOfScan, diskOfScan } from '../project/files.ts';
import { hashOf } from '../project/file-state.ts';
import type { Handover } from '../runtime/handover.ts';
import { type FileProbes, type Plan, PLAN_FORMAT, type PlannedFile } from '../runtime/plan.ts';
import { createClock } from '../scan/clock.ts';
import { compiledFilesIn } from '../scan/compiled-probes.ts';
import { driverPlans } from '../scan/driver-plans.ts';
import { rootAround } from '../scan/repository.ts';
import { ownFolder, scratchFolder, writeWhole } from '../system/own-files.ts';
import { memoryFor } from './cache.ts';
import { namedFiles } from './named-files.ts';
import { scan } from './scan.ts';
import { diskFor, type TrustOption } from './trust.ts';

/** Scans the current folder, and writes the plan of the probes into the cache. */
export async function preparedRun(
  command: readonly string[],
  { isForProduction, ...options }: TrustOption & { readonly isForProduction: boolean },
): Promise<Handover> {
  const startedAt = Date.now();
  const cwd = process.cwd();
  const root = rootAround(cwd);
  const clock = createClock();
  const disk = diskOfScan(await diskFor(options));
  const memory = memoryFor(root, { cache: true, findsProbes: true }, disk);
  const found = namedFiles(
    ['.'],
    { cwd, ignorePatterns: [], withTests: true },
    { ...(memory && { memory }), disk: { list: disk.listing } },
  );
  const { probesByPath = new Map<string, FileProbes>() } = await scan(found, {
    ...{ root, clock, disk, memory, findsProbes: true },
  });
  const plan = JSON.stringify(planOf(cwd, probesByPath, disk));
  // The same plan is written once, however often the program runs.
  const path = join(ownFolder('runs'), `${hashOf(plan).replaceAll(/\W/g, '-')}.json`);
  writeWhole(path, plan);
  return {
    ...{ plan: path, recordings: scratchFolder().path, startedAt, isForProduction },
    program: shownCommand(command),
  };
}

function planOf(
  root: string,
  probesByPath: ReadonlyMap<string, FileProbes>,
  disk: DiskOfScan,
): Plan {
  const firsts = { firstSite: 0, firstSource: 0, firstPool: 0 };
  const planned = (path: string, probes: FileProbes): PlannedFile => {
    const file = { path: realpathSync(path), ...firsts, probes };
    firsts.firstSite += probes.sites.length;
    firsts.firstSource += probes.sources.length;
    firsts.firstPool += probes.pools.length;
    return file;
  };
  const files = [
    ...Array.from(probesByPath, ([path, probes]) => planned(path, probes)),
    ...compiledFilesIn(root, probesByPath, disk).map(({ path, of, probes }) => ({
      ...planned(path, probes),
      of: { path: realpathSync(of), text: probesByPath.get(of)!.text },
    })),
  ];
  return { format: PLAN_FORMAT, root, files, drivers: driverPlans() };
}

/** Up to the file that is run, or `npm run start`: what follows may be a secret. */
function shownCommand(command: readonly string[]): string {
  const file = command.findIndex((it, i) => i > 0 && existsSync(it));
  return command.slice(0, file === -1 ? WORDS : file + 1).join(' ');
}

const WORDS = 3;
