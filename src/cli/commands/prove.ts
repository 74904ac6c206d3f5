import { openDatabases, type Databases } from '../../proof/harness/databases.ts';
import {
  ParameterError,
  parametersFor,
  type KnownValues,
  valuesOf,
} from '../../proof/harness/parameters.ts';
import { runBenchmark } from '../../proof/harness/run.ts';
import { ProfileError, profileAround, profileValues } from '../../proof/measure/profile-file.ts';
import { replayShape } from '../../proof/replay/replay-case.ts';
import type { Arrangement, BenchmarkResult, Parameter, Shape } from '../../proof/result.ts';
import { withoutPassword } from '../../proof/servers/url.ts';
import { table } from '../../proof/table.ts';
import { type Proof, proofHtml } from '../../report/proof/html.ts';
import { proofJson } from '../../report/proof/json.ts';
import { proofText } from '../../report/proof/text.ts';
import { shownPath } from '../../report/path.ts';
import { shellWord } from '../../scan/proof-command.ts';
import { exitCodes, UsageError } from '../failure.ts';
import type { FindingOptions } from '../finding-at.ts';
import { interruption } from '../interruption.ts';
import { lendingOf, namedDatabase } from '../lent-database.ts';
import { packageFile, packageVersion } from '../package.ts';
import { progressLine } from '../progress.ts';
import { allTargets, type ProofTarget, targetsOf } from '../proof-targets.ts';
import { writablePath, writeFiles } from '../write-files.ts';
import { ownCommand } from '../../system/own-command.ts';

export interface ProveOptions extends FindingOptions {
  readonly all?: boolean;
  readonly json?: boolean;
  readonly html?: string;
  readonly maxSeconds: number;
  /** "name=value", in the order given. */
  readonly set?: readonly string[];
  readonly databaseUrl?: string;
  /** Uses that database without asking. */
  readonly yes?: boolean;
  readonly control?: Exclude<Arrangement, 'written'>;
  readonly hasColors: boolean;
}

/** One run with all its parameters. */
interface Plan {
  readonly target: ProofTarget;
  readonly parameters: readonly Parameter[];
  readonly command: string;
}

/** Runs the benchmarks of `name`, prints each as it ends, and returns the exit code. */
export async function prove(name: string | undefined, options: ProveOptions): Promise<number> {
  const cwd = process.cwd();
  const html = options.html === undefined ? undefined : writablePath(options.html, cwd);
  namedDatabase(options.databaseUrl);
  const plans = plansFor(await targetsFor(name, options, cwd), options);
  const needs = plans.map((it) => it.target.benchmark.needs);
  const lending = await lendingOf(options.databaseUrl, needs, options);
  const signal = interruption();
  const databases = openDatabases({ url: options.databaseUrl, lending, signal, onNotice });
  const proofs: Proof[] = [];
  try {
    for (const plan of plans) {
      if (signal.aborted) break;
      const proof = proofOf(plan, await resultOf(plan, databases, signal, options), cwd);
      proofs.push(proof);
      if (!options.json) process.stdout.write(proofText(proof, options));
    }
  } finally {
    await databases.close();
  }
  if (options.json) process.stdout.write(proofJson(proofs));
  if (html !== undefined) writeFiles([{ path: html, text: proofHtml(proofs, packageVersion()) }]);
  return exitCodeOf(proofs, options);
}

/** About a database of the user's. */
export function onNotice(text: string): void {
  process.stderr.write(`deadtime: ${text}\n`);
}

/** The options of one of several proofs. */
export interface PlaceRun {
  readonly databases: Databases;
  readonly signal: AbortSignal;
  readonly cwd: string;
  readonly maxSeconds: number;
  readonly trustConfig: boolean;
}

/** The result of the benchmark of one place. Throws a `UsageError` where there is none. */
export async function proofAt(
  name: string,
  { databases, signal, cwd, maxSeconds, trustConfig }: PlaceRun,
): Promise<Proof> {
  const options = { maxSeconds, trustConfig, hasColors: false };
  const [plan] = plansFor(await targetsFor(name, options, cwd), options);
  return proofOf(plan!, await resultOf(plan!, databases, signal, options), cwd);
}

async function targetsFor(
  name: string | undefined,
  { all, databaseUrl, rule, types = false, trustConfig = false }: ProveOptions,
  cwd: string,
): Promise<readonly ProofTarget[]> {
  if (name !== undefined && all) {
    throw new UsageError('Name a target or --all, not both.');
  }
  if (all) return allTargets(table, { isOnServer: databaseUrl !== undefined });
  if (name !== undefined) return targetsOf(name, table, cwd, { types, trustConfig, rule });
  throw new UsageError(
    'Name what to prove: a finding (deadtime prove src/worker.ts:41), a rule (deadtime prove no-hot-path-sleep), or --all.',
  );
}

