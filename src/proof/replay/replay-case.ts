import type { RuleId } from '../../../rules/index.ts';
import { allSteps, type Skeleton, type Unreadable } from '../../patterns/skeleton/shape.ts';
import type { Evidence } from '../../../rules/define-rule.ts';
import { periodOf } from '../branches.ts';
import type { Arm, BenchmarkCase, ParameterSpec, SetUp, SetUpContext, Values } from '../case.ts';
import { openSql, type PooledConnection } from '../drivers/index.ts';
import type { Shape } from '../result.ts';
import {
  count,
  duration,
  known,
  networkDelay,
  poolSize,
  serverTime,
  share,
  suggested,
} from '../parameters.ts';
import { measuredPause, measuredWaits } from '../timing.ts';
import { forecastMs } from './forecast.ts';
import { type Program, programOf, type Remedy } from './program.ts';
import { programText } from './text.ts';
import { perform, type Stage, stageOf } from './stage.ts';

/** Plain data, for the process that runs it. */
export interface Replay {
  readonly ruleId: RuleId;
  readonly skeleton: Skeleton;
  readonly remedy: Remedy;
  /** The reported sleep is on a branch of only some of the runs. */
  readonly isSkipped: boolean;
}

/** Another sleep of the code that is longer than this leaves no time for the runs. */
const LONGEST_OTHER_SLEEP_MS = 50;

/** A shorter sum is mostly the driver's own work, which depends on the core that it gets. */
const PREDICTABLE_MS = 5;

/** How to replay a finding's skeleton, or why the rule's own case is better. */
export function replayFor(
  ruleId: RuleId,
  skeleton: Skeleton,
  evidence: Evidence,
): Replay | Unreadable {
  const remedy = remedyOf(ruleId, evidence);
  if (!remedy) return { unreadable: 'the cost of this finding is not a wait' };
  const steps = [...allSteps(skeleton.steps)];
  for (const step of steps) {
    if (step.kind !== 'sleep' || step.isFlagged) continue;
    if (step.ms === undefined)
      return { unreadable: `line ${step.line} sleeps for a time that the code does not contain` };
    if (step.ms > LONGEST_OTHER_SLEEP_MS)
      return { unreadable: `line ${step.line} also sleeps ${step.ms} ms` };
  }
  if (!steps.some((it) => it.kind === 'io'))
    return { unreadable: 'the code waits only for turns of the event loop' };
  return { ruleId, skeleton, remedy, isSkipped: evidence['variant'] === 'skip-branch' };
}

function remedyOf(ruleId: RuleId, { variant, remedy }: Evidence): Remedy | undefined {
  switch (ruleId) {
    case 'no-hot-path-sleep':
      // The cost of a sleep is how late the worker sees work, not how long an iteration takes.
      return variant === 'idle-poll' ? undefined : 'without-sleep';
    case 'no-yield-per-iteration':
      return 'yield-every';
    case 'no-sequential-independent-awaits':
      return 'reads-together';
    case 'no-independent-await-in-loop':
      if (remedy === 'drain') return undefined;
      return remedy === 'batch' ? 'one-request' : 'some-at-once';
    case 'no-checkout-per-query':
      return variant === 'loop' ? 'held-connection' : undefined;
    default:
      return undefined;
  }
}

/** The description of the replayed code in a result. */
export function replayShape({ skeleton, remedy }: Replay, values: Values): Shape {
  const textOf = (remedy: Remedy | undefined) =>
    programText(programOf(skeleton.steps, { values, remedy }));
  const { unit } = skeleton;
  return { kind: 'replay', unit, flagged: textOf(undefined), mended: textOf(remedy) };
}

const labels: Readonly<Record<Remedy, readonly [flagged: string, mended: string]>> = {
  'without-sleep': ['sleeps as written', 'without the sleep'],
  'yield-every': ['yields in every iteration', 'yields every few iterations'],
  'reads-together': ['reads one at a time', 'reads together'],
  'one-request': ['sends one request per element', 'sends one request for all elements'],
  'some-at-once': ['waits for each element', 'runs some elements concurrently'],
  'held-connection': [
    'checks out a connection for each query',
    'holds one connection for the loop',
  ],
};

