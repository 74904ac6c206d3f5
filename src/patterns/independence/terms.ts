import { type DeclaredCalls, keyOfDeclared } from '../../analysis/effects/declared-calls.ts';

/** The declarations of a project about its own code, for this question. */
export interface IndependenceTerms {
  readonly declared: DeclaredCalls;
  /** Further verbs with which the names of guards start. */
  readonly guardVerbs: readonly string[];
  /** A pool with a proved size of one connection answers one query at a time. */
  readonly isPoolAware: boolean;
}

/** A key for caches that depend on the terms. */
export function keyOfTerms({ declared, guardVerbs, isPoolAware }: IndependenceTerms): string {
  return `${keyOfDeclared(declared)} ${guardVerbs.join()} ${isPoolAware}`;
}
