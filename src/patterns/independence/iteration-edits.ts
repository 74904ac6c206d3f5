import { valueOf } from '../../analysis/provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node, propertyName, walkOwn } from '../../analysis/syntax/ast.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { awaitedBy } from '../../analysis/flow/given-waits.ts';
import type { IndependentIterations } from './iterations.ts';
import { iterationOf } from '../../analysis/loops/iteration-variables.ts';
import { holdsAwait } from '../../analysis/flow/awaited.ts';
import { indentAt, rangeOf, startsAt, type TextEdit } from '../../analysis/syntax/places.ts';

/** A loop as the parts of a call that runs its body for every element. */
export interface LoopRewrite {
  readonly range: readonly [number, number];
  /** An array, or text that makes one. */
  readonly over: string;
  readonly variable: string;
  /** `async (user) => { … }` */
  readonly callback: string;
  readonly indent: string;
}

/** Undefined where the body would mean something else as a function, or where an array would get another order. */
export function rewriteOf(
  file: FileFacts,
  { loop }: IndependentIterations,
): LoopRewrite | undefined {
  const { node } = loop;
  // `if (hosts) for (…) …` and a labelled loop have no place for a declaration.
  if (node.type !== 'ForOfStatement' || !/^(?:BlockStatement|Program)$/.test(node.parent.type)) {
    return undefined;
  }
  const { left, body } = node;
  // A `var` is there after the loop, too, and a resource is given back after each iteration.
  if (left.type !== 'VariableDeclaration' || !/^(?:const|let)$/.test(left.kind)) return undefined;
  if (jumps(body)) return undefined;
  const { kept } = iterationOf(file, loop);
  if (kept.some(isOrdered) || accumulates(body)) return undefined;
  const indent = indentAt(file, startsAt(node));
  const variable = file.textOf(left.declarations[0]!.id);
  const text = file.textOf(body);
  return {
    range: rangeOf(node),
    over: arrayText(file, node.right),
    variable,
    callback: `async (${variable}) => ${body.type === 'BlockStatement' ? text : `{ ${text} }`}`,
    indent,
  };
}

/** `continue` and its like mean nothing in a function; a labelled one has nowhere to go. */
function jumps(body: Node): boolean {
  let found = false;
  walkOwn(body, (it) => {
    if (/^(?:Continue|Break|Return)Statement$/.test(it.type)) found = true;
  });
  return found;
}

/** The elements come in the order in which the calls end. */
function isOrdered(change: Node): boolean {
  const callee = change.type === 'CallExpression' ? bare(change.callee) : undefined;
  return (
    callee?.type === 'MemberExpression' &&
    /^(?:push|unshift|splice|append|add)$/.test(propertyName(callee) ?? '')
  );
}

/** `sum += await f(x)` reads the sum before it waits: side by side, all but one addition are lost. */
function accumulates(body: Node): boolean {
  let found = false;
  walkOwn(body, (it) => {
    if (it.type === 'AssignmentExpression' && it.operator !== '=' && holdsAwait(it.right))
      found = true;
  });
  return found;
}

const ARRAY_METHODS = /^(?:map|filter|slice|concat|flat|flatMap|sort|keys|values|entries)$/;

function arrayText(file: FileFacts, over: TSESTree.Expression): string {
  const it = bare(over);
  const text = file.textOf(over);
  if (it.type === 'ArrayExpression') return it === over ? text : `(${text})`;
  if (it.type === 'CallExpression') {
    const callee = bare(it.callee);
    const isArray = callee.type === 'MemberExpression' && ARRAY_METHODS.test(propertyName(callee)!);
    if (isArray && !isIterator(file, callee)) return text;
  }
  return valueOf(file, over).kind === 'array' ? text : `Array.from(${text})`;
}

/** `map.keys()` is no array, `Object.keys(map)` is one. */
function isIterator(file: FileFacts, callee: TSESTree.MemberExpression): boolean {
  return (
    /^(?:keys|values|entries)$/.test(propertyName(callee) ?? '') &&
    file.textOf(callee.object) !== 'Object'
  );
}

/** The query for all elements as a comment above the loop, for calls whose key is spelled out. */
export function batchComment(
  file: FileFacts,
  { loop, first }: IndependentIterations,
): TextEdit | undefined {
  const { node } = loop;
  const call = bare(awaitedBy(first));
  if (node.type !== 'ForOfStatement' || call.type !== 'CallExpression') return undefined;
  const [declaration] = node.left.type === 'VariableDeclaration' ? node.left.declarations : [];
  if (declaration?.id.type !== 'Identifier') return undefined;
  const lines = bulkLines(file, call, declaration.id.name, file.textOf(node.right));
  const indent = indentAt(file, startsAt(node));
  return (
    lines && {
      range: [startsAt(node), startsAt(node)],
      text: lines.map((it) => `// ${it}\n${indent}`).join(''),
    }
  );
}

function bulkLines(
  file: FileFacts,
  call: TSESTree.CallExpression,
  element: string,
  list: string,
): readonly string[] | undefined {
  const library = libraryCallOf(file, call);
  const callee = bare(call.callee);
  const [argument] = call.arguments;
  if (!library || callee.type !== 'MemberExpression' || !argument) return undefined;
  if (call.arguments.length > 1) return undefined;
  const receiver = file.textOf(callee.object);
  const key = (node: Node): string | undefined => {
    const text = file.textOf(node);
    if (text === element) return list;
    return text.startsWith(`${element}.`) ? `${list}.map((${element}) => ${text})` : undefined;
  };
  switch (library.callee.name) {
    case 'findUnique': {
      const [column, value] = onlyKey(argument) ?? [];
      const keys = value && key(value);
      return keys && column
        ? foundBy(column, `${receiver}.findMany({ where: { ${column}: { in: ${keys} } } })`)
        : undefined;
    }
    case 'findByPk': {
      const keys = key(argument);
      return keys === undefined
        ? undefined
        : foundBy('id', `${receiver}.findAll({ where: { id: ${keys} } })`);
    }
    default: {
      const { listMethod } = library.signature;
      const keys = listMethod === undefined ? undefined : key(argument);
      return keys ? [`const values = await ${receiver}.${listMethod}(${keys});`] : undefined;
    }
  }
}

function foundBy(column: string, query: string): readonly string[] {
  return [
    `const found = await ${query};`,
    `const foundBy = new Map(found.map((it) => [it.${column}, it]));`,
  ];
}

/** `{ where: { id } }` with nothing else in it. */
function onlyKey(argument: Node): readonly [column: string, value: Node] | undefined {
  const where = onlyProperty(argument);
  if (where?.name !== 'where') return undefined;
  const key = onlyProperty(where.value);
  return key && [key.name, key.value];
}

function onlyProperty(node: Node): { readonly name: string; readonly value: Node } | undefined {
  if (node.type !== 'ObjectExpression' || node.properties.length !== 1) return undefined;
  const [property] = node.properties;
  const name = property?.type === 'Property' ? propertyName(property) : undefined;
  return name !== undefined && property?.type === 'Property'
    ? { name, value: property.value }
    : undefined;
}
