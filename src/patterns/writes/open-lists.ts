import type { TSESTree } from '@typescript-eslint/utils';
import { ownPaceOf } from '../../analysis/contexts/contexts.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Place } from '../../analysis/file/place.ts';
import { holdsAwait } from '../../analysis/flow/awaited.ts';
import { distantUsesOf } from '../../analysis/provenance/distant-uses.ts';
import { callsOf } from '../../analysis/provenance/function-uses.ts';
import { optionalPartAt } from '../../analysis/provenance/given-parts.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { type FunctionNode, type Node, walkOwn } from '../../analysis/syntax/ast.ts';
import { isCall } from '../../analysis/syntax/calls.ts';
import type { Definition } from '../../analysis/syntax/scopes.ts';
import { isWholeAnswer } from '../../analysis/values/limited-rows.ts';

/** What decides how long a list is, where the code sets no limit: the sender of a request, a file, or the rows of a table. */
export type Opening = 'request' | 'file' | 'query';

/** Callers and values further away than this are not followed. */
const FARTHEST = 4;

/** Undefined where the code limits the list, or where its origin is unresolved. */
export function openingOf(file: FileFacts, list: Node, distance = 0): Opening | undefined {
  // no veto: most lists come from near by.
  if (distance > FARTHEST) return undefined;
  if (isWholeAnswer(file, list)) return 'query';
  if (holdsAwait(list)) return readsFile(file, list) ? 'file' : undefined;
  for (const name of namesIn(list)) {
    const definition = file.variableOf(name)?.defs[0];
    const opening = definition && openingOfDefinition(file, name, definition, distance);
    if (opening) return opening;
  }
  return undefined;
}

function namesIn(node: Node): readonly TSESTree.Identifier[] {
  const names: TSESTree.Identifier[] = [];
  walkOwn(node, (it) => {
    if (it.type === 'Identifier') names.push(it);
  });
  return names;
}

function openingOfDefinition(
  file: FileFacts,
  name: Node,
  definition: Definition,
  distance: number,
): Opening | undefined {
  if (definition.type === 'Variable') {
    const { init } = definition.node;
    return init ? openingOf(file, init, distance + 1) : undefined;
  }
  // no veto: what else a name stands for is no list.
  if (definition.type !== 'Parameter') return undefined;
  const fn = definition.node as FunctionNode;
  if (ownPaceOf(file, fn) === 'per-request') return 'request';
  const index = optionalPartAt(file, name)?.index;
  // no veto: the name is a part that no call spells out.
  if (index === undefined) return undefined;
  const given = argumentsAt(file, fn, index).map((it) => openingOf(it.file, it.node, distance + 1));
  return given.find((it) => it !== undefined);
}

/** What the calls of a function give for a parameter. */
function argumentsAt(file: FileFacts, fn: FunctionNode, index: number): readonly Place[] {
  const here = callsOf(file, fn).map((node) => ({ file, node }));
  const elsewhere = distantUsesOf(file, fn).flatMap(({ file: user, node }) => {
    const call = node.parent;
    return call?.type === 'CallExpression' && call.callee === node
      ? [{ file: user, node: call }]
      : [];
  });
  return [...here, ...elsewhere].flatMap(({ file: user, node }) => {
    const argument = node.arguments[index];
    return argument ? [{ file: user, node: argument }] : [];
  });
}

/** `JSON.parse(await readFile(path, 'utf8'))` */
function readsFile(file: FileFacts, value: Node): boolean {
  let reads = false;
  walkOwn(value, (it) => {
    const effect = isCall(it) ? libraryCallOf(file, it)?.signature.effect : undefined;
    reads ||= effect?.env === 'fs' && effect.op === 'read';
  });
  return reads;
}
