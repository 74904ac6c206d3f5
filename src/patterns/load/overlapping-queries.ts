import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { LibraryValue } from '../../analysis/file/value.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import {
  bare,
  contains,
  dottedName,
  functionAround,
  type Node,
} from '../../analysis/syntax/ast.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import { variablesIn } from '../../analysis/syntax/mentions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { endsAt, startsAt } from '../../analysis/syntax/places.ts';
import { isOneByOne, isPipelined } from './false-parallelism.ts';

/** A query that is sent on one connection while an earlier one, for which nothing has waited, is under way. */
export interface OverlappingQuery {
  readonly query: Query;
  readonly earlier: Query;
}

interface Query {
  readonly call: TSESTree.CallExpression;
  readonly handle: LibraryValue;
  /** `client`, `this.client`. */
  readonly name: string;
}

/** `const first = client.query(a); const second = await client.query(b);` */
export function overlappingQueriesOf(file: FileFacts): readonly OverlappingQuery[] {
  const after = new Map<string, Query>();
  const found: OverlappingQuery[] = [];
  // From the last: what comes next on the connection is what was seen before.
  const queries = file.nodes.all('CallExpression').flatMap((it) => queryAt(file, it) ?? []);
  for (const earlier of queries.toSorted((a, b) => startsAt(b.call) - startsAt(a.call))) {
    const key = `${earlier.name} ${ownerOf(file, earlier)}`;
    const query = after.get(key);
    after.set(key, earlier);
    if (query && overlap(file, earlier, query)) found.push({ query, earlier });
  }
  return found.toReversed();
}

function ownerOf(file: FileFacts, { call }: Query): number {
  const fn = functionAround(call);
  return fn ? file.idOf(fn) : -1;
}

/** A query on one connection whose driver fails, or will, when the connection is busy. */
function queryAt(file: FileFacts, call: TSESTree.CallExpression): Query | undefined {
  const { callee } = call;
  // no veto: the shape of a method.
  if (callee.type !== 'MemberExpression') return undefined;
  const name = dottedName(callee.object);
  // no veto: the name distinguishes connections.
  if (name === undefined) return undefined;
  const handle = isOneByOne(file, callee.object);
  // veto: the driver queues queries of one connection, also in its next version
  if (!handle?.library.deprecatesQueue) return undefined;
  // veto: the call on the connection sends no statement
  if (libraryCallOf(file, call)?.signature.effect?.op !== 'sql') return undefined;
  // veto: the driver pipelines statements on this connection
  if (isPipelined(file, handle)) return undefined;
  return { call, handle, name };
}

/** Whether the later one is sent in the statements after the earlier one, which nothing has waited for until then. */
function overlap(file: FileFacts, earlier: Query, later: Query): boolean {
  const started = startedBy(file, earlier.call);
  // veto: the code waits for the query, hands its promise on, or sends it only under a condition
  if (!started) return false;
  // veto: the later query is not among the statements that follow
  if (!contains(started.block, later.call)) return false;
  // veto: a callback gets the answer, and the later query may follow it
  if (earlier.call.arguments.some((it) => isCallback(file, it))) return false;
  const from = endsAt(earlier.call);
  const isAwaited = later.call.parent.type === 'AwaitExpression';
  const to = startsAt(isAwaited ? later.call.parent : later.call);
  // veto: another await is between, so the earlier query may have ended
  if (/\bawait\b/.test(file.text.slice(from, to))) return false;
  const uses = started.promises.flatMap((it) => it.references.map((own) => own.identifier as Node));
  // veto: the code waits for the promise, or hands it on, before the later query
  return !uses.some((it) => startsAt(it) > from && startsAt(it) < to);
}

/** The statement of a query whose promise nothing waits for there. */
function startedBy(
  file: FileFacts,
  call: Node,
): { readonly block: Node; readonly promises: readonly Variable[] } | undefined {
  let { parent } = call;
  if (parent?.type === 'UnaryExpression' && parent.operator === 'void') parent = parent.parent;
  if (parent?.type === 'ExpressionStatement') return inBlock(parent.parent, []);
  // no veto: a call in a part of the declared value is not its promise.
  if (parent?.type !== 'VariableDeclarator' || bare(parent.init!) !== call) return undefined;
  return inBlock(parent.parent.parent, variablesIn(file, parent.id));
}

function inBlock(block: Node, promises: readonly Variable[]) {
  // veto: the query is the only statement of a branch, so it is sent under a condition
  if (!/^(?:BlockStatement|Program|SwitchCase)$/.test(block.type)) return undefined;
  return { block, promises };
}

/** A function, or a name that callbacks have. */
function isCallback(file: FileFacts, node: Node): boolean {
  if (valueOf(file, node).kind === 'function') return true;
  return node.type === 'Identifier' && /^(?:cb|callback|done|next)$/i.test(node.name);
}
