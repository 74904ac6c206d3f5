import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { listedIn } from '../../src/project/files.ts';
import type { ProjectModules } from '../../src/project/project-modules.ts';
import { contains } from '../../src/project/tree.ts';
import { createTypeMemory } from '../../src/project/type-memory.ts';
import { configurationText } from '../../src/report/configuration.ts';
import { rules } from '../../rules/index.ts';
import { type BaselineEntry, baselineIn, freshAmong } from '../../src/scan/baseline.ts';
import { createClock } from '../../src/scan/clock.ts';
import { configurationsOf, type Configurations } from '../../src/scan/configuration.ts';
import { trusting } from '../../src/scan/configuration-program.ts';
import { filesOf, isFoundBelow } from '../../src/scan/files.ts';
import { isCode } from '../../src/scan/language.ts';
import { isLeftOut } from '../../src/scan/left-out.ts';
import { projectModules } from '../../src/scan/project.ts';
import { rootAround } from '../../src/scan/repository.ts';
import type { Problem } from '../../src/scan/problem.ts';
import type { Scanner } from '../../src/scan/scan.ts';
import { scannersOf } from '../../src/scan/scan-files.ts';
import { type Reading, readingOf } from '../../src/scan/text.ts';
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

/** How long a scan keeps others waiting, in milliseconds: less than a person notices. */
const TURN_MS = 8;

/** Everything of one workspace folder, or of the repository around a file outside of them all. */
interface Department {
  readonly folder: Folder;
  readonly modules: ProjectModules;
  readonly configurations: Configurations;
  readonly scannerFor: (path: string) => Scanner;
  /** Whether the command line would find a file, by path. */
  readonly isFound: Map<string, boolean>;
  readonly root: string;
  /** Read when it is first asked for; a mistake is what is wrong with it. */
  baseline: Baseline | undefined;
}

interface Baseline {
  readonly entries: readonly BaselineEntry[];
  readonly mistakes: readonly string[];
}

