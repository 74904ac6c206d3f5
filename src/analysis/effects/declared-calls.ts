import type { Call } from '../syntax/calls.ts';
import { isOneOf } from '../provenance/named-calls.ts';

/** A project's declarations about calls that are unresolved, by their names: `catalog.find` or `find`. */
export interface DeclaredCalls {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Whether other unresolved calls that are named like reads count as reads: presumed-reads.ts. */
  readonly presumesReads?: true;
}

export const NOTHING_DECLARED: DeclaredCalls = { reads: [], writes: [] };

/** Undefined without a declaration; a call that is declared as both writes. */
export function declaredOperation(
  call: Call,
  { reads, writes }: DeclaredCalls,
): 'read' | 'write' | undefined {
  if (isOneOf(call, writes)) return 'write';
  return isOneOf(call, reads) ? 'read' : undefined;
}

/** A key for caches that depend on it. */
export function keyOfDeclared({ reads, writes, presumesReads }: DeclaredCalls): string {
  const names = reads.length + writes.length === 0 ? '' : JSON.stringify([reads, writes]);
  return presumesReads ? `${names}?` : names;
}
