import { extname } from 'node:path';
import { type BenchmarkCase, MissingComponent } from '../case.ts';
import type { Replay } from '../replay/replay-case.ts';
import type { Arrangement, BenchmarkResult, BenchmarkRun, Parameter, Shape } from '../result.ts';
import { predictionOf, scalingOf, sensitivityOf } from './closed-forms.ts';
import type { DatabaseAddress } from '../servers/access.ts';
import type { Database, FailedDatabase, NoDatabase } from '../servers/database.ts';
import { environmentOf } from './environment.ts';
import { runInChild, type ChildEnd } from './in-child.ts';
import { valuesOf } from './parameters.ts';
import { endedAfter } from './plan.ts';
import { calmMoment } from './quiet.ts';
import { isNoisy, verdictOf } from './verdict.ts';

export interface RunOptions {
  /** The program that `benchmark` replays; undefined when it is one of the table. */
  readonly replay?: Replay | undefined;
  readonly shape?: Shape;
  readonly parameters: readonly Parameter[];
  readonly arrangement: Arrangement;
  /** Whether the shortest run that has an interval will do. */
  readonly isBrief?: boolean;
  /** After that the run is stopped in any state; to start its process does not count. */
  readonly maxSeconds: number;
  /** The server for the case, or why there is none. */
  readonly database?: Database | NoDatabase | FailedDatabase | undefined;
  /** The command that repeats this run. */
  readonly command: string;
  readonly signal?: AbortSignal | undefined;
  /** The process that runs it; a test has its own. */
  readonly entry?: URL;
  onProgress?(share: number): void;
}

/** The same file in the sources and in the build, where it is next to cli.js. */
const usualEntry = new URL(
  `./benchmark-process${extname(new URL(import.meta.url).pathname)}`,
  import.meta.url,
);

/** Runs one case in its own process. Never rejects: a failure is a result, too. */
export async function runBenchmark(
  benchmark: BenchmarkCase,
  options: RunOptions,
): Promise<BenchmarkResult> {
  const started = Date.now();
  const { ruleId, variant, title, doesNotShow } = benchmark;
  const { parameters, arrangement, database, command } = options;
  const server = database?.state === 'ready' ? database : undefined;
  const environment = environmentOf(server?.label);
  const first = await endOf(benchmark, options);
  const isWorthARetry = isUndecided(first) && (await calmMoment(options.signal));
  const end = isWorthARetry ? await endOf(benchmark, options) : first;
  const run: BenchmarkRun = {
    ...{ ruleId, variant, title, arrangement, parameters, environment, command, doesNotShow },
    shape: options.shape ?? { kind: 'case' },
    status: server?.origin === 'url' ? 'measured' : 'simulated',
    durationMs: Date.now() - started,
  };
  return resultOf(run, end, benchmark, options.maxSeconds);
}

/** Whether only other work of the machine kept a run from a verdict. */
function isUndecided(end: ChildEnd): boolean {
  if (end.kind === 'too-long') return end.quiet.isBusy;
  return end.kind === 'measured' && verdictOf(end.measurement, end.quiet) === 'machine-busy';
}

async function endOf(
  { ruleId, variant }: BenchmarkCase,
  { database, entry, signal, onProgress, ...options }: RunOptions,
): Promise<ChildEnd> {
  // A server that was about to start has also been stopped.
  if (signal?.aborted) return { kind: 'cancelled' };
  if (database?.state === 'unavailable') return { kind: 'missing', needs: database.needs };
  if (database?.state === 'failed') return { kind: 'failed', message: database.message };
  const { replay, parameters, arrangement, isBrief = false } = options;
  const limitMs = options.maxSeconds * 1_000;
  const end = await runInChild(
    {
      ...{ ruleId, variant, arrangement, limitMs, replay, isBrief },
      parameters: valuesOf(parameters),
      database: database && addressOf(database),
    },
    { entry: entry ?? usualEntry, signal, ...(onProgress && { onProgress }) },
  );
  return database ? endAfter(end, database) : end;
}

/** Plain data: functions do not travel. */
function addressOf({ kind, url, label, origin, terms }: Database): DatabaseAddress {
  return { kind, url, label, origin, terms };
}

/** Others may have come to a server of the user's in the meantime: then nothing that was measured counts. */
async function endAfter(end: ChildEnd, { loan }: Database): Promise<ChildEnd> {
  if (end.kind !== 'measured') return end;
  try {
    await loan?.assertQuiet();
    return end;
  } catch (error) {
    if (error instanceof MissingComponent) return { kind: 'missing', needs: error.needs };
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

function resultOf(
  run: BenchmarkRun,
  end: ChildEnd,
  benchmark: BenchmarkCase,
  maxSeconds: number,
): BenchmarkResult {
  switch (end.kind) {
    case 'cancelled':
      return { ...run, state: 'cancelled' };
    case 'missing':
      return { ...run, state: 'unavailable', needs: end.needs };
    case 'too-long':
      return {
        ...run,
        state: 'failed',
        reason: 'time-limit',
        neededSeconds: end.neededSeconds,
        message: end.quiet.isBusy ? busyMessage(end.neededSeconds) : `${end.message}.`,
      };
    case 'timed-out':
      return { ...run, state: 'failed', reason: 'time-limit', ...endedAfter(maxSeconds) };
    case 'failed':
      return { ...run, state: 'failed', reason: 'error', message: end.message };
    case 'measured':
      return completed(run, end, benchmark);
  }
}

function busyMessage(neededSeconds: number | undefined): string {
  const time =
    neededSeconds === undefined ? '' : `, or allow more time: --max-seconds ${neededSeconds}`;
  return `The machine is busy, try again${time}.`;
}

function completed(
  run: BenchmarkRun,
  { measurement, machine, quiet }: Extract<ChildEnd, { kind: 'measured' }>,
  benchmark: BenchmarkCase,
): BenchmarkResult {
  const { parameters } = run;
  // The closed forms are about the shapes as they are written.
  const isWritten = run.arrangement === 'written';
  const prediction = isWritten
    ? predictionOf(benchmark, parameters, machine, measurement)
    : undefined;
  const scaling = isWritten ? scalingOf(benchmark, parameters, machine) : undefined;
  return {
    ...run,
    state: 'completed',
    verdict: verdictOf(measurement, quiet),
    measurement,
    ...(prediction && { prediction }),
    sensitivity: isWritten ? sensitivityOf(benchmark, parameters, machine) : [],
    ...(scaling && { scaling }),
    quiet,
    isNoisy: isNoisy(measurement, quiet),
  };
}
