import type { BenchmarkCase, SetUp, SetUpContext } from '../case.ts';
import { openDatabases } from '../harness/databases.ts';
import { measure } from '../harness/measure.ts';
import { parametersFor } from '../harness/parameters.ts';
import { deadlineIn, SLICE_MS } from '../harness/plan.ts';
import { createQuietWatch, type QuietWatch } from '../harness/quiet.ts';
import { runBenchmark } from '../harness/run.ts';
import { createTrace } from '../harness/trace.ts';
import { verdictOf } from '../harness/verdict.ts';
import type { Completed, CountedMeasurement, TimedMeasurement } from '../result.ts';
import type { Database, Lending } from '../servers/database.ts';
import { table } from '../table.ts';
import type { SuiteVerdict } from './result.ts';
import { ownCommand } from '../../system/own-command.ts';

/** The tools of the rows of the suite. */
export interface Lab {
  /** Runs a rule's case with some values set; throws `NotMeasured` when it does not come to a measurement. */
  timed(name: CaseName, set?: Settings): Promise<TimedMeasurement>;
  counted(name: CaseName, set?: Settings): Promise<CountedMeasurement>;
  /** Two shapes that are no rule's case, in this process. */
  compare(setUp: (context: SetUpContext) => Promise<SetUp>): Promise<TimedMeasurement>;
  database(): Promise<Database>;
  /** Probes the machine between the parts of this row. */
  readonly quiet: QuietWatch;
  readonly signal: AbortSignal;
  /** Runs `work` once for all rows that ask. */
  once<T>(name: string, work: () => Promise<T>): Promise<T>;
  progress(what: string): void;
}

/** "no-hot-path-sleep/after-work". */
export type CaseName = `${string}/${string}`;

type Settings = Readonly<Record<string, string | number>>;

/** A row without numbers, with the reason. */
export class NotMeasured extends Error {
  readonly verdict: SuiteVerdict;
  readonly command: string | undefined;

  constructor(verdict: SuiteVerdict, reason: string, command?: string) {
    super(reason);
    this.verdict = verdict;
    this.command = command;
  }
}

export interface LabOptions {
  readonly databaseUrl: string | undefined;
  /** The objects created there. */
  readonly lending?: Lending | undefined;
  readonly signal: AbortSignal;
  progress(what: string): void;
  onNotice?(text: string): void;
}

export interface OpenLab extends Omit<Lab, 'quiet'> {
  close(): Promise<void>;
}

/** The closed loops of many users take more than the usual five seconds. */
const MAX_SECONDS = 12;

export function openLab({ databaseUrl: url, progress, ...options }: LabOptions): OpenLab {
  const { signal } = options;
  const databases = openDatabases({ url, ...options });
  const known = new Map<string, Promise<unknown>>();

  const database = async () => {
    const found = await databases.databaseFor({ databases: ['postgres', 'mysql'] });
    if (found?.state === 'ready') return found;
    throw notReady(found ?? { state: 'failed', message: 'there is no database' });
  };

  const completed = async (name: CaseName, set: Settings) => {
    const benchmark = caseNamed(name);
    progress(name);
    const settings = Object.entries(set).map(([key, value]) => [key, String(value)] as const);
    const result = await runBenchmark(benchmark, {
      parameters: parametersFor(
        benchmark.parameters,
        { set: Object.fromEntries(settings) },
        { maxSeconds: MAX_SECONDS },
      ),
      arrangement: 'written',
      isBrief: true,
      maxSeconds: MAX_SECONDS,
      database: await databases.databaseFor(benchmark.needs),
      command: commandFor(name, set),
      signal,
    });
    if (result.state === 'completed' && result.verdict !== 'machine-busy') return result;
    throw notCompleted(result);
  };

  return {
    async timed(name, set = {}) {
      const { measurement } = await completed(name, set);
      if (measurement.kind === 'timed') return measurement;
      throw new NotMeasured('failed', `${name} counts, and does not time`);
    },
    async counted(name, set = {}) {
      const { measurement } = await completed(name, set);
      if (measurement.kind === 'counted') return measurement;
      throw new NotMeasured('failed', `${name} times, and does not count`);
    },
    compare: async (setUp) => comparison(setUp, database, signal),
    database,
    signal,
    once<T>(name: string, work: () => Promise<T>) {
      const result = known.get(name) ?? work();
      known.set(name, result);
      return result as Promise<T>;
    },
    progress,
    close: () => databases.close(),
  };
}

function caseNamed(name: CaseName): BenchmarkCase {
  const found = Object.values<readonly BenchmarkCase[]>(table)
    .flat()
    .find((it) => `${it.ruleId}/${it.variant}` === name);
  if (!found) throw new Error(`there is no case ${name}`);
  return found;
}

export function commandFor(name: CaseName, set: Settings = {}): string {
  const settings = Object.entries(set).map(([key, value]) => `--set ${quoted(`${key}=${value}`)}`);
  return ownCommand(['prove', name, ...settings].join(' '));
}

function quoted(text: string): string {
  return /\s/.test(text) ? `'${text}'` : text;
}

type Ended = Awaited<ReturnType<typeof runBenchmark>>;

function notCompleted(result: Ended | Completed): NotMeasured {
  switch (result.state) {
    case 'completed':
      return new NotMeasured('machine-busy', busySentence(result.quiet.signs));
    case 'unavailable':
      return notReady(result);
    case 'failed':
      return new NotMeasured('failed', result.message, result.command);
    case 'cancelled':
      return new NotMeasured('failed', 'cancelled');
  }
}

function notReady(
  result:
    | { readonly state: 'unavailable'; readonly needs: Needs }
    | { readonly state: 'failed'; readonly message: string },
): NotMeasured {
  if (result.state === 'failed') return new NotMeasured('failed', result.message);
  const what = result.needs.map((it) => it.what).join(' and ');
  return new NotMeasured('unavailable', `It needs ${what}.`, result.needs[0]?.command);
}

type Needs = readonly { readonly what: string; readonly command?: string }[];

export function busySentence(signs: readonly string[]): string {
  return ['The machine is busy.', ...signs].join(' ');
}

async function comparison(
  setUp: (context: SetUpContext) => Promise<SetUp>,
  database: () => Promise<Database>,
  signal: AbortSignal,
): Promise<TimedMeasurement> {
  const trace = createTrace();
  const quiet = createQuietWatch();
  const limitMs = 1_000 * MAX_SECONDS;
  const set = await setUp({ parameters: {}, database, trace, signal });
  try {
    const measurement = await measure(set, 'written', {
      deadline: deadlineIn(limitMs),
      ...{ quiet, trace, sliceMs: SLICE_MS, isBrief: true, onProgress() {} },
    });
    if (verdictOf(measurement, quiet.result()) === 'machine-busy') {
      throw new NotMeasured('machine-busy', busySentence(quiet.result().signs));
    }
    if (measurement.kind === 'timed') return measurement;
    throw new NotMeasured('failed', 'it counts, and does not time');
  } finally {
    await set.close();
  }
}
