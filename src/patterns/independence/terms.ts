import { type DeclaredCalls, keyOfDeclared } from '../../analysis/effects/declared-calls.ts';

/** What a project says of its own code, for this question. */
export interface IndependenceTerms {
  readonly declared: DeclaredCalls;
  /** Further verbs with which the names of guards start. */
  readonly guardVerbs: readonly string[];
  /** A pool that is known to hold one connection answers one question after another. */
  readonly isPoolAware: boolean;
}

/** For memories that depend on the terms. */
export function keyOfTerms({ declared, guardVerbs, isPoolAware }: IndependenceTerms): string {
  return `${keyOfDeclared(declared)} ${guardVerbs.join()} ${isPoolAware}`;
}