export function createAnalyst(): Analyst {
  const clock = createClock();
  const texts = new Map<string, string>();
  const types = createTypeMemory();
  let departments: Department[] = [];
  let isCancelled = () => false;

  const all = <T>(each: (it: Department) => readonly T[]) => [
    ...new Set(departments.flatMap((it) => each(it))),
  ];
  const open = (paths: readonly string[]) => paths.filter((it) => texts.has(it));

  const analyst: Analyst = {
    spentMs: clock.spentMs,
    configure(folders) {
      departments = folders.map(departmentFor);
    },
    setTexts(changes) {
      const stale = changes.flatMap(([path, text]) => {
        if (text === undefined) texts.delete(path);
        else texts.set(path, text);
        return all(({ modules }) => modules.overlay(path, text));
      });
      types.forget(stale);
      const own = new Set(changes.map(([path]) => path));
      return open([...new Set(stale)].filter((it) => !own.has(it)));
    },
    changed(paths) {
      forgetFolders();
      return open(
        withoutTypes(
          all(({ modules }) => modules.changed(paths)),
          paths,
        ),
      );
    },
    refresh() {
      forgetFolders();
      return open(withoutTypes(all(({ modules }) => modules.refresh())));
    },
    analyse(path, cancelled) {
      const start = performance.now();
      isCancelled = cancelled;
      const analysis = analysed(path);
      isCancelled = () => false;
      return { ...analysis, questions: questionsIn(path), milliseconds: performance.now() - start };
    },
    renew(path) {
      const { modules, scannerFor } = departmentAt(path);
      const text = texts.get(path);
      if (text === undefined || !scannerFor(path).isWorn(text, path)) return;
      modules.outdate([path]);
      analysed(path);
    },
    refine({ path, questions, answers }, cancelled) {
      const learned = types.learn(questions, answers);
      if (learned.length === 0) return undefined;
      for (const { modules } of departments) modules.outdate(learned);
      return analyst.analyse(path, cancelled);
    },
    async scan({ leftOut, from, begin, isCancelled, onProgress }) {
      const files = departments.flatMap((it) =>
        filesIn(it, begin).map((path) => [path, it] as const),
      );
      let found: FileProblems[] = [];
      let turnEnd = performance.now() + TURN_MS;
      for (const [i, [path, department]] of files.entries()) {
        if (i < from || leftOut.has(path)) continue;
        if (isCancelled()) return { files: i };
        begin(path);
        const scanned = scannedIn(department, path);
        if (scanned.problems.length + scanned.leftOut.length > 0) found.push(scanned);
        // The last one is reported below.
        if (performance.now() < turnEnd || i + 1 === files.length) continue;
        onProgress(i + 1, files.length, found);
        found = [];
        await setImmediate();
        turnEnd = performance.now() + TURN_MS;
      }
      onProgress(files.length, files.length, found);
      return { files: files.length };
    },
    configurationText: (path) =>
      configurationText(path, departmentAt(path).configurations.for(path), rules),
  };
  return analyst;

  function questionsIn(path: string): FileAnalysis['questions'] {
    const { modules, folder } = departmentAt(path);
    const asked = folder.hasTypes ? types.asked().filter((it) => contains(folder.path, it)) : [];
    // Listing the dependencies of a file takes longer than listing the files of a question.
    const isAskedOfOthers = asked.some((it) => it !== path);
    const read = new Set([path, ...(isAskedOfOthers ? modules.dependenciesOf(path) : [])]);
    return types.questions(asked.filter((it) => read.has(it)));
  }

  /** An installed package may have declared anything. */
  function withoutTypes(stale: readonly string[], changed: readonly string[] = []) {
    types.forget(stale);
    if (changed.every(isCode)) return stale;
    const asked = types.forget('all');
    return [...new Set([...stale, ...all(({ modules }) => modules.outdate(asked))])];
  }

  function readingAt(path: string): Reading {
    const text = texts.get(path);
    return text === undefined ? readingOf(path) : { text };
  }

  function scannedIn(department: Department, path: string): FileProblems {
    const reading = readingAt(path);
    if ('reason' in reading) return { path, problems: [], leftOut: [reading.message] };
    const { problems, notices } = department
      .scannerFor(path)
      .scan(reading.text, path, { isNamed: false });
    return {
      path,
      problems: freshIn(department, path, problems),
      leftOut: notices.filter(isLeftOut).map((it) => it.message),
    };
  }

  function analysed(path: string): Omit<FileAnalysis, 'milliseconds' | 'questions'> {
    const department = departmentAt(path);
    const reading = readingAt(path);
    if (!department.folder.isEnabled || 'reason' in reading || !isScanned(path, department)) {
      return { problems: [], notices: [], mistakes: [] };
    }
    const { mistakes } = department.configurations.for(path);
    const result = department.scannerFor(path).scan(reading.text, path, { isNamed: false });
    return {
      problems: freshIn(department, path, result.problems),
      notices: result.notices.map((it) => it.message),
      mistakes: [...mistakes, ...baselineOf(department).mistakes],
    };
  }

  /** As `deadtime check` reports: without those that the baseline holds. */
  function freshIn(department: Department, path: string, problems: readonly Problem[]) {
    const where = { root: department.root, scanned: new Set([path]) };
    return freshAmong(baselineOf(department).entries, problems, where);
  }

  function baselineOf(department: Department): Baseline {
    return (department.baseline ??= readBaseline(department.root));
  }

  /** As the command line sees it: tests, dependencies and what is ignored are left out. */
  function isScanned(path: string, { folder, isFound }: Department): boolean {
    let known = isFound.get(path);
    if (known === undefined) {
      isFound.set(path, (known = isFoundBelow(folder.path, path, folder.exclude)));
    }
    return known;
  }

  function forgetFolders(): void {
    for (const department of departments) {
      department.configurations.forget();
      department.isFound.clear();
      department.baseline = undefined;
    }
  }

  /** The innermost folder around the path. */
  function departmentAt(path: string): Department {
    const [nearest] = departments
      .filter((it) => contains(it.folder.path, path))
      .sort((a, b) => b.folder.path.length - a.folder.path.length);
    if (nearest) return nearest;
    const { overrides = {}, exclude = [] } = departments[0]?.folder ?? {};
    const root = rootAround(dirname(path));
    // Trust is given to the folders that are open.
    const isTrusted = { hasTypes: false, trustsConfiguration: false };
    const made = departmentFor({ path: root, isEnabled: true, overrides, exclude, ...isTrusted });
    departments.push(made);
    return made;
  }

  function departmentFor(folder: Folder): Department {
    const root = rootAround(folder.path);
    const asked = folder.hasTypes ? { types } : {};
    const files = folder.trustsConfiguration ? trusting(root) : undefined;
    const modules = projectModules(root, clock, { ...asked, ...(files && { files }) });
    for (const [path, text] of texts) modules.overlay(path, text);
    const configurations = configurationsOf(rules, folder.overrides, files, root);
    const options = { ...asked, rules, configurations, modules, clock };
    return {
      folder,
      modules,
      configurations,
      scannerFor: scannersOf({ ...options, isCancelled: () => isCancelled() }),
      isFound: new Map(),
      ...{ root, baseline: undefined },
    };
  }

  function filesIn({ folder }: Department, begin: ScanOptions['begin']): readonly string[] {
    if (!folder.isEnabled) return [];
    const list = (path: string) => {
      begin(path);
      return listedIn(path);
    };
    const { files } = filesOf([folder.path], {
      ...{ cwd: folder.path, ignorePatterns: folder.exclude, disk: { list } },
    });
    // A nested folder is scanned immediately, with its own settings.
    return files.filter((it) => departmentAt(it).folder === folder);
  }
}

function readBaseline(root: string): Baseline {
  try {
    return { entries: baselineIn(root), mistakes: [] };
  } catch (error) {
    return { entries: [], mistakes: [error instanceof Error ? error.message : String(error)] };
  }
}
