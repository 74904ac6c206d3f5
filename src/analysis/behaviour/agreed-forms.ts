import { type Forms, formsOfMember } from '../provenance/abstract-members.ts';
import type { Value } from '../file/value.ts';
import type { Code } from './code.ts';
import { type Behaviour, waitedFor } from './collected.ts';

/**
 * The methods that a call through an interface or an abstract class may run, if all of them are resolved and have the same
 * effects outside: other code decides which of them runs.
 */
export function agreedForms({ view, behaviourOf }: Code, callee: Value): Forms | undefined {
  if (callee.kind !== 'declared' || !callee.member) return undefined;
  const forms = formsOfMember(callee.member);
  if (!forms) return undefined;
  const known = { extent: 'known', declared: view.declared } as const;
  const does = new Set(forms.of.map((it) => kindOf(waitedFor(behaviourOf(it, known)))));
  return does.size === 1 && !does.has(undefined) ? forms : undefined;
}

/** Undefined where it may do anything. */
function kindOf({ unknown, effects }: Behaviour): string | undefined {
  // no veto: what the forms do is then unresolved in the caller as well.
  if (unknown) return undefined;
  const kinds = effects.map(({ env, op, memo }) => `${env} ${op} ${memo}`);
  return [...new Set(kinds)].sort().join();
}
