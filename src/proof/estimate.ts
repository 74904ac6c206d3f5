import { availableParallelism } from 'node:os';
import type { Evidence } from '../../rules/define-rule.ts';
import type { CaseTable } from './harness/messages.ts';
import { parametersFor, valuesOf } from './harness/parameters.ts';
import type { Estimate } from './result.ts';
import { table } from './table.ts';
import { ASSUMED_MS } from './timing.ts';

/** Runs nothing and reads no file; undefined where no benchmark takes the evidence. */
export function estimateOf(ruleId: string, evidence: Evidence): Estimate | undefined {
  for (const benchmark of (table as CaseTable)[ruleId] ?? []) {
    const code = benchmark.parametersOf(evidence);
    if (!code) continue;
    const parameters = parametersFor(benchmark.parameters, { code, evidence }, { maxSeconds: 5 });
    const machine = { cores: availableParallelism() };
    const prediction = benchmark.predict?.(valuesOf(parameters), machine);
    const { title, counts } = benchmark;
    return { title, prediction, counts, parameters, assumedMs: ASSUMED_MS };
  }
  return undefined;
}
