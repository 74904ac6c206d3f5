import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BenchmarkCase, Values } from '../benchmarks/case.ts';
import type { CaseTable } from '../benchmarks/harness/messages.ts';
import { type Replay, replayCase, replayFor } from '../benchmarks/replay/replay-case.ts';
import { byCost } from '../report/order.ts';
import { shownPath } from '../report/path.ts';
import type { ProjectModules } from '../project/modules.ts';
import { rules } from '../rules/index.ts';
import { configurationsOf } from '../scan/configuration.ts';
import { createClock } from '../scan/clock.ts';
import { filesOf } from '../scan/files.ts';
import type { Problem } from '../scan/problem.ts';
import { projectModules } from '../scan/project.ts';
import { rootAround } from '../scan/repository.ts';
import { scanFiles } from '../scan/scan-files.ts';
import { skeletonOf, type Unreadable } from '../scan/skeleton.ts';
import { UsageError } from './failure.ts';
import { unknownRule } from './rule-names.ts';

/** One benchmark to run, and what the code says about its parameters. */
export interface ProofTarget {
  /** As a user types it: "src/worker.ts:41", "no-hot-path-sleep/after-work". */
  readonly name: string;
  readonly benchmark: BenchmarkCase;
  readonly code: Partial<Values>;
  readonly problem?: Problem;
  /** The waits of the flagged code, which `benchmark` then runs, or why it runs its own. */
  readonly replay?: Replay | Unreadable;
}

/** The cases of `name`: a place in a file, a rule, or one variant of a rule. Throws `UsageError` when it is none of them. */
export async function targetsOf(
  name: string,
  table: CaseTable,
  cwd: string,
): Promise<readonly ProofTarget[]> {
  const place = placeIn(name, cwd);
  if (place) return [await targetAt(place, table, cwd)];
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

/** Every case that there is. */
export function allTargets(table: CaseTable): readonly ProofTarget[] {
  return Object.values(table).flat().map(targetFor);
}

function targetFor(benchmark: BenchmarkCase): ProofTarget {
  return { name: `${benchmark.ruleId}/${benchmark.variant}`, benchmark, code: {} };
}

interface Place {
  /** Absolute. */
  readonly path: string;
  readonly line: number;
  readonly column: number | undefined;
}

/** `file:line` or `file:line:column`; undefined where that file does not exist. */
function placeIn(name: string, cwd: string): Place | undefined {
  const [, file, line, column] = /^(.+?):(\d+)(?::(\d+))?$/.exec(name) ?? [];
  if (file === undefined) return undefined;
  const path = resolve(cwd, file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`No such file: ${file}`);
  }
  return { path, line: Number(line), column: column === undefined ? undefined : Number(column) };
}

function unknownTarget(name: string, table: CaseTable, cwd: string): UsageError {
  if (existsSync(resolve(cwd, name))) {
    return new UsageError(
      `${name} needs a line: deadtime prove ${name}:41. deadtime check ${name} lists them.`,
    );
  }
  return unknownRule(name, Object.keys(table));
}

async function targetAt(place: Place, table: CaseTable, cwd: string): Promise<ProofTarget> {
  const { problems, modules } = await problemsIn(place.path, cwd);
  const problem = problems.filter((it) => covers(it, place)).sort(byCost)[0];
  if (!problem) throw nothingThere(place, problems, cwd);
  const { ruleId, evidence } = problem.finding;
  for (const benchmark of table[ruleId] ?? []) {
    const code = benchmark.parametersOf(evidence);
    if (code) {
      const name = `${shownPath(place.path, cwd)}:${problem.start.line}`;
      return replayed({ name, benchmark, code, problem }, modules);
    }
  }
  throw new UsageError(`There is no benchmark for this form of ${ruleId}: ${problem.message}`);
}

/** With the waits of the flagged code itself, where they can be told and the rule is about waits. */
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

/** All of them: who asks for a place wants to know what is there, however sure it is. */
async function problemsIn(path: string, cwd: string) {
  const root = rootAround(cwd);
  const clock = createClock();
  const found = filesOf([path], { cwd });
  const modules = projectModules(root, clock);
  const configurations = configurationsOf(rules, { profile: 'audit' });
  const { problems } = await scanFiles(found, { rules, configurations, root, modules, clock });
  return { problems, modules };
}

function covers({ start, end }: Problem, { line, column }: Place): boolean {
  if (line < start.line || line > end.line) return false;
  if (column === undefined) return true;
  return (line > start.line || column >= start.column) && (line < end.line || column <= end.column);
}

function nothingThere(place: Place, problems: readonly Problem[], cwd: string): UsageError {
  const file = shownPath(place.path, cwd);
  const near = problems
    .toSorted((a, b) => Math.abs(a.start.line - place.line) - Math.abs(b.start.line - place.line))
    .slice(0, 3)
    .map((it) => `  ${file}:${it.start.line}  ${it.finding.ruleId}`);
  const others = near.length > 0 ? `The nearest are:\n${near.join('\n')}` : 'The file has none.';
  return new UsageError(`There is no finding at ${file}:${place.line}. ${others}`);
}
