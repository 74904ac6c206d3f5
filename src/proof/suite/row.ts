import type { Lab } from './lab.ts';
import type { Figure, SuiteRow } from './result.ts';

/** One published claim, and how it is tried here. */
export interface Row extends Pick<SuiteRow, 'number' | 'ruleId' | 'claim' | 'published'> {
  /** Throws `NotMeasured` where there is no answer. */
  measure(lab: Lab): Promise<Pick<SuiteRow, 'figures' | 'verdict' | 'reason' | 'command'>>;
}

export function figure(
  name: string,
  unit: Figure['unit'],
  measured: number,
  published?: number,
): Figure {
  const known = published === undefined ? {} : { published, ratio: measured / published };
  return { name, unit, measured, ...known };
}

/** Whether every figure that was published came out within `most` of it: 1.25 is a quarter more or less. */
export function areWithin(figures: readonly Figure[], most: number): boolean {
  return figures.every(({ ratio }) => ratio === undefined || (ratio <= most && ratio >= 1 / most));
}

/** "24×": two digits are what such ratios repeat to. */
export function times(ratio: number): string {
  return `${Number(ratio.toPrecision(2))}×`;
}

/** "1.1 ms". */
export function inMs(ms: number): string {
  return `${Number(ms.toPrecision(2))} ms`;
}
