import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import { argumentsOf, type Call } from '../../analysis/syntax/calls.ts';
import type { Node } from '../../analysis/syntax/ast.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { awaited, type LibraryValue } from '../../analysis/file/value.ts';
import { opensNothing } from '../../analysis/values/pool-limits.ts';

/** A connection or a pool, and the call of a library that opens it. */
export interface Opened {
  readonly made: { readonly file: FileFacts; readonly call: Call };
  readonly handle: LibraryValue;
}

/** What a call of a library opens. */
export function openedByLibrary(file: FileFacts, call: Call): Opened | undefined {
  const handle = awaited(valueOf(file, call));
  if (handle.kind !== 'library') return undefined;
  return isOpened(file, call, handle) ? { made: { file, call }, handle } : undefined;
}

/** A pool, or a client with a pool inside: made once a process. */
export function isPool({ type }: LibraryValue): boolean {
  return type.role === 'pool' || type.isWhole === true;
}

/** No pool lends it, and it is not the shared one. */
export function isOpened(file: FileFacts, call: Call, handle: LibraryValue): boolean {
  const { type } = handle;
  const { callee, signature } = libraryCallOf(file, call) ?? {};
  // veto: the call is a method of an existing pool or connection, so it opens no new connection
  if (callee?.receiver?.type.role) return false;
  // veto: the driver shares one pool or connection, which each such call returns
  if (signature?.isShared) return false;
  // veto: the query builder has no server: it only builds statements
  if (opensNothing(handle)) return false;
  // veto: the call opens a file, so no server has to accept a connection
  if (type.isFile) return false;
  // veto: such a connection is meant to end with the request that it serves
  if (type.isBrief) return false;
  // veto: the call receives an existing connection and opens none
  if (type.isConnected && argumentsOf(call).some((it) => holdsHandle(file, it))) return false;
  if (type.role === 'client' || type.isConnected || isPool(handle)) return true;
  return (
    type.role === 'connection' &&
    signature?.opensWithOptions === true &&
    argumentsOf(call).some((it) => valueOf(file, it).kind === 'object')
  );
}

/** `{ connection: redis }` */
function holdsHandle(file: FileFacts, argument: Node): boolean {
  if (argument.type === 'ObjectExpression')
    return argument.properties.some((it) => it.type === 'Property' && holdsHandle(file, it.value));
  const given = valueOf(file, argument);
  return given.kind === 'library' && given.type.role !== undefined;
}
