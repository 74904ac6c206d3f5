import type { Call } from '../syntax/calls.ts';
import { isOneOf } from '../provenance/named-calls.ts';

/** What a project says of calls that nobody can follow, by their names: `catalog.find` or `find`. */
export interface DeclaredCalls {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export const NOTHING_DECLARED: DeclaredCalls = { reads: [], writes: [] };

/** Undefined when the project says nothing; a call that is said to be both writes. */
export function declaredOperation(
  call: Call,
  { reads, writes }: DeclaredCalls,
): 'read' | 'write' | undefined {
  if (isOneOf(call, writes)) return 'write';
  return isOneOf(call, reads) ? 'read' : undefined;
}

/** For memories that depend on it. */
export function keyOfDeclared({ reads, writes }: DeclaredCalls): string {
  return reads.length + writes.length === 0 ? '' : JSON.stringify([reads, writes]);
}
