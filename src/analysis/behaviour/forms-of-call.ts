import type { Effect } from '../effects/effects.ts';
import type { Handle } from '../effects/handles.ts';
import { withoutWait } from '../effects/unbound.ts';
import { type Forms, formsOfMember } from '../provenance/abstract-members.ts';
import type { FunctionValue, Value } from '../file/value.ts';
import type { Code } from './code.ts';
import { type Behaviour, waitedFor } from './collected.ts';

/** Forms of which a call runs one. */
export interface FormsOfCall extends Forms {
  /** The one whose effects stand for those of all that may be given: it acquires no connection for them. */
  readonly leading?: FunctionValue | undefined;
  /** They have the same effects outside; else what the call waits for is open, and whether it waits at all. */
  readonly areAlike: boolean;
}

/** The methods that a call through an interface or an abstract class may run, if all of them are resolved: other code decides which. */
export function formsOfCall(
  { view, behaviourOf }: Pick<Code, 'view' | 'behaviourOf'>,
  callee: Value,
): FormsOfCall | undefined {
  if (callee.kind !== 'declared' || !callee.member) return undefined;
  const forms = formsOfMember(callee.member);
  if (!forms) return undefined;
  const known = { extent: 'known', declared: view.declared } as const;
  const does = new Set(forms.of.map((it) => kindOf(behaviourOf(it, known))));
  // no veto: what the forms do is then unresolved in the caller as well.
  if (does.has(undefined)) return undefined;
  const areAlike = does.size === 1;
  const takesNone = (it: FunctionValue) =>
    waitedFor(behaviourOf(it, known)).effects.every(({ op }) => op !== 'sync');
  const leading =
    areAlike && forms.isForConnections ? (forms.of.find(takesNone) ?? forms.of[0]) : undefined;
  return { ...forms, areAlike, leading };
}

/** Undefined where it may do anything; what it is given to call is the caller's to resolve. */
function kindOf(behaviour: Behaviour): string | undefined {
  const { parameterCalls } = behaviour;
  const { unknown, effects } = waitedFor({ ...behaviour, parameterCalls: [] });
  // no veto: what the forms do is then unresolved in the caller as well.
  if (unknown) return undefined;
  // One may also take a connection for what the other sends on one that it has.
  const asked = new Set(effects.filter((it) => it.op !== 'sync').map((it) => it.env));
  const kinds = [
    ...effects
      .filter((it) => it.op !== 'sync' || !asked.has(it.env))
      .map(({ env, op, memo }) => `${env} ${op} ${memo}`),
    ...parameterCalls.map(({ index, member, method }) => `${index} ${member} ${method}`),
  ];
  return [...new Set(kinds)].sort().join();
}

/** The effect of one form, as the call through all of them has it. */
export function throughForms(
  effect: Effect,
  { isForConnections, areAlike }: FormsOfCall,
  { isRemembered }: FunctionValue,
  handle: Handle,
): Effect {
  const bound = isForConnections ? { ...effect, handle } : effect;
  const seen = areAlike ? bound : withoutWait(bound);
  if (!isRemembered) return seen;
  return { ...seen, isRemembered: true, memo: seen.memo || isRemembered === 'always' };
}
