import { setImmediate } from 'node:timers/promises';
import { createTypeMemory } from '../../src/project/type-memory.ts';
import { configurationText } from '../../src/report/configuration.ts';
import { rules } from '../../rules/index.ts';
import { createClock } from '../../src/scan/clock.ts';
import { isCode } from '../../src/scan/language.ts';
import { Departments } from './departments.ts';
import type { FileAnalysis, FileProblems, Folder, Order, PathText } from './messages.ts';

/**
 * Analyses texts and folders, independent of threads and of the protocol. The paths that it returns are of other texts whose
 * findings may have changed.
 */
export interface Analyst {
  configure(folders: readonly Folder[]): void;
  setTexts(texts: readonly PathText[]): readonly string[];
  changed(paths: readonly string[]): readonly string[];
  refresh(): readonly string[];
  analyse(path: string, isCancelled: () => boolean): FileAnalysis;
  /** For idle times: recomputes the facts of a file that the next edits would need. */
  renew(path: string): void;
  /** Undefined where the answers change nothing. */
  refine(order: Refinement, isCancelled: () => boolean): FileAnalysis | undefined;
  scan(options: ScanOptions): Promise<{ readonly files: number }>;
  configurationText(path: string): string;
  readonly spentMs: Readonly<Record<string, number>>;
}

type Refinement = Extract<Order, { kind: 'refine' }>;

interface ScanOptions {
  /** Absolute paths. */
  readonly leftOut: ReadonlySet<string>;
  /** The number of further files that a scan has analysed. */
  readonly from: number;
  /** Called with each path before its analysis. */
  begin(path: string): void;
  isCancelled(): boolean;
  onProgress(done: number, of: number, found: readonly FileProblems[]): void;
}

export function createAnalyst(): Analyst {
  const clock = createClock();
  const texts = new Map<string, string>();
  const types = createTypeMemory();
  let isCancelled = () => false;
  const departments = new Departments({ texts, types, clock, isCancelled: () => isCancelled() });
  const open = (paths: readonly string[]) => paths.filter((it) => texts.has(it));

  const analyst: Analyst = {
    spentMs: clock.spentMs,
    configure: (folders) => departments.configure(folders),
    setTexts(changes) {
      const stale = changes.flatMap(([path, text]) => {
        if (text === undefined) texts.delete(path);
        else texts.set(path, text);
        return departments.pathsFrom((it) => it.overlay(path, text));
      });
      types.forget(stale);
      const own = new Set(changes.map(([path]) => path));
      return open([...new Set(stale)].filter((it) => !own.has(it)));
    },
    changed(paths) {
      departments.forget();
      const stale = departments.pathsFrom((it) => it.changed(paths));
      return open(withoutTypes(stale, paths));
    },
    refresh() {
      departments.forget();
      return open(withoutTypes(departments.pathsFrom((it) => it.refresh())));
    },
    analyse(path, cancelled) {
      const start = performance.now();
      const department = departments.at(path);
      isCancelled = cancelled;
      const analysis = department.analysed(path);
      isCancelled = () => false;
      const questions = department.questionsIn(path);
      return { ...analysis, questions, milliseconds: performance.now() - start };
    },
    renew: (path) => departments.at(path).renew(path),
    refine({ path, questions, answers }, cancelled) {
      const learned = types.learn(questions, answers);
      if (learned.length === 0) return undefined;
      departments.pathsFrom((it) => it.outdate(learned));
      return analyst.analyse(path, cancelled);
    },
    scan: (options) => scanIn(departments, options),
    configurationText: (path) =>
      configurationText(path, departments.at(path).configurations.for(path), rules),
  };
  return analyst;

  /** An installed package may have declared anything. */
  function withoutTypes(stale: readonly string[], changed: readonly string[] = []) {
    types.forget(stale);
    if (changed.every(isCode)) return stale;
    const asked = types.forget('all');
    return [...new Set([...stale, ...departments.pathsFrom((it) => it.outdate(asked))])];
  }
}

/** How long a scan keeps others waiting, in milliseconds: less than a person notices. */
const TURN_MS = 8;

async function scanIn(
  departments: Departments,
  { leftOut, from, begin, isCancelled, onProgress }: ScanOptions,
): Promise<{ readonly files: number }> {
  const files = departments.files(begin);
  let found: FileProblems[] = [];
  let turnEnd = performance.now() + TURN_MS;
  for (const [i, [path, department]] of files.entries()) {
    if (i < from || leftOut.has(path)) continue;
    if (isCancelled()) return { files: i };
    begin(path);
    const scanned = department.scanned(path);
    const { problems, baselined, leftOut: unread } = scanned;
    if (problems.length + baselined + unread.length > 0) found.push(scanned);
    // The last one is reported below.
    if (performance.now() < turnEnd || i + 1 === files.length) continue;
    onProgress(i + 1, files.length, found);
    found = [];
    await setImmediate();
    turnEnd = performance.now() + TURN_MS;
  }
  onProgress(files.length, files.length, found);
  return { files: files.length };
}
