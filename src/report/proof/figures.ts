/** Three digits at most: a benchmark's fourth is noise. */
function digits(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en');
  if (size >= 10) return value.toFixed(1);
  if (size >= 1) return value.toFixed(2);
  return Number(value.toPrecision(2)).toString();
}

/** "12.3 ms", "1.2 µs", "2.50 s". */
export function durationText(ms: number): string {
  const size = Math.abs(ms);
  if (size >= 10_000) return `${digits(ms / 1000)} s`;
  if (size > 0 && size < 0.01) return `${digits(ms * 1000)} µs`;
  return `${digits(ms)} ms`;
}

/** "49.6 per second". */
export function rateText(perSecond: number): string {
  return `${digits(perSecond)} per second`;
}

/** "6.55". Times of less than 0.1 ms double with the core that a process gets, so their ratio has one digit. */
export function ratioText(ratio: number, shorterMs: number = Infinity): string {
  return shorterMs < 0.1 ? Number(ratio.toPrecision(1)).toLocaleString('en') : digits(ratio);
}

/** "12 %"; `share` is 0 to 1. */
export function shareText(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

/** A count or a mean of counts. */
export function countText(count: number): string {
  return Number.isInteger(count) ? count.toLocaleString('en') : digits(count);
}

/** The sides of a benchmark in texts: the code before the fix, and after it. */
export const sideNames = { flagged: 'before', mended: 'after' } as const;
