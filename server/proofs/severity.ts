import type { Severity } from '../../rules/define-rule.ts';
import type { ProofState } from '../protocol.ts';

/** What these find loses connections: it is wrong however fast the machine is. */
const correctness: ReadonlySet<string> = new Set(['no-leaked-connection']);

/**
 * The severity of a finding after its measurement on this machine: a proof raises information to a warning, a refutation lowers
 * a finding about cost to a hint.
 */
export function severityAfter(
  { ruleId, severity }: { readonly ruleId: string; readonly severity: Severity },
  state: ProofState,
): Severity {
  if (state === 'proven') return severity === 'information' ? 'warning' : severity;
  if (state === 'not-reproduced') return correctness.has(ruleId) ? severity : 'hint';
  return severity;
}
