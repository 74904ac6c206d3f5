/** Values to pixels, by ratio where they span more than a factor of twenty. */
export interface Scale {
  readonly isLogarithmic: boolean;
  /** Round values, at most six. */
  readonly ticks: readonly number[];
  at(value: number): number;
}

/** From `low` and `high`, widened to show both, to pixels `from` and `to`. */
export function scaleOf(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): Scale {
  const isLogarithmic = low > 0 && high / low > 20;
  const [first, last] = isLogarithmic
    ? [low / 1.1, high * 1.1]
    : [Math.min(0, low), high > low || high > 0 ? high * 1.05 : 1];
  const place = isLogarithmic ? Math.log : (value: number) => value;
  const perUnit = (to - from) / (place(last) - place(first));
  return {
    isLogarithmic,
    ticks: isLogarithmic ? decades(first, last) : steps(first, last),
    at: (value) => from + (place(Math.min(Math.max(value, first), last)) - place(first)) * perUnit,
  };
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function steps(first: number, last: number): readonly number[] {
  const rough = (last - first) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= rough) ?? power * 10;
  const ticks: number[] = [];
  for (let i = Math.ceil(first / step); i * step <= last; i++) ticks.push(i * step);
  return ticks;
}

function decades(first: number, last: number): readonly number[] {
  const powers: number[] = [];
  for (let i = Math.ceil(Math.log10(first)); i <= Math.log10(last); i++) powers.push(i);
  const every = Math.ceil(powers.length / 6);
  const ticks = powers.filter((_, i) => i % every === 0).map((it) => 10 ** it);
  return ticks.length > 1 ? ticks : [first, last];
}
