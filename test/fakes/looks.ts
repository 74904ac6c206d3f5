import { deepStrictEqual } from 'node:assert/strict';
import { join, relative } from 'node:path';
import { scanFound } from '../../src/cli/scan-found.ts';
import { diskOfScan } from '../../src/project/files.ts';
import { scanMemory } from '../../src/scan/cache/scan-memory.ts';
import { trusting } from '../../src/scan/configuration-program.ts';
import { createClock } from '../../src/scan/clock.ts';
import { filesOf } from '../../src/scan/files.ts';
import { type Folder, folderWith } from './folder.ts';

/** One look after another, each as a process of its own would have it; long after what was written before. */
export function looksAt({ path: root }: Folder, kind: readonly string[] = []) {
  const folder = folderWith({}).path;
  let now = Date.now();
  const scan = async (isRemembering: boolean, paths: readonly string[]) => {
    now += 10_000;
    const disk = diskOfScan(trusting());
    const memory = isRemembering
      ? scanMemory({ folder, version: '1', kind, now, run: disk.run! })
      : undefined;
    const asked = [paths, { cwd: root }] as const;
    const found = memory ? memory.search(...asked) : filesOf(...asked);
    const remembered = memory?.recall(found);
    let again: string[] = [];
    const { problems, notices, stats } = await scanFound(found, {
      ...{ root, clock: createClock(), profile: 'audit', disk, remembered },
      memory: memory && {
        ...memory,
        keep(found, scanned, project) {
          again = Array.from(scanned.keys(), (it) => relative(join(root, 'src'), it)).sort();
          memory.keep(found, scanned, project);
        },
      },
    });
    const said = JSON.parse(JSON.stringify({ problems, notices, lines: stats.lines })) as object;
    return {
      said,
      again,
      isWhole: remembered?.size === found.files.length,
      count: problems.length,
    };
  };
  return {
    /** Where it is kept what they have found. */
    kept: folder,
    /** Files that were looked at again, having said the same as without a cache. */
    async next(file = '') {
      const paths = [join(root, file)];
      const warm = await scan(true, paths);
      deepStrictEqual(warm.said, (await scan(false, paths)).said);
      return warm;
    },
  };
}
