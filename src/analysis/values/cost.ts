import type { NumberSource, Quantity } from './quantity.ts';

/** A number of a bound and where it was read. */
export interface Operand {
  readonly value: number;
  readonly source: NumberSource;
}

/** An upper bound of what one sequential worker gets done: docs/internals/rules.md, "Formulas". */
export interface RateBound {
  /** Per second. */
  readonly perSecond: number;
  readonly operands: readonly Operand[];
}

/** A bound above this slows nothing: docs/internals/rules.md, "Never printed". */
const HIGHEST_PRINTED = 20_000;

/** Milliseconds in a second. */
const SECOND = 1_000;

/** At most `count` per `sleep`: 1000 · n / D. Undefined when a number is not in the code or the bound is irrelevant. */
export function rateBound(sleep: Quantity, count = 1): RateBound | undefined {
  const { value, source } = sleep;
  if (value === undefined) return undefined;
  const perSecond = (SECOND * count) / value;
  if (perSecond > HIGHEST_PRINTED) return undefined;
  return {
    perSecond: rounded(perSecond),
    operands: [
      { value, source },
      { value: count, source: 'code' },
    ],
  };
}

/** The same when only a share of the iterations sleeps: 1000 / (p · D). */
export function rateBoundAtShare(sleep: Quantity, share: number): RateBound | undefined {
  return rateBound({
    ...sleep,
    value: sleep.value === undefined ? undefined : sleep.value * share,
  });
}

/** A timer's turn takes at least a millisecond, because Node.js raises less to 1. */
export function turnBound(delay: number): RateBound {
  const value = Math.max(1, delay);
  return { perSecond: rounded(SECOND / value), operands: [{ value, source: 'code' }] };
}

/** One significant digit above 100, two below: a bound is no measurement. */
function rounded(value: number): number {
  return Number(value.toPrecision(value > 100 ? 1 : 2));
}