/** Before the first run: a wrong name or value in the last case must not cost the time of the cases before. */
function plansFor(targets: readonly ProofTarget[], options: ProveOptions): readonly Plan[] {
  const set = settingsOf(options.set ?? []);
  const unknown = Object.keys(set).find((name) =>
    targets.every(({ benchmark }) => benchmark.parameters.every((it) => it.name !== name)),
  );
  const { databaseUrl } = options;
  const own =
    databaseUrl === undefined ? { profile: knownProfile() } : { server: serversOwnNetwork };
  return targets.map((target) => {
    const { benchmark, code, name, problem } = target;
    const evidence = problem?.finding.evidence;
    const settings = Object.entries(set).filter(
      ([it]) => it === unknown || benchmark.parameters.some((spec) => spec.name === it),
    );
    const known: KnownValues = { code, evidence, ...own, set: Object.fromEntries(settings) };
    try {
      const parameters = parametersFor(benchmark.parameters, known, options);
      return { target, parameters, command: commandFor(name, settings, options) };
    } catch (error) {
      throw error instanceof ParameterError ? new UsageError(error.message) : error;
    }
  });
}

/** No delay is put before a server of the user's, and no profile of this machine speaks for it. */
const serversOwnNetwork = {
  values: { roundTripMs: 0 },
  note: 'the connection to the server is the real one',
};

function knownProfile(): KnownValues['profile'] {
  try {
    const profile = profileAround(process.cwd());
    return profile && profileValues(profile);
  } catch (error) {
    throw error instanceof ProfileError ? new UsageError(error.message) : error;
  }
}

function settingsOf(pairs: readonly string[]): Readonly<Record<string, string>> {
  const entries = pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)] as const;
    throw new UsageError(`--set takes name=value, not ${JSON.stringify(pair)}.`);
  });
  return Object.fromEntries(entries);
}

/** The command for the same run, without its password. */
function commandFor(
  name: string,
  set: readonly (readonly [string, string])[],
  { maxSeconds, databaseUrl, control, rule }: ProveOptions,
): string {
  return [
    ownCommand('prove'),
    shellWord(name),
    ...(rule === undefined ? [] : [`--rule ${rule}`]),
    ...set.map(([key, value]) => `--set ${shellWord(`${key}=${value}`)}`),
    ...(maxSeconds === 5 ? [] : [`--max-seconds ${maxSeconds}`]),
    ...(databaseUrl === undefined
      ? []
      : [`--database-url ${shellWord(withoutPassword(new URL(databaseUrl)))}`]),
    ...(control === undefined ? [] : [`--control ${control}`]),
  ].join(' ');
}

async function resultOf(
  { target, parameters, command }: Plan,
  databases: Databases,
  signal: AbortSignal,
  { maxSeconds, control, all = false }: ProveOptions,
): Promise<BenchmarkResult> {
  const progress = progressLine();
  const { benchmark, replay } = target;
  progress.show(`${target.name}: starting`);
  try {
    return await runBenchmark(benchmark, {
      ...(replay && 'skeleton' in replay && { replay }),
      shape: shapeOf(target, parameters),
      parameters,
      arrangement: control ?? 'written',
      maxSeconds,
      isBrief: all,
      command,
      signal,
      database: await databases.databaseFor(benchmark.needs),
      onProgress: (share) => progress.show(`${target.name}: ${Math.round(100 * share)} %`),
    });
  } finally {
    progress.clear();
  }
}

function shapeOf({ replay }: ProofTarget, parameters: readonly Parameter[]): Shape {
  if (!replay) return { kind: 'case' };
  if ('unreadable' in replay) return { kind: 'case', because: replay.unreadable };
  return replayShape(replay, valuesOf(parameters));
}

function proofOf({ target }: Plan, result: BenchmarkResult, cwd: string): Proof {
  const { problem, benchmark } = target;
  return {
    result,
    source: sourceOf(benchmark, result),
    ...(problem && {
      finding: {
        place: `${shownPath(problem.path, cwd)}:${problem.names.short}`,
        message: problem.message,
      },
    }),
  };
}

/** Some variants have a file of their own. */
function sourceOf(
  { ruleId, variant }: ProofTarget['benchmark'],
  { shape }: BenchmarkResult,
): Proof['source'] {
  if (shape.kind === 'replay') {
    const text = `Before:\n${shape.flagged}\nAfter:\n${shape.mended}`;
    return { path: `the waits of ${shape.unit}`, text };
  }
  const paths = [`src/proof/cases/${ruleId}/${variant}.ts`, `src/proof/cases/${ruleId}.ts`];
  const path = paths.find((it) => packageFile(it) !== undefined) ?? paths[1]!;
  return { path, text: packageFile(path) ?? '' };
}

/**
 * A control that finds a difference between the same code is a failure of the benchmark. Who asks for all of them asks for those
 * that this machine can run.
 */
function exitCodeOf(proofs: readonly Proof[], { all = false }: ProveOptions): number {
  const results = proofs.map((it) => it.result);
  if (results.some((it) => it.state === 'cancelled')) return exitCodes.interrupted;
  const asked = all ? results.filter((it) => it.state !== 'unavailable') : results;
  return asked.length > 0 && asked.every(isAsExpected) ? exitCodes.clean : exitCodes.findings;
}

function isAsExpected(result: BenchmarkResult): boolean {
  if (result.state !== 'completed') return false;
  if (result.arrangement === 'written' || result.verdict === 'machine-busy') return true;
  return result.verdict === (result.arrangement === 'mended' ? 'no-difference' : 'faster');
}
