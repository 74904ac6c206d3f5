/**
 * What a piece of code waits for, in order, and nothing else of it: plain data that a benchmark can run again with stand-ins.
 * Lines count from 1, in the file that the skeleton was read from; a step of another file has the line of the call to it.
 */
export interface Skeleton {
  /** What one run is: "one iteration of the loop", "one call of overview()". */
  readonly unit: string;
  readonly steps: readonly SkeletonStep[];
}

export type SkeletonStep =
  | IoStep
  | SleepStep
  | YieldStep
  | CheckoutStep
  | ReleaseStep
  | TogetherStep
  | LoopStep
  | BranchStep
  | CallStep;

interface StepBase {
  readonly line: number;
  /** What the finding is about: what the mended code does otherwise. */
  readonly isFlagged: boolean;
}

/** One wait for the outside. */
export interface IoStep extends StepBase {
  readonly kind: 'io';
  /** As the source calls it: "pool.query()". */
  readonly label: string;
  readonly to: 'database' | 'service' | 'disk' | 'unknown';
  /** Whether it acquires its own connection from the pool, or uses the checked-out one. */
  readonly on: 'pool' | 'connection';
}

export interface SleepStep extends StepBase {
  readonly kind: 'sleep';
  /** Undefined where the code does not contain it. */
  readonly ms: number | undefined;
}

export interface YieldStep extends StepBase {
  readonly kind: 'yield';
  readonly how: 'timer' | 'immediate' | 'tick';
}

export interface CheckoutStep extends StepBase {
  readonly kind: 'checkout';
  /** What the checkout asks the server for before it hands the connection over. */
  readonly roundTrips: number;
}

export interface ReleaseStep extends StepBase {
  readonly kind: 'release';
}

/** Promise.all and its kin. */
export interface TogetherStep extends StepBase {
  readonly kind: 'together';
  readonly branches: readonly (readonly SkeletonStep[])[];
}

export interface LoopStep extends StepBase {
  readonly kind: 'loop';
  /** Undefined where it is only resolved at run time. */
  readonly count: number | undefined;
  /** All concurrently, as in `Promise.all(rows.map(…))`. */
  readonly isConcurrent: boolean;
  readonly body: readonly SkeletonStep[];
}

/** Which way is taken is not in the code. */
export interface BranchStep extends StepBase {
  readonly kind: 'branch';
  readonly then: readonly SkeletonStep[];
  readonly otherwise: readonly SkeletonStep[];
  /** That side ends the iteration or the function: what follows the branch is not run. */
  readonly thenLeaves: boolean;
  readonly otherwiseLeaves: boolean;
}

/** A function of the project. */
export interface CallStep extends StepBase {
  readonly kind: 'call';
  readonly label: string;
  readonly body: readonly SkeletonStep[];
}

/** Code with waits that a skeleton cannot describe; the sentence is the reason. */
export interface Unreadable {
  readonly unreadable: string;
}

/** Whether one of the steps is what the finding is about, at any depth. */
export function holdsFlagged(steps: readonly SkeletonStep[]): boolean {
  return steps.some((it) => it.isFlagged || innerSteps(it).some(holdsFlagged));
}

/** Every step, outer ones before their inner ones. */
export function* allSteps(steps: readonly SkeletonStep[]): Iterable<SkeletonStep> {
  for (const step of steps) {
    yield step;
    for (const inner of innerSteps(step)) yield* allSteps(inner);
  }
}

function innerSteps(step: SkeletonStep): readonly (readonly SkeletonStep[])[] {
  switch (step.kind) {
    case 'loop':
    case 'call':
      return [step.body];
    case 'together':
      return step.branches;
    case 'branch':
      return [step.then, step.otherwise];
    default:
      return [];
  }
}
