import { assumptionsIn } from '../analysis/behaviour/assumptions.ts';
import { factsOf } from '../analysis/facts.ts';
import type { Source } from '../analysis/file/source.ts';
import type { Finding } from '../../rules/define-rule.ts';
import { unitAround } from './fingerprint.ts';
import { nodeFinder } from './node-finder.ts';

/**
 * The findings with the recorded facts that they may rest on: those that the function around each uses, and that are not
 * confirmed. Such a finding is likely, and not certain.
 */
export function withAssumptions(source: Source, findings: readonly Finding[]): readonly Finding[] {
  if (!source.modules?.declarations?.(source.path)?.hasAssumptions) return findings;
  const nodeAt = nodeFinder(source.ast);
  return findings.map((finding): Finding => {
    const [assumed, ...others] = assumptionsIn(factsOf(source), unitAround(nodeAt(finding.range)));
    if (assumed === undefined) return finding;
    const { confidence, evidence } = finding;
    return {
      ...finding,
      confidence: confidence === 'audit' ? confidence : 'medium',
      evidence: { ...evidence, assumed: [assumed, ...others].join(', and ') },
    };
  });
}
