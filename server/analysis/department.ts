import { contains } from '../../src/project/tree.ts';
import type { ProjectModules } from '../../src/project/project-modules.ts';
import type { TypeMemory } from '../../src/project/type-memory.ts';
import { rules } from '../../rules/index.ts';
import { type BaselineEntry, baselineIn, freshAmong } from '../../src/scan/baseline.ts';
import type { Clock } from '../../src/scan/clock.ts';
import { configurationsOf, type Configurations } from '../../src/scan/configuration.ts';
import { trusting } from '../../src/scan/configuration-program.ts';
import { isFoundBelow } from '../../src/scan/files.ts';
import { isLeftOut } from '../../src/scan/left-out.ts';
import type { Problem } from '../../src/scan/problem.ts';
import { projectModules } from '../../src/scan/project.ts';
import { rootAround } from '../../src/scan/repository.ts';
import type { Scanner } from '../../src/scan/scan.ts';
import { scannersOf } from '../../src/scan/scan-files.ts';
import { type Reading, readingOf } from '../../src/scan/text.ts';
import type { FileAnalysis, FileProblems, Folder } from './messages.ts';

/** Shared by all folders of an editor. */
export interface Shared {
  /** The unsaved ones, by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly types: TypeMemory;
  readonly clock: Clock;
  /** Whether the result of the running analysis is no longer needed. */
  isCancelled(): boolean;
}

interface Baseline {
  readonly entries: readonly BaselineEntry[];
  readonly mistakes: readonly string[];
}

/** Everything of one workspace folder, or of the repository around a file outside of them all. */
export class Department {
  readonly folder: Folder;
  readonly modules: ProjectModules;
  readonly configurations: Configurations;
  readonly #shared: Shared;
  readonly #root: string;
  readonly #scannerFor: (path: string) => Scanner;
  /** Whether the command line would find a file, by path. */
  readonly #isFound = new Map<string, boolean>();
  /** Read when it is first asked for; a mistake is what is wrong with it. */
  #baseline: Baseline | undefined;

  constructor(folder: Folder, shared: Shared) {
    const { texts, types, clock } = shared;
    const root = rootAround(folder.path);
    const asked = folder.hasTypes ? { types } : {};
    const files = folder.trustsConfiguration ? trusting(root) : undefined;
    const configurations = configurationsOf(rules, folder.overrides, files, root);
    const { usesUnconfirmed } = configurations;
    const modules = projectModules(root, clock, {
      ...{ ...asked, ...(files && { files }), usesUnconfirmed },
    });
    for (const [path, text] of texts) modules.overlay(path, text);
    this.folder = folder;
    this.modules = modules;
    this.configurations = configurations;
    this.#shared = shared;
    this.#root = root;
    this.#scannerFor = scannersOf({
      ...{ ...asked, rules, configurations, modules, clock },
      isCancelled: () => shared.isCancelled(),
    });
  }

  /** The findings in a file that a scan of the folder has found. */
  scanned(path: string): FileProblems {
    const reading = this.#readingAt(path);
    if ('reason' in reading)
      return { path, problems: [], baselined: 0, leftOut: [reading.message] };
    const { problems, notices } = this.#scan(reading.text, path);
    return {
      path,
      ...this.#fresh(path, problems),
      leftOut: notices.filter(isLeftOut).map((it) => it.message),
    };
  }

  analysed(path: string): Omit<FileAnalysis, 'milliseconds' | 'questions'> {
    const reading = this.#readingAt(path);
    if (!this.folder.isEnabled || 'reason' in reading || !this.#isScanned(path)) {
      return { problems: [], baselined: 0, notices: [], mistakes: [] };
    }
    const { mistakes } = this.configurations.for(path);
    const { problems, notices } = this.#scan(reading.text, path);
    return {
      ...this.#fresh(path, problems),
      notices: notices.map((it) => it.message),
      mistakes: [...mistakes, ...this.#knownFindings().mistakes],
    };
  }

  /** Recomputes the facts of a file that is edited, where they are due for a rebuild. */
  renew(path: string): void {
    const text = this.#shared.texts.get(path);
    if (text === undefined || !this.#scannerFor(path).isWorn(text, path)) return;
    this.modules.outdate([path]);
    this.analysed(path);
  }

  /** The questions for a type checker that would decide something in a file. */
  questionsIn(path: string): FileAnalysis['questions'] {
    const { folder, modules } = this;
    const { types } = this.#shared;
    const asked = folder.hasTypes ? types.asked().filter((it) => contains(folder.path, it)) : [];
    // Listing the dependencies of a file takes longer than listing the files of a question.
    const isAskedOfOthers = asked.some((it) => it !== path);
    const read = new Set([path, ...(isAskedOfOthers ? modules.dependenciesOf(path) : [])]);
    return types.questions(asked.filter((it) => read.has(it)));
  }

  /** Files other than code may have changed. */
  forget(): void {
    this.configurations.forget();
    this.#isFound.clear();
    this.#baseline = undefined;
  }

  #readingAt(path: string): Reading {
    const text = this.#shared.texts.get(path);
    return text === undefined ? readingOf(path) : { text };
  }

  #scan(text: string, path: string): ReturnType<Scanner['scan']> {
    return this.#scannerFor(path).scan(text, path, { isNamed: false });
  }

  /** As `deadtime check` reports: without those that the baseline holds, which are counted. */
  #fresh(path: string, problems: readonly Problem[]): Pick<FileAnalysis, 'problems' | 'baselined'> {
    const where = { root: this.#root, scanned: new Set([path]) };
    const fresh = freshAmong(this.#knownFindings().entries, problems, where);
    return { problems: fresh, baselined: problems.length - fresh.length };
  }

  #knownFindings(): Baseline {
    return (this.#baseline ??= readBaseline(this.#root));
  }

  /** As the command line sees it: tests, dependencies and what is ignored are left out. */
  #isScanned(path: string): boolean {
    let known = this.#isFound.get(path);
    if (known === undefined) {
      known = isFoundBelow(this.folder.path, path, this.folder.exclude);
      this.#isFound.set(path, known);
    }
    return known;
  }
}

function readBaseline(root: string): Baseline {
  try {
    return { entries: baselineIn(root), mistakes: [] };
  } catch (error) {
    return { entries: [], mistakes: [error instanceof Error ? error.message : String(error)] };
  }
}
