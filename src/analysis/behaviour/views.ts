import { type DeclaredCalls, keyOfDeclared, NOTHING_DECLARED } from '../effects/declared-calls.ts';
import { type Flags, keyOfFlags } from '../effects/left-out-flags.ts';

/** The question about the behaviour of code. */
export interface View {
  /** `known` stops at the first unresolved call; what it has found by then is no result. */
  readonly extent: 'whole' | 'known';
  readonly declared: DeclaredCalls;
  /** The flags of the called function. */
  readonly flags?: Flags;
}

export const WHOLE: View = { extent: 'whole', declared: NOTHING_DECLARED };

export function keyOfView({ extent, declared, flags }: View): string {
  return `${extent}${keyOfDeclared(declared)}${keyOfFlags(flags)}`;
}
