import { formsOfMember } from '../provenance/abstract-members.ts';
import { type Behaviour, knownBehaviourOfFunction } from './behaviour.ts';
import type { DeclaredCalls } from '../effects/declared-calls.ts';
import type { FunctionValue, Value } from '../file/value.ts';

/**
 * The methods that a call through an interface or an abstract class may run, if all of them are resolved and have the same
 * effects outside: other code decides which of them runs.
 */
export function agreedForms(
  callee: Value,
  declared: DeclaredCalls,
): readonly FunctionValue[] | undefined {
  if (callee.kind !== 'declared' || !callee.member) return undefined;
  const forms = formsOfMember(callee.member);
  if (!forms) return undefined;
  const does = new Set(forms.map((it) => kindOf(knownBehaviourOfFunction(it, declared))));
  return does.size === 1 && !does.has(undefined) ? forms : undefined;
}

/** Undefined where it may do anything. */
function kindOf(behaviour: Behaviour | undefined): string | undefined {
  const kinds = behaviour?.effects.map(({ env, op, memo }) => `${env} ${op} ${memo}`);
  return kinds && [...new Set(kinds)].sort().join();
}
