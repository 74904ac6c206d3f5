import type { Estimate } from '../../benchmarks/result.ts';
import type { Problem } from '../../scan/problem.ts';
import { estimateLines } from '../hover.ts';

export interface Beside {
  readonly problem: Problem;
  /** "src/worker.ts:41" */
  readonly place: string;
  readonly estimate: Estimate | undefined;
  /** What a run came to, or why there was none. */
  readonly measured: string;
}

/** What a finding should cost by its formula, above what it cost here. */
export function besideText({ problem, place, estimate, measured }: Beside): string {
  const [sides = 'no formula for this form'] = estimate ? estimateLines(estimate) : [];
  return [
    `${place}  ${problem.finding.ruleId}`,
    `  Estimated  ${sides}`,
    `  Measured   ${measured}`,
    '',
  ].join('\n');
}
