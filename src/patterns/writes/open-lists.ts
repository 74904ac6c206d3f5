import type { TSESTree } from '@typescript-eslint/utils';
import { ownPaceOf } from '../../analysis/contexts/contexts.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { optionalPartAt } from '../../analysis/provenance/given-parts.ts';
import { makingsOf } from '../../analysis/provenance/makings.ts';
import { bare, type FunctionNode, type Node } from '../../analysis/syntax/ast.ts';
import { isCall } from '../../analysis/syntax/calls.ts';
import { isWholeAnswer } from '../../analysis/values/limited-rows.ts';
import { query } from '../../engine/query.ts';

/** What decides how long a list is, where the code sets no limit: the sender of a request, a file, or the rows of a table. */
export type Opening = 'request' | 'file' | 'query';

/** Callers and values further away than this are not followed. */
const FARTHEST = 4;

/** Undefined where the code limits the list, or where its origin is unresolved. */
export function openingOf(file: FileFacts, list: Node): Opening | undefined {
  return openingAt(file, list, { distance: 0, isPart: false, isSent: false });
}

interface Way {
  readonly distance: number;
  /** A member of what is looked at is the list: of an answer, that is no longer all of its rows. */
  readonly isPart: boolean;
  /** It is from the body or the address of a request. */
  readonly isSent: boolean;
}

function openingAt(file: FileFacts, node: Node, way: Way): Opening | undefined {
  // no veto: most lists come from near by.
  if (way.distance > FARTHEST) return undefined;
  if (!way.isPart && isWholeAnswer(file, node)) return 'query';
  const it = bare(node);
  switch (it.type) {
    case 'Identifier':
      return openingOfName(file, it, way);
    case 'AwaitExpression':
      return readsFile(file, it.argument) ? 'file' : undefined;
    case 'LogicalExpression':
      return openingAt(file, it.left, way);
    case 'MemberExpression': {
      const isSent = way.isSent || /\.(?:body|query|Records|detail)$/.test(file.textOf(it));
      return openingAt(file, it.object, { ...way, isSent, isPart: true });
    }
    case 'CallExpression': {
      const { callee } = it;
      const isMethod =
        callee.type === 'MemberExpression' && !/^JSON$/.test(file.textOf(callee.object));
      const inner = isMethod ? callee.object : it.arguments[0];
      return inner && openingAt(file, inner, way);
    }
    default:
      return undefined;
  }
}

function openingOfName(file: FileFacts, name: TSESTree.Identifier, way: Way): Opening | undefined {
  const definition = file.variableOf(name)?.defs[0];
  if (definition?.type === 'Variable') {
    const { id, init } = definition.node;
    const isPart = way.isPart || id.type !== 'Identifier';
    return init ? openingAt(file, init, { ...way, isPart, distance: way.distance + 1 }) : undefined;
  }
  // no veto: what else a name stands for is no list.
  if (definition?.type !== 'Parameter') return undefined;
  const fn = definition.node as FunctionNode;
  if (ownPaceOf(file, fn) === 'per-request')
    return way.isSent || isDecorated(definition.name) ? 'request' : undefined;
  const index = optionalPartAt(file, name)?.index;
  // no veto: the name is a part that no call spells out.
  return index === undefined ? undefined : openingOfParameter(file, fn, index, keyOf(way));
}

/** `@Body() dto: CreateOrders` */
function isDecorated(name: Node): boolean {
  const { decorators = [] } = name as { readonly decorators?: readonly Node[] };
  return decorators.length > 0;
}

function keyOf({ distance, isPart, isSent }: Way): string {
  return `${distance} ${isPart} ${isSent}`;
}

/** Of what the calls of a function give for a parameter, the first with an opening. */
const openingOfParameter = query(
  'opening of a parameter',
  (file: FileFacts, fn: FunctionNode, index: number, key: string): Opening | undefined => {
    const [distance, isPart, isSent] = key.split(' ');
    const way = {
      distance: Number(distance) + 1,
      isPart: isPart === 'true',
      isSent: isSent === 'true',
    };
    for (const making of makingsOf(file, fn)) {
      const argument = making.node.arguments[index];
      const opening = argument && openingAt(making.file, argument, way);
      if (opening) return opening;
    }
    return undefined;
  },
  { whileCyclic: undefined },
);

/** `readFile(path, 'utf8')` */
function readsFile(file: FileFacts, value: Node): boolean {
  const it = bare(value);
  const effect = isCall(it) ? libraryCallOf(file, it)?.signature.effect : undefined;
  return effect?.env === 'fs' && effect.op === 'read';
}
