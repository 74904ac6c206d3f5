import { setImmediate } from 'node:timers/promises';
import { createClock } from './clock.ts';
import type { FoundFiles } from './files.ts';
import type { Notice, Problem } from './problem.ts';
import type { Configuration, Configurations } from './configuration.ts';
import { createScanner, type FileResult, type Scanner, type ScanOptions } from './scan.ts';
import { type Reading, readingOf } from './text.ts';

export interface ScanResult {
  readonly problems: readonly Problem[];
  readonly notices: readonly Notice[];
  readonly stats: ScanStats;
}

export interface ScanStats {
  readonly files: number;
  /** Those that the text prefilter let through. */
  readonly parsedFiles: number;
  readonly lines: number;
  /** Self time by stage, in milliseconds. */
  readonly spentMs: Readonly<Record<string, number>>;
}

/** How long the scan keeps the event loop before it lets a signal handler run, in milliseconds. */
const turnMs = 50;

/** What holds for all files; profile and settings come from their configurations. */
export interface ScanFilesOptions extends Omit<ScanOptions, 'profile' | 'settings'> {
  readonly configurations: Configurations;
  /** Instead of the disk. */
  readonly read?: (path: string) => Reading;
}

/** Scans the files in their order; what goes wrong with one is a notice, and the others are scanned. */
export async function scanFiles(
  found: FoundFiles,
  options: ScanFilesOptions,
  onProgress?: (done: number) => void,
): Promise<ScanResult> {
  const { clock = createClock(), read = readingOf } = options;
  const scannerFor = scannersOf({ ...options, clock });
  const results: FileResult[] = [{ problems: [], notices: found.notices, isParsed: false }];
  let lines = 0;
  let turnEnd = performance.now() + turnMs;
  for (const [i, path] of found.files.entries()) {
    const reading = clock.measure('read', () => read(path));
    if ('text' in reading) {
      lines += lineCountOf(reading.text);
      results.push(scannerFor(path).scan(reading.text, path, { isNamed: found.named.has(path) }));
    } else results.push({ problems: [], notices: [{ path, ...reading }], isParsed: false });
    if (performance.now() < turnEnd) continue;
    onProgress?.(i + 1);
    await setImmediate();
    turnEnd = performance.now() + turnMs;
  }
  return {
    problems: results.flatMap((it) => it.problems),
    notices: results.flatMap((it) => it.notices),
    stats: {
      files: found.files.length,
      parsedFiles: results.filter((it) => it.isParsed).length,
      lines,
      spentMs: clock.spentMs,
    },
  };
}

/** One scanner for all files with the same configuration. */
export function scannersOf(options: ScanFilesOptions): (path: string) => Scanner {
  const { configurations, ...rest } = options;
  const scanners = new WeakMap<Configuration, Scanner>();
  return (path) => {
    const configuration = configurations.for(path);
    const { profile, settings } = configuration;
    const scanner = scanners.get(configuration) ?? createScanner({ ...rest, profile, settings });
    scanners.set(configuration, scanner);
    return scanner;
  };
}

function lineCountOf(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) count++;
  return count;
}
