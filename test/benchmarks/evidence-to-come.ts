import type { RuleId } from '../../benchmarks/case.ts';
import type { PoolEvidence } from '../../benchmarks/require-pool-limits.ts';
import type { Evidence } from '../../rules/define-rule.ts';

const pools: readonly PoolEvidence[] = [
  { variant: 'unsized', driver: 'pg', max: 10 },
  { variant: 'over-limit', driver: 'pg', max: 20, workers: 8, serverMax: 100 },
  { variant: 'idle-churn', driver: 'pg' },
  { variant: 'validate-on-borrow', driver: 'mssql' },
  { variant: 'no-error-listener', driver: 'pg' },
];

/** What the findings of rules that are still to be written will hold: each goes when its rule's fixtures say the same. */
export const evidenceToCome: readonly (readonly [RuleId, Evidence])[] = [
  ...pools.map((it) => ['require-pool-limits', it] as const),
];
