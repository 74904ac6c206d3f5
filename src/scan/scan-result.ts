import { type AwaitSample, joinedSamples } from '../analysis/coverage/await-coverage.ts';
import type { FileProbes } from '../runtime/plan.ts';
import type { Clock } from './clock.ts';
import type { FoundFiles } from './files.ts';
import { isWholeFileLeftOut } from './left-out.ts';
import type { Problem } from './problem.ts';
import type { FileResult } from './scan.ts';
import type { ScanResult } from './scan-files.ts';

/** The result of a file on disk. */
export interface ScannedFile extends FileResult {
  /** 0 for what cannot be read. */
  readonly lines: number;
}

/**
 * `scanned` contains all found files; `remembered` are those with cached results. Ignored files are in the notices, and not in
 * the counts.
 */
export function resultOf(
  found: FoundFiles,
  scanned: ReadonlyMap<string, ScannedFile>,
  {
    clock,
    remembered,
  }: { readonly clock: Clock; readonly remembered: ReadonlyMap<string, unknown> },
): ScanResult {
  const problems: Problem[] = [];
  const notices = [...found.notices];
  const limits = new Set<string>();
  const counts = { files: 0, parsedFiles: 0, rememberedFiles: 0, lines: 0 };
  const samples: AwaitSample[] = [];
  const probes = new Map<string, FileProbes>();
  for (const path of found.files) {
    const file = scanned.get(path);
    if (!file) continue;
    for (const it of file.problems) problems.push(it);
    for (const it of file.notices) {
      // The notices about a configuration come with every file that it applies to.
      const limit = it.reason === 'limit' ? `${it.path} ${it.message}` : undefined;
      if (limit !== undefined && limits.has(limit)) continue;
      if (limit !== undefined) limits.add(limit);
      notices.push(it);
    }
    if (file.notices.some(isWholeFileLeftOut)) continue;
    counts.files++;
    counts.lines += file.lines;
    if (file.probes) probes.set(path, file.probes);
    if (file.awaits) samples.push(file.awaits);
    if (file.isParsed) counts.parsedFiles++;
    if (remembered.has(path)) counts.rememberedFiles++;
  }
  return {
    problems,
    notices,
    ...(probes.size > 0 && { probesByPath: probes }),
    stats: {
      ...counts,
      ...(samples.length > 0 && { awaits: joinedSamples(samples) }),
      spentMs: clock.spentMs,
    },
  };
}
