import type { DiskOfScan } from '../project/files.ts';
import type { Profile } from '../../rules/define-rule.ts';
import type { FreshFile } from '../scan/cache/known-files.ts';
import type { ScanMemory } from '../scan/cache/scan-memory.ts';
import type { Clock } from '../scan/clock.ts';
import type { FoundFiles } from '../scan/files.ts';
import { projectModules } from '../scan/project.ts';
import { scanFiles, type ScanResult } from '../scan/scan-files.ts';
import type { ScannedFile } from '../scan/scan-result.ts';
import { type Reading, readingOf } from '../scan/text.ts';
import { progressLine } from './progress.ts';
import { rulesNamed } from './rule-names.ts';
import { timeLimit } from './time-limit.ts';
import { askedTypes, type TypesOption } from './types.ts';
import { understood } from './understood.ts';
import { setFlags } from './v8-flags.ts';

/** Of more files, a sample tells what is understood; its step keeps it under 5 % of the time of a scan. */
const MANY_FILES = 60;
const SAMPLE_STEP = 16;

export interface FoundOptions extends TypesOption {
  readonly root: string;
  readonly rule?: readonly string[] | undefined;
  readonly profile?: Profile | undefined;
  readonly clock: Clock;
  readonly findsProbes?: boolean | undefined;
  /** The disk as a scan without a cache reads it. */
  readonly disk: DiskOfScan;
  readonly memory?: ScanMemory | undefined;
  /** Their cached results; undefined where that requires resolving imports. */
  readonly remembered?: ReadonlyMap<string, ScannedFile> | undefined;
}

/**
 * Scans the files without a cached result. A caller without a scan need not load this module: it loads the parser and the
 * rules.
 */
export async function scanFound(found: FoundFiles, options: FoundOptions): Promise<ScanResult> {
  const { root, clock, memory, profile, disk } = options;
  const { files = disk, around = disk } = memory?.observer ?? {};
  const { end, ...asked } = askedTypes(options);
  // An earlier run has understood the configurations that are still the same.
  const unknown = found.files.filter((it) => !options.remembered?.has(it));
  const configurations = understood(unknown, profile, around);
  const known = { knownNames: memory?.knownNames, earlier: memory?.answered };
  const kept = memory && { notesReads: true, ...known };
  const modules = projectModules(root, clock, {
    ...{ ...asked, files, around, ...kept },
    usesUnconfirmed: configurations.usesUnconfirmed,
    isForOneScan: true,
  });
  const project = { modules, configurations };
  const remembered =
    options.remembered ??
    clock.measure('cache', () => memory?.recallFor(found, project) ?? new Map<string, never>());
  const scanned = new Map<string, FreshFile>();
  const progress = progressLine();
  setFlags('whileScanning');
  const result = await scanFiles(
    found,
    {
      ...{ ...asked, configurations, modules, clock, remembered, watch: timeLimit(process.cwd()) },
      rules: rulesNamed(options.rule),
      isOfSomeRules: options.rule !== undefined,
      findsProbes: options.findsProbes,
      sampleStep: found.files.length > MANY_FILES ? SAMPLE_STEP : 1,
      read: memory
        ? (path) => readingOf(path, memory.observer.read)
        : (path) => readOnce(path, disk),
      onScanned: (path, file) => scanned.set(path, { file, reads: modules.readsOf(path) }),
    },
    (done) => progress.show(`${done} of ${found.files.length - remembered.size} files`),
  ).finally(() => {
    end();
    // What V8 has compiled under other flags is of no use to the next process.
    setFlags('own');
    progress.clear();
  });
  clock.measure('cache', () => memory?.keep(found, scanned, project));
  return result;
}

function readOnce(path: string, { taken }: DiskOfScan): Reading {
  const text = taken(path);
  return text === undefined ? readingOf(path) : { text };
}
