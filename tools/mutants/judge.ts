import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { rules } from '../../rules/index.ts';
import {
  annotate,
  findingsOf,
  type Fixture,
  type FixtureFile,
  fixturesOf,
  projectOf,
  suggestedSource,
  withoutMarks,
} from '../../test/fixtures.ts';
import { projectModules, remarked, remarkedPaths } from '../../test/remarks.ts';
import { waitCases, waitsOf } from '../../test/waits.ts';
import { takeOut, takeReached } from './switch.ts';

/** Which of these fixtures notices that a mutant's veto is gone? */
export interface Question {
  readonly mutant: number;
  /** Indices into the fixtures of the baseline. */
  readonly fixtures: readonly number[];
}

export interface Verdict {
  /** The first fixture that distinguishes the mutant from the original; undefined when none does. */
  readonly failing: string | undefined;
}

/** What the original code does. */
export interface Baseline extends Verdict {
  /** Mutants whose vetoes are reached while the modules load, before any fixture is read. */
  readonly onLoad: readonly number[];
  readonly fixtures: readonly ReachedBy[];
}

/** A fixture, and the mutants whose vetoes it reaches: it cannot distinguish any other from the original. */
interface ReachedBy {
  /** Undefined for fixtures of facts alone. */
  readonly ruleId: string | undefined;
  readonly reached: readonly number[];
  /** How long it took. */
  readonly ms: number;
}

type Rule = (typeof rules)[number];

/** A fixture, to be held against the code as it is now. */
interface Trial {
  readonly path: string;
  readonly ruleId?: string;
  isPassed(): boolean;
}

// Bundled with a switch around every veto, and run as a worker.
const onLoad = takeReached();
const trials: readonly Trial[] = [
  ...rules.flatMap((rule) => fixturesOf(rule.id).map((it) => trialOf(rule, it))),
  ...remarkedPaths().map((path): Trial => ({
    path,
    isPassed: () => remarked(path, projectModules()) === readFileSync(path, 'utf8'),
  })),
  ...waitCases.map(([name, body, waits, before]): Trial => ({
    path: `test/waits.ts: ${name}`,
    isPassed: () => isDeepStrictEqual(waitsOf(body, before), waits),
  })),
];

parentPort?.on('message', (question: Question | 'baseline') => {
  parentPort?.postMessage(question === 'baseline' ? baseline() : verdictOn(question));
});

function baseline(): Baseline {
  let failing: string | undefined;
  const fixtures = trials.map((trial) => {
    const start = performance.now();
    failing ??= failureOf(trial);
    return { ruleId: trial.ruleId, reached: takeReached(), ms: performance.now() - start };
  });
  return { failing, onLoad, fixtures };
}

function verdictOn({ mutant, fixtures }: Question): Verdict {
  takeOut(mutant);
  for (const index of fixtures) {
    const failing = failureOf(trials[index]!);
    if (failing !== undefined) return { failing };
  }
  return { failing: undefined };
}

function failureOf({ path, isPassed }: Trial): string | undefined {
  try {
    return isPassed() ? undefined : path;
  } catch (error) {
    return `${path}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function trialOf(rule: Rule, { path, kind, files, manifests }: Fixture): Trial {
  return {
    path,
    ruleId: rule.id,
    isPassed() {
      const factsAt = projectOf(files, manifests);
      return files.every((file) => {
        const findings = findingsOf(rule, factsAt(file.virtualPath), file.settings);
        if (annotate(file, rule, findings) !== file.expected) return false;
        return kind === 'ignores' || suggestedSource(file, findings) === expectedSuggestion(file);
      });
    },
  };
}

function expectedSuggestion({ path }: FixtureFile): string | undefined {
  const suggested = path.replace(/([/\\])reports([/\\])/, '$1suggested$2');
  return existsSync(suggested) ? withoutMarks(readFileSync(suggested, 'utf8')) : undefined;
}
