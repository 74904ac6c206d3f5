import { arithmetic, calculated } from './arithmetic.ts';
import type { Folded, Range } from './quantity.ts';

/** The range of a binary operation with a random part, by its ends. */
export function rangeOfOperation(operator: string, left: Folded, right: Folded): Range | undefined {
  const [a, b] = [rangeOf(left), rangeOf(right)];
  // no veto: nothing about it is random.
  if (!a || !b || !(left.range ?? right.range)) return undefined;
  const ends = [a.least, a.most].flatMap((it) =>
    [b.least, b.most].map((other) => arithmetic(operator, it, other)),
  );
  return between(ends, /^[-+*]$/.test(operator) || (operator === '/' && !right.range));
}

/** The same of `Math.round(…)` and its kin, which keep the order of numbers. */
export function rangeOfCall(name: string, args: readonly Folded[]): Range | undefined {
  const ranges = args.flatMap((it) => rangeOf(it) ?? []);
  // no veto: as above.
  if (ranges.length < args.length || !args.some((it) => it.range)) return undefined;
  const ends = [ranges.map((it) => it.least), ranges.map((it) => it.most)];
  return between(
    ends.map((it) => calculated(name, it)),
    name !== 'Math.abs',
  );
}

/** `randomInt(100)`, `randomInt(50, 150)`: the upper end is left out. */
export function rangeOfWhole(args: readonly Folded[]): Range | undefined {
  const [first, second] = args.map(({ constant }) => constant);
  const [least, most] = args.length > 1 ? [first, second] : [0, first];
  return typeof least === 'number' && typeof most === 'number'
    ? { least, most: most - 1 }
    : undefined;
}

function rangeOf({ constant, range }: Folded): Range | undefined {
  return typeof constant === 'number' ? { least: constant, most: constant } : range;
}

function between(ends: readonly (number | undefined)[], isByEnds: boolean): Range | undefined {
  const numbers = ends.filter((it) => it !== undefined);
  return isByEnds && numbers.length === ends.length
    ? { least: Math.min(...numbers), most: Math.max(...numbers) }
    : undefined;
}
