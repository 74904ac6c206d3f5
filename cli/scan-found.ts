import { setFlagsFromString } from 'node:v8';
import type { Profile } from '../rules/define-rule.ts';
import type { FreshFile, ScanMemory } from '../scan/cache/scan-memory.ts';
import type { Clock } from '../scan/clock.ts';
import type { FoundFiles } from '../scan/files.ts';
import { projectModules } from '../scan/project.ts';
import { scanFiles, type ScanResult } from '../scan/scan-files.ts';
import type { ScannedFile } from '../scan/scan-result.ts';
import { readingOf } from '../scan/text.ts';
import { progressLine } from './progress.ts';
import { rulesNamed } from './rule-names.ts';
import { askedTypes, type TypesOption } from './types.ts';
import { understood } from './understood.ts';

export interface FoundOptions extends TypesOption {
  readonly root: string;
  readonly rule?: readonly string[] | undefined;
  readonly profile?: Profile | undefined;
  readonly clock: Clock;
  readonly memory?: ScanMemory | undefined;
  /** What the memory knows of them; undefined where imports have to be resolved to tell. */
  readonly remembered?: ReadonlyMap<string, ScannedFile> | undefined;
}

/**
 * How much may be allocated beside what lives before V8 looks for what is dead, in % of it. By itself it allows about 300, and
 * most of what a scan makes is dead with the next file.
 */
const HEAP_GROWTH = 100;
/** V8 decides again. */
const OWN_GROWTH = 0;

/** Scans what the memory does not know. Whoever asks for no scan need not load this: it brings the parser and the rules. */
export async function scanFound(found: FoundFiles, options: FoundOptions): Promise<ScanResult> {
  const { root, clock, memory, profile } = options;
  allowHeapGrowth(HEAP_GROWTH);
  const { files, around } = memory?.observer ?? {};
  const { end, ...asked } = askedTypes(options);
  // An earlier run has understood the configurations that are still the same.
  const unknown = found.files.filter((it) => !options.remembered?.has(it));
  const configurations = understood(unknown, profile, around);
  const kept = files && { files, around, notesReads: true };
  const modules = projectModules(root, clock, { ...asked, ...kept });
  const project = { modules, configurations };
  const remembered =
    options.remembered ??
    clock.measure('cache', () => memory?.recallFor(found, project) ?? new Map<string, never>());
  const scanned = new Map<string, FreshFile>();
  const progress = progressLine();
  const result = await scanFiles(
    found,
    {
      ...{ ...asked, configurations, modules, clock, remembered },
      rules: rulesNamed(options.rule),
      ...(memory && { read: (path) => readingOf(path, memory.observer.read) }),
      onScanned: (path, file) => scanned.set(path, { file, reads: modules.readsOf(path) }),
    },
    (done) => progress.show(`${done} of ${found.files.length - remembered.size} files`),
  );
  end();
  // What V8 has compiled under other flags is of no use to the next process.
  allowHeapGrowth(OWN_GROWTH);
  progress.clear();
  clock.measure('cache', () => memory?.keep(found, scanned, project));
  return result;
}

function allowHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