/** The case of the rule with the code's own waits in place of the case's; `plain` is what the rule has otherwise. */
export function replayCase(plain: BenchmarkCase, replay: Replay): BenchmarkCase {
  const { skeleton, remedy } = replay;
  const programs = (values: SetUpContext['parameters']) => ({
    flagged: programOf(skeleton.steps, { values, remedy: undefined }),
    mended: programOf(skeleton.steps, { values, remedy }),
  });
  return {
    ruleId: plain.ruleId,
    variant: plain.variant,
    title: `${plain.title}: the waits of ${skeleton.unit}`,
    needs: { databases: ['postgres', 'mysql'], stub: true },
    parameters: parametersOf(replay),
    parametersOf: ({ sleepMs, every, limit, count }) => known({ sleepMs, every, limit, count }),
    predict(values, machine) {
      const programmed = programs(values);
      const flagged = forecastMs(programmed.flagged, values, machine);
      const mended = forecastMs(programmed.mended, values, machine);
      return {
        formula: 'the sum of the waits, and of concurrent waits the longest',
        unit: 'ms per iteration',
        ...{ flagged, mended },
        tolerance: {
          ...(flagged >= PREDICTABLE_MS ? { flagged: 0.25 } : {}),
          ...(mended >= PREDICTABLE_MS ? { mended: 0.25 } : {}),
        },
      };
    },
    scalesWith: scalesWith[remedy],
    doesNotShow: [
      ...plain.doesNotShow,
      'The computation of the code, and the times of its own queries: each wait is a query of the same time.',
      'Branches that return early: the benchmark runs one only if the finding is on it.',
    ],
    setUp: (context) => setUp(context, replay, programs(context.parameters)),
  };
}

const scalesWith: Readonly<Record<Remedy, string>> = {
  'without-sleep': 'sleepMs',
  'yield-every': 'every',
  'reads-together': 'queryMs',
  'one-request': 'roundTripMs',
  'some-at-once': 'limit',
  'held-connection': 'roundTripMs',
};

/** Only those that the program asks for. */
function parametersOf({ skeleton, remedy, isSkipped }: Replay): readonly ParameterSpec[] {
  const steps = [...allSteps(skeleton.steps)];
  const readsMore = remedy === 'reads-together' || remedy === 'some-at-once';
  const openLoops = steps.filter((it) => it.kind === 'loop' && it.count === undefined);
  const asksServices = steps.some((it) => it.kind === 'io' && it.to === 'service');
  return [
    ...(remedy === 'without-sleep'
      ? [duration('sleepMs', 20, 'how long the reported sleep lasts', { min: 1, longest: 100 })]
      : []),
    ...(isSkipped
      ? [share('share', 0.2, 'the share of runs that reach the sleep', { min: 0.01, max: 1 })]
      : []),
    ...(remedy === 'yield-every'
      ? [
          count('every', 64, 'iterations between two yields after the fix', {
            min: 2,
            ...suggested,
          }),
        ]
      : []),
    ...(remedy === 'some-at-once'
      ? [count('limit', 10, 'elements that run concurrently after the fix', suggested)]
      : []),
    ...(openLoops.some((it) => it.isFlagged)
      ? [count('count', 10, 'elements of the reported loop', { longest: 100 })]
      : []),
    ...(openLoops.some((it) => !it.isFlagged)
      ? [count('others', 10, 'elements of each other loop whose number depends on run time')]
      : []),
    serverTime('queryMs', readsMore ? 5 : 0, 'how long the database works on each query'),
    ...(asksServices
      ? [duration('serviceMs', 20, 'how long a third-party service takes', { longest: 50 })]
      : []),
    // A pause costs the same behind any network.
    networkDelay(remedy === 'without-sleep' || remedy === 'yield-every' ? 0 : undefined),
    poolSize(),
  ];
}

async function setUp(
  context: SetUpContext,
  { remedy, isSkipped }: Replay,
  programs: { readonly flagged: Program; readonly mended: Program },
): Promise<SetUp> {
  const { parameters, trace } = context;
  // The steps of the code name the lines of the timeline, not the driver's queries.
  const roundTripMs = Number(parameters['roundTripMs']);
  const { sql, close } = await openSql({ ...context, trace: silent }, roundTripMs);
  const held = remedy === 'held-connection' ? sql.pool({ max: 1 }).connect() : undefined;
  const idle = sql.pool({ max: 1 });
  const period = isSkipped ? periodOf(Number(parameters['share'])) : 1;
  const [asItIs, mended] = labels[remedy];
  const armFor = (
    label: string,
    program: Program,
    iterationsPerSample: number,
    connection?: PooledConnection,
  ): Arm => {
    const stage = stageOf(sql, parameters, trace);
    return { label, iterationsPerSample, ...armOn(stage, program, connection) };
  };
  const every = remedy === 'yield-every' ? Number(parameters['every']) : period;
  return {
    kind: 'latency',
    flagged: armFor(asItIs, programs.flagged, period),
    mended: armFor(mended, programs.mended, every, await held),
    measure: async () => ({
      ...(await measuredWaits(idle, roundTripMs)),
      ...(await measuredPause(idle)),
    }),
    async close() {
      (await held)?.release();
      await close();
    },
  };
}

function armOn(stage: Stage, program: Program, held: PooledConnection | undefined) {
  const { pool, elsewhere } = stage;
  return {
    iteration: (i: number) => perform(program, stage, i, held),
    counters: async () => ({ 'round trips': pool.totals.roundTrips + elsewhere.totals.roundTrips }),
  };
}

const silent: SetUpContext['trace'] = {
  call: (_, work) => work(),
  dead: (_, work) => work(),
  ready() {},
};
