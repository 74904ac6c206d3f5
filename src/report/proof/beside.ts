import type { Estimate } from '../../proof/result.ts';
import type { Problem } from '../../scan/problem.ts';
import { estimateLines } from '../hover.ts';
import { visible } from '../visible.ts';

/** The cost of a finding by its formula, next to the measured cost. */
export interface Beside {
  readonly estimated: string;
  /** What a run came to, or why there was none. */
  readonly measured: string;
}

export function besideOf(estimate: Estimate | undefined, measured: string): Beside {
  const [sides = 'no formula for this form'] = estimate ? estimateLines(estimate) : [];
  return { estimated: sides, measured };
}

/** `place` is "src/worker.ts:41". */
export function besideText(
  { finding }: Problem,
  place: string,
  { estimated, measured }: Beside,
): string {
  return [
    visible(`${place}  ${finding.ruleId}`),
    `  Estimated  ${estimated}`,
    `  Measured   ${measured}`,
    '',
  ].join('\n');
}
