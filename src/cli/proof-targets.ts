import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BenchmarkCase, Values } from '../proof/case.ts';
import type { CaseTable } from '../proof/harness/messages.ts';
import { type Replay, replayCase, replayFor } from '../proof/replay/replay-case.ts';
import type { ProjectModules } from '../project/project-modules.ts';
import { shownPath } from '../report/path.ts';
import type { Problem } from '../scan/problem.ts';
import { skeletonOf, type Unreadable } from '../scan/skeleton.ts';
import { UsageError } from './failure.ts';
import { findingAt, type FindingOptions, type FoundProblem } from './finding-at.ts';
import { unknownRule } from './rule-names.ts';

/** One benchmark to run, and its parameters from the code. */
export interface ProofTarget {
  /** As a user types it: "src/worker.ts:41", "no-hot-path-sleep/after-work". */
  readonly name: string;
  readonly benchmark: BenchmarkCase;
  readonly code: Partial<Values>;
  readonly problem?: Problem;
  /** The waits of the code before the fix, which `benchmark` then runs, or why it runs its own. */
  readonly replay?: Replay | Unreadable;
}

/** The cases of `name`: a place in a file, a rule, or one variant of a rule. Throws `UsageError` when it is none of them. */
export async function targetsOf(
  name: string,
  table: CaseTable,
  cwd: string,
  options: FindingOptions = {},
): Promise<readonly ProofTarget[]> {
  const found = await findingAt(name, cwd, options);
  if (found) return [targetAt(found, table, cwd)];
  const [ruleId = '', variant] = name.replace(/^deadtime\//, '').split('/');
  const cases = table[ruleId];
  if (!cases) throw unknownTarget(name, table, cwd);
  const chosen = variant === undefined ? cases : cases.filter((it) => it.variant === variant);
  if (chosen.length === 0) {
    const known = cases.map((it) => it.variant).join(', ');
    throw new UsageError(`${ruleId} has no benchmark ${JSON.stringify(variant)}. It has ${known}.`);
  }
  return chosen.map(targetFor);
}

/** Every case that there is; on a user's server those that ask it, since the others come out as they do without. */
export function allTargets(
  table: CaseTable,
  { isOnServer }: { readonly isOnServer: boolean },
): readonly ProofTarget[] {
  const cases = Object.values(table).flat();
  return cases.filter((it) => !isOnServer || it.needs.databases).map(targetFor);
}

function targetFor(benchmark: BenchmarkCase): ProofTarget {
  return { name: `${benchmark.ruleId}/${benchmark.variant}`, benchmark, code: {} };
}

function unknownTarget(name: string, table: CaseTable, cwd: string): UsageError {
  if (existsSync(resolve(cwd, name))) {
    return new UsageError(
      `${name} needs a line: deadtime prove ${name}:41. deadtime check ${name} lists them.`,
    );
  }
  return unknownRule(name, Object.keys(table));
}

function targetAt({ problem, modules }: FoundProblem, table: CaseTable, cwd: string): ProofTarget {
  const { ruleId, evidence } = problem.finding;
  for (const benchmark of table[ruleId] ?? []) {
    const code = benchmark.parametersOf(evidence);
    if (code) {
      const name = `${shownPath(problem.path, cwd)}:${problem.names.short}`;
      return replayed({ name, benchmark, code, problem }, modules);
    }
  }
  throw new UsageError(`There is no benchmark for this form of ${ruleId}: ${problem.message}`);
}

/** With the waits of the reported code, where it has a skeleton and the rule is about waits. */
function replayed(
  target: ProofTarget & { problem: Problem },
  modules: ProjectModules,
): ProofTarget {
  const { benchmark, problem } = target;
  const skeleton = skeletonOf(problem, modules);
  if (!skeleton) return target;
  if ('unreadable' in skeleton) return { ...target, replay: skeleton };
  const { evidence } = problem.finding;
  const replay = replayFor(benchmark.ruleId, skeleton, evidence);
  if ('unreadable' in replay) return { ...target, replay };
  const own = replayCase(benchmark, replay);
  return { ...target, benchmark: own, code: own.parametersOf(evidence) ?? {}, replay };
}
