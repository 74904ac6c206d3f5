import { valueOf } from '../../analysis/provenance/value-of.ts';
import { bare, contains, type Node, propertyName } from '../../analysis/syntax/ast.ts';
import { conditionsOn } from '../../analysis/syntax/conditions.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { type Call, isCall } from '../../analysis/syntax/calls.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { libraryMember } from '../../analysis/provenance/library-values.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import type { LiveScope } from './live-scopes.ts';
import { type NestedWait, poolNodeIn } from './nested-checkouts.ts';
import { optionInsertion } from './option-insertion.ts';
import { rangeOf, type TextEdit } from '../../analysis/syntax/places.ts';
import type { LibraryValue, Value } from '../../analysis/file/value.ts';

/**
 * The edit that runs a query on the connection which is held already: `tx.user` in place of `prisma.user`, or
 * `{ transaction }` among its options. Undefined where the handle has no such method, or its name means something else.
 */
export function onHandleEdit(
  { file, kind, names, isWrapped, handle, call: taking, root }: LiveScope,
  { effect, chain }: NestedWait,
): TextEdit | undefined {
  const [name] = names;
  // veto: an object of the project wraps the connection, so Deadtime suggests no edit
  if (isWrapped) return undefined;
  const { node } = effect.at;
  if (!name || isPart(name) || chain.length > 1 || !isVisible(file, name, root, node))
    return undefined;
  // veto: a condition around the checkout does not cover the query, so Deadtime suggests no edit
  if (kind === 'manual' && isInOtherCase(taking, node, root)) return undefined;
  const call = bare(node.type === 'AwaitExpression' ? node.argument : node);
  if (!isCall(call)) return undefined;
  const library = libraryCallOf(file, call);
  if (library?.signature.acquires || library?.signature.callback?.scope) return undefined;
  const { options, optionsAt = 1 } = library?.signature.effect ?? {};
  const option = Object.entries(options ?? {}).find(([, meaning]) => meaning === 'handle')?.[0];
  if (option) {
    const property = option === name.name ? option : `${option}: ${name.name}`;
    return optionInsertion(file, call, optionsAt, property);
  }
  return receiverEdit(file, call, { handle, name: name.name });
}

/** `ship` of `async ({ ship }) => …`: what else the handle has, nobody can name there. */
function isPart({ defs: [definition] }: Variable): boolean {
  return definition?.type === 'Parameter' && !definition.node.params.includes(definition.name);
}

/** Whether the connection is taken in a case that is over where it is to be used. */
function isInOtherCase(taking: Node, use: Node, root: Node): boolean {
  return conditionsOn(taking, root).some((it) => it.kind !== 'exit' && !contains(it.node, use));
}

/** The name stands for the handle at `node`: it is declared around it, and by nothing else on the way. */
function isVisible(file: FileFacts, variable: Variable, root: Node, node: Node): boolean {
  if (!contains(variable.scope, node)) return false;
  return file.nodes.namedBetween(variable.name, ...rangeOf(root)).every((it) => {
    const named = file.variableOf(it);
    return !named || named === variable;
  });
}

function receiverEdit(
  file: FileFacts,
  call: Call,
  { handle, name }: { readonly handle: LibraryValue; readonly name: string },
): TextEdit | undefined {
  const pool = poolNodeIn(file, call);
  return pool && has(file, handle, pool) ? { range: rangeOf(pool), text: name } : undefined;
}

/** What is called on the pool, or the call of the pool itself, goes with the handle, too. */
function has(file: FileFacts, handle: LibraryValue, pool: Node): boolean {
  const { parent } = pool;
  if (parent?.type === 'CallExpression') return handle.type.call !== undefined;
  const method = parent?.type === 'MemberExpression' ? propertyName(parent) : undefined;
  if (method === undefined) return false;
  const [there, here] = [handle, valueOf(file, pool)].map((it) =>
    it.kind === 'library' ? libraryMember(it, method, { file, node: pool }) : undefined,
  );
  return there !== undefined && there.kind !== 'unknown' && tableAt(there) === tableAt(here);
}

/** Which argument says what is asked for: a repository knows it, a manager is told. */
function tableAt(method: Value | undefined): number | undefined {
  return method?.kind === 'callable' ? method.signature.effect?.key : undefined;
}
