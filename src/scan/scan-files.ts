import { setImmediate } from 'node:timers/promises';
import type { AwaitSample } from '../analysis/coverage/await-coverage.ts';
import type { TypeProvider } from '../project/type-memory.ts';
import type { FileProbes } from '../runtime/plan.ts';
import { createClock } from './clock.ts';
import type { FoundFiles } from './files.ts';
import type { Notice, Problem } from './problem.ts';
import type { Configuration, Configurations } from './configuration.ts';
import { createScanner, type Scanner, type ScanOptions } from './scan.ts';
import { resultOf, type ScannedFile } from './scan-result.ts';
import { type Reading, readingOf } from './text.ts';
import { unwatched, type Watch } from './watch.ts';

export interface ScanResult {
  readonly problems: readonly Problem[];
  readonly notices: readonly Notice[];
  readonly stats: ScanStats;
  /** By path, where a running program is measured; only where that was asked for. */
  readonly probesByPath?: ReadonlyMap<string, FileProbes>;
}

export interface ScanStats {
  /** The files whose text was read; a file in which no rule could find anything need not be parsed. */
  readonly files: number;
  /** The files that passed the text prefilter. */
  readonly parsedFiles: number;
  /** The files that were not scanned again, because the cache had their results. */
  readonly rememberedFiles?: number;
  readonly lines: number;
  /** A sample of what the files wait for, where one was taken. */
  readonly awaits?: AwaitSample | undefined;
  /** The findings that the baseline hides. */
  readonly baselined?: number;
  /** Self time by stage, in milliseconds. */
  readonly spentMs: Readonly<Record<string, number>>;
}

/** How long the scan keeps the event loop before it lets a signal handler run, in milliseconds. */
const turnMs = 50;

/** The options for all files; profile and settings come from their configurations. */
export interface ScanFilesOptions extends Omit<ScanOptions, 'profile' | 'settings'> {
  readonly configurations: Configurations;
  /** Instead of the disk. */
  readonly read?: (path: string) => Reading;
  /** Asks about the types that `types` has recorded; files with new answers are scanned again. */
  readonly provider?: TypeProvider | undefined;
  /** The valid results of an earlier run. */
  readonly remembered?: ReadonlyMap<string, ScannedFile>;
  readonly onScanned?: (path: string, file: ScannedFile) => void;
  readonly watch?: Watch | undefined;
}

/** Scans the files in their order; an error in one becomes a notice, and the rest are scanned. */
export async function scanFiles(
  found: FoundFiles,
  options: ScanFilesOptions,
  onProgress?: (done: number) => void,
): Promise<ScanResult> {
  const {
    clock = createClock(),
    read = (path) => readingOf(path),
    remembered = new Map(),
    watch = unwatched,
  } = options;
  const scannerFor = scannersOf({ ...options, clock });
  const results = new Map<string, ScannedFile>(remembered);
  const scan = (path: string) => {
    watch.begin(path);
    const reading = clock.measure('read', () => read(path));
    const isNamed = found.named.has(path);
    const file: ScannedFile =
      'text' in reading
        ? {
            ...scannerFor(path).scan(reading.text, path, { isNamed }),
            lines: lineCountOf(reading.text),
          }
        : { problems: [], notices: [{ path, ...reading }], isParsed: false, lines: 0 };
    results.set(path, file);
    options.onScanned?.(path, file);
  };
  const fresh = found.files.filter((it) => !remembered.has(it));
  await inTurns(fresh, scan, watch, onProgress);
  for (let round = 0; round < ROUNDS; round++) {
    const stale = await clock.measureWait('types', () => learned(options));
    if (stale.size === 0) break;
    await inTurns(
      found.files.filter((it) => stale.has(it)),
      scan,
      watch,
    );
  }
  return resultOf(found, results, { clock, remembered });
}

async function inTurns(
  paths: readonly string[],
  each: (path: string) => void,
  { run }: Watch,
  onProgress?: (done: number) => void,
): Promise<void> {
  let done = 0;
  const turn = () => {
    const end = performance.now() + turnMs;
    while (done < paths.length) {
      each(paths[done++]!);
      if (performance.now() >= end) return true;
    }
    return false;
  };
  while (run(turn)) {
    onProgress?.(done);
    await setImmediate();
  }
}

/** Answers lead to further questions; after this many times, those stay open. */
const ROUNDS = 3;

/** The files whose findings may change after the provider's answers. */
async function learned({
  types,
  provider,
  modules,
}: ScanFilesOptions): Promise<ReadonlySet<string>> {
  const questions = provider && types ? types.questions(types.asked()) : [];
  if (!provider || !types || questions.length === 0) return new Set();
  const paths = types.learn(questions, await provider.answersTo(questions));
  return new Set(modules?.outdate(paths) ?? paths);
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
