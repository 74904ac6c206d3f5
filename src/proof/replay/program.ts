import { allSteps, type BranchStep, holdsFlagged } from '../../patterns/skeleton/shape.ts';
import type { IoStep, LoopStep, SkeletonStep } from '../../patterns/skeleton/shape.ts';
import type { Values } from '../case.ts';

/** The change that the fix makes to the reported steps. */
export type Remedy =
  | 'without-sleep'
  | 'yield-every'
  | 'reads-together'
  | 'one-request'
  | 'some-at-once'
  | 'held-connection';

/** A skeleton with all that it leaves open settled: how often, how long, which way. */
export type ProgramStep =
  | (PlacedStep & { readonly op: 'io'; readonly label: string } & Pick<IoStep, 'to' | 'on'>)
  | (PlacedStep & { readonly op: 'sleep'; readonly ms: number })
  | (PlacedStep & {
      readonly op: 'turn';
      readonly how: 'timer' | 'immediate' | 'tick';
      /** One in so many runs takes it. */
      readonly every: number;
    })
  | (PlacedStep & { readonly op: 'checkout'; readonly roundTrips: number })
  | (PlacedStep & { readonly op: 'release' })
  | (PlacedStep & { readonly op: 'together'; readonly branches: readonly Program[] })
  | (PlacedStep & {
      readonly op: 'repeat';
      readonly count: number;
      /** How many run concurrently. */
      readonly limit: number;
      readonly body: Program;
    })
  | (PlacedStep & { readonly op: 'choose'; readonly sides: readonly Side[] })
  | (PlacedStep & { readonly op: 'call'; readonly label: string; readonly body: Program });

export type Program = readonly ProgramStep[];

interface PlacedStep {
  readonly line: number;
  /** The step of the finding, in the program before the fix. */
  readonly isFlagged: boolean;
}

/** The shares of a step's sides add up to 1. */
export interface Side {
  readonly share: number;
  readonly steps: Program;
  /** The steps after it do not run. */
  readonly leaves: boolean;
}

interface Writing {
  readonly values: Values;
  /** Undefined for the code as it is. */
  readonly remedy: Remedy | undefined;
}

/** The steps unchanged, or with the remedy applied to the step of the finding. */
export function programOf(steps: readonly SkeletonStep[], writing: Writing): Program {
  const { remedy } = writing;
  if (remedy !== 'reads-together') return steps.flatMap((it) => written(it, writing));
  const reads = steps.filter((it) => holdsFlagged([it]));
  if (reads.length < 2) return steps.flatMap((it) => written(it, writing));
  return steps.flatMap((it): Program => {
    if (!reads.includes(it)) return written(it, writing);
    if (it !== reads[0]) return [];
    const branches = reads.map((read) => written(read, { ...writing, remedy: undefined }));
    return [{ op: 'together', line: it.line, isFlagged: true, branches }];
  });
}

function written(step: SkeletonStep, writing: Writing): Program {
  const { values, remedy } = writing;
  const { line, isFlagged } = step;
  const placed = { line, isFlagged };
  switch (step.kind) {
    case 'io':
      return [{ ...placed, op: 'io', ...ioOf(step, remedy) }];
    case 'sleep':
      if (isFlagged && remedy === 'without-sleep') return [];
      return [
        { ...placed, op: 'sleep', ms: isFlagged ? Number(values['sleepMs']) : (step.ms ?? 0) },
      ];
    case 'yield': {
      const every = isFlagged && remedy === 'yield-every' ? Number(values['every']) : 1;
      return [{ ...placed, op: 'turn', how: step.how, every }];
    }
    case 'checkout':
      if (isFlagged && remedy === 'held-connection') return [];
      return [{ ...placed, op: 'checkout', roundTrips: step.roundTrips }];
    case 'release':
      return [{ ...placed, op: 'release' }];
    case 'together': {
      const branches = step.branches.map((it) => programOf(it, writing));
      return [{ ...placed, op: 'together', branches }];
    }
    case 'loop':
      return loopOf(step, writing);
    case 'branch':
      return [{ ...placed, op: 'choose', sides: sidesOf(step, writing) }];
    case 'call':
      return [{ ...placed, op: 'call', label: step.label, body: programOf(step.body, writing) }];
  }
}

/** Code that holds a connection for the loop runs its queries on it. */
function ioOf({ label, to, on, isFlagged }: IoStep, remedy: Remedy | undefined) {
  const isHeld = isFlagged && remedy === 'held-connection';
  return { label, to, on: isHeld ? ('connection' as const) : on };
}

function loopOf(step: LoopStep, writing: Writing): Program {
  const { values, remedy } = writing;
  const { line, isFlagged, isConcurrent } = step;
  const count = Number(step.count ?? values[isFlagged ? 'count' : 'others']);
  if (isFlagged && remedy === 'one-request') {
    const request = [...allSteps(step.body)].find((it) => it.kind === 'io');
    return request ? written({ ...request, isFlagged: true }, writing) : [];
  }
  const atOnce = isFlagged && remedy === 'some-at-once' ? Number(values['limit']) : 1;
  return [
    {
      op: 'repeat',
      ...{ line, isFlagged, count },
      limit: Math.min(count, isConcurrent ? count : atOnce),
      body: programOf(step.body, writing),
    },
  ];
}

/**
 * The code does not contain which branch runs. A run uses the branch with the reported step, or does so in the part `share` of
 * the runs where the case has one; of other branches the first, unless it returns early: such branches are for missing or
 * failed work, or work done before.
 */
function sidesOf(step: BranchStep, writing: Writing): readonly Side[] {
  const then = { steps: programOf(step.then, writing), leaves: step.thenLeaves };
  const otherwise = { steps: programOf(step.otherwise, writing), leaves: step.otherwiseLeaves };
  const isThen = holdsFlagged(step.then);
  if (isThen || holdsFlagged(step.otherwise)) {
    const [flagged, other] = isThen ? [then, otherwise] : [otherwise, then];
    const isInnermost = (isThen ? step.then : step.otherwise).some((it) => it.isFlagged);
    const share = isInnermost ? Number(writing.values['share'] ?? 1) : 1;
    return [
      { ...flagged, share },
      { ...other, share: 1 - share },
    ];
  }
  return [{ ...(step.thenLeaves ? otherwise : then), share: 1 }];
}
