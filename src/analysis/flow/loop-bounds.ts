import { enumNamed, numberOfMembers } from './enums.ts';
import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  functionAround,
  isLoop,
  isNamed,
  type Node,
  propertyName,
  rootOf,
} from '../syntax/ast.ts';
import { conditionsOn } from '../syntax/conditions.ts';
import { copiedBy } from '../syntax/elements.ts';
import type { FileFacts } from '../file/file.ts';
import { globalName } from '../syntax/global-names.ts';
import { FEW, lengthFilled, limitOfRows } from '../values/limited-rows.ts';
import type { Loop } from './loops.ts';
import type { Variable } from '../syntax/names.ts';
import { endsAt, startsAt } from '../syntax/places.ts';
import { constantAt, isGrowing, isTarget, spelledLists } from '../provenance/spelled-lists.ts';
import { quantityOf } from '../values/values.ts';

/** The most iterations of a loop, where literals and constants prove it. */
export function countOf(
  file: FileFacts,
  loop: Node,
  over: TSESTree.Expression | undefined,
): number | undefined {
  if (over) {
    const length = loop.type === 'ForInStatement' ? numberOfKeys(file, over) : undefined;
    return length ?? lengthOf(file, over) ?? lengthAsked(file, loop, over);
  }
  return loop.type === 'ForStatement' ? countedIterations(file, loop) : undefined;
}

/** `if (sides.length !== 2) throw …` before the loop, or `if (sides.length < 3)` around it. */
function lengthAsked(file: FileFacts, loop: Node, over: Node): number | undefined {
  const longest = conditionsOn(loop, functionAround(loop) ?? file.ast)
    .flatMap(({ test, holds }) => (test ? comparisonsIn(test, holds) : []))
    .flatMap(({ node, holds }) => {
      const of = bare(node.left);
      const isLength = of.type === 'MemberExpression' && propertyName(of) === 'length';
      const than = quantityOf(file, node.right).value;
      return isLength &&
        than !== undefined &&
        isSameList(file, of.object, over) &&
        !isChanged(file, over, of, loop)
        ? [longestBy(holds ? node.operator : OPPOSITES[node.operator], than)]
        : [];
    })
    .filter((it) => it !== undefined);
  return longest.length > 0 ? Math.min(...longest) : undefined;
}

function isSameList(file: FileFacts, a: Node, b: Node): boolean {
  return (
    file.textOf(bare(a)) === file.textOf(bare(b)) && variableIn(file, a) === variableIn(file, b)
  );
}

/** The variable that the list is, or is a part of. */
function variableIn(file: FileFacts, list: Node): Variable | undefined {
  const root = rootOf(list);
  return root.type === 'Identifier' ? file.variableOf(root) : undefined;
}

/** Whether the list is another, or has more in it, once the loop goes over it: `if (rows.length < 3) rows.push(...more())`. */
function isChanged(file: FileFacts, list: Node, test: Node, loop: Node): boolean {
  let last = loop;
  for (let it = loop.parent; it && startsAt(it) > startsAt(test); it = it.parent) {
    if (isLoop(it)) last = it;
  }
  const isBetween = (it: Node) => startsAt(it) > endsAt(test) && endsAt(it) <= endsAt(last);
  const { references = [] } = variableIn(file, list) ?? {};
  if (references.some((it) => it.isWrite() && isBetween(it.identifier))) return true;
  return file.nodes.all('MemberExpression').some((it) => {
    // no veto: what stands elsewhere changes nothing between the two.
    if (!isBetween(it)) return false;
    return (
      (isTarget(it) && isSameList(file, it, list)) ||
      (isGrowing(it) && isSameList(file, it.object, list))
    );
  });
}

const OPPOSITES: Readonly<Record<string, string>> = {
  '!==': '===',
  '!=': '==',
  '>': '<=',
  '>=': '<',
};

function longestBy(operator: string | undefined, than: number): number | undefined {
  if (operator === '<') return than - 1;
  return operator === '===' || operator === '==' || operator === '<=' ? than : undefined;
}

interface Comparison {
  readonly node: TSESTree.BinaryExpression;
  readonly holds: boolean;
}

/** What is sure to hold, or not to, where the whole test comes out so. */
function comparisonsIn(test: Node, holds: boolean): readonly Comparison[] {
  const it = bare(test);
  if (it.type === 'BinaryExpression') return [{ node: it, holds }];
  return it.type === 'LogicalExpression' && it.operator === (holds ? '&&' : '||')
    ? [it.left, it.right].flatMap((side) => comparisonsIn(side, holds))
    : [];
}

/** The number of elements of `[a, b]`, of a constant that is one, of the keys of an object that is written out, and of `xs.slice(0, 2)`. */
export function lengthOf(file: FileFacts, node: Node): number | undefined {
  const copied = copiedBy(node);
  if (copied) return lengthOfCopied(file, copied);
  const it = bare(node);
  switch (it.type) {
    case 'ArrayExpression':
      // An empty list is there to be filled, perhaps by a function that it is passed to.
      return it.elements.length === 0
        ? undefined
        : sumOf(it.elements.map((each) => lengthAt(file, each)));
    case 'AwaitExpression':
      return limitOfRows(file, it);
    case 'Identifier':
      return lengthOfConstant(file, it) ?? lengthFilled(file, it) ?? limitOfRows(file, it);
    case 'CallExpression':
      return lengthOfCall(file, it);
    case 'NewExpression': {
      const [list] = it.arguments;
      return list && /^(?:Set|Map)$/.test(globalName(it.callee) ?? '')
        ? lengthOf(file, list)
        : undefined;
    }
    case 'LogicalExpression':
      return longestOf(spelledLists(file, it));
    case 'MemberExpression':
      return (
        longestOf(spelledLists(file, it)) ?? lengthOfConstant(file, it) ?? limitOfRows(file, it)
      );
    default:
      return undefined;
  }
}

/** Two constants, or two files, may stand for each other. */
function lengthOfConstant(file: FileFacts, node: Node): number | undefined {
  const constant = constantAt(file, node);
  if (!constant) return undefined;
  const { file: from, node: init } = constant;
  return lengthOfInitialiser(from, init);
}

const lengthOfInitialiser = query(
  'length of a constant',
  (file: FileFacts, init: Node): number | undefined => lengthOf(file, init),
  { whileCyclic: undefined },
);

function lengthAt(file: FileFacts, element: TSESTree.ArrayExpression['elements'][number]) {
  return element?.type === 'SpreadElement' ? lengthOf(file, element.argument) : 1;
}

function sumOf(lengths: readonly (number | undefined)[]): number | undefined {
  return lengths.reduce(
    (sum, it) => (sum === undefined || it === undefined ? undefined : sum + it),
    0,
  );
}

/** Of `[...list]`, `Array.from(list)` and `Array.from({ length: 7 })`. */
function lengthOfCopied(file: FileFacts, list: Node): number | undefined {
  return lengthOf(file, list) ?? lengthMade(file, list);
}

/** Of `{ length: 7 }` */
function lengthMade(file: FileFacts, size: Node): number | undefined {
  const it = bare(size);
  const [only] = it.type === 'ObjectExpression' ? it.properties : [];
  return only?.type === 'Property' && propertyName(only) === 'length'
    ? quantityOf(file, only.value).value
    : undefined;
}

/** Whether the loop iterates over a list literal, or over a short list: that does not grow with the data. */
export function isOverTypedList(file: FileFacts, { node, over, bound }: Loop): boolean {
  if (bound === undefined) return false;
  const list = over ?? (node.type === 'ForStatement' ? countedList(node) : undefined);
  return list !== undefined && (bound <= FEW || isWrittenOut(file, list));
}

/** `rows` of `for (let i = 0; i < rows.length; i++)`. */
function countedList({ test }: TSESTree.ForStatement): Node | undefined {
  const to = test?.type === 'BinaryExpression' ? bare(test.right) : undefined;
  return to?.type === 'MemberExpression' && propertyName(to) === 'length' ? to.object : undefined;
}

/**
 * Whether the code contains the elements: `[a, b]`, the keys of an object literal or an enum, or a constant that is one of
 * these.
 */
export function isWrittenOut(file: FileFacts, node: Node): boolean {
  const copied = copiedBy(node);
  if (copied) return isWrittenOut(file, copied);
  const it = bare(node);
  switch (it.type) {
    case 'ArrayExpression':
      return (
        lengthOf(file, it) !== undefined &&
        it.elements.every(
          (each) => each?.type !== 'SpreadElement' || isWrittenOut(file, each.argument),
        )
      );
    case 'Identifier':
    case 'MemberExpression': {
      const constant = constantAt(file, it);
      return (
        !!constant && lengthOf(file, it) !== undefined && isWrittenOut(constant.file, constant.node)
      );
    }
    case 'NewExpression': {
      const [list] = it.arguments;
      return lengthOf(file, it) !== undefined && isWrittenOut(file, list!);
    }
    case 'CallExpression': {
      const callee = bare(it.callee);
      if (callee.type !== 'MemberExpression') return false;
      const [first] = it.arguments;
      if (isKeys(callee)) return !!first && isObjectOrEnum(file, first);
      return (
        /^(?:map|filter|entries|slice|concat|flat|sort|reverse)$/.test(
          propertyName(callee) ?? '',
        ) && isWrittenOut(file, callee.object)
      );
    }
    default:
      return false;
  }
}

function longestOf(lists: readonly TSESTree.ArrayExpression[] | undefined): number | undefined {
  const lengths = (lists ?? []).map((it) => it.elements.length);
  return lengths.length > 0 ? Math.max(...lengths) : undefined;
}

function lengthOfCall(file: FileFacts, call: TSESTree.CallExpression): number | undefined {
  const callee = bare(call.callee);
  if (callee.type === 'Identifier') return lengthGivenBy(file, callee);
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
  const method = callee.property.name;
  const [first, second] = call.arguments;
  if (first && isKeys(callee)) return numberOfKeys(file, first);
  if (method === 'slice' && first && second) {
    const from = quantityOf(file, first).value;
    const to = quantityOf(file, second).value;
    return from !== undefined && to !== undefined && from >= 0 && to >= 0
      ? Math.max(0, to - from)
      : undefined;
  }
  if (first && method === 'from' && isNamed(callee.object, 'Array')) {
    return lengthOfCopied(file, first);
  }
  if (first && method === 'split') return numberOfParts(callee.object, first);
  if (method === 'concat') {
    return sumOf([callee.object, ...call.arguments].map((it) => lengthOf(file, it)));
  }
  return SAME_OR_LESS.test(method) ? lengthOf(file, callee.object) : undefined;
}

const SAME_OR_LESS = /^(?:entries|filter|keys|map|reverse|sort|toReversed|toSorted|values)$/;

/** `'de,en,fr'.split(',')` */
function numberOfParts(text: Node, separator: Node): number | undefined {
  const [whole, by] = [bare(text), bare(separator)];
  if (whole.type !== 'Literal' || typeof whole.value !== 'string') return undefined;
  return by.type === 'Literal' && typeof by.value === 'string'
    ? whole.value.split(by.value).length
    : undefined;
}

/** Of the list that a function of the project writes out: all that it does is to return it. */
function lengthGivenBy(file: FileFacts, callee: TSESTree.Identifier): number | undefined {
  const fn = valueOf(file, callee);
  if (fn.kind !== 'function') return undefined;
  const body = bodyOf(fn.node);
  const [only, ...others] = body?.type === 'BlockStatement' ? body.body : [];
  const given = only?.type === 'ReturnStatement' && others.length === 0 ? only.argument : body;
  return given && bare(given).type === 'ArrayExpression' ? lengthOf(fn.file, given) : undefined;
}

/** `Object.keys`, `Object.values`, `Object.entries` */
export function isKeys(callee: TSESTree.MemberExpression): boolean {
  return (
    isNamed(callee.object, 'Object') && /^(?:keys|values|entries)$/.test(propertyName(callee) ?? '')
  );
}

function isObjectOrEnum(file: FileFacts, object: Node): boolean {
  return valueOf(file, object).kind === 'object' || enumNamed(file, object) !== undefined;
}

/** An object without keys is there to be filled; one with computed keys or a spread may have any number. */
function numberOfKeys(file: FileFacts, object: Node): number | undefined {
  const named = enumNamed(file, object);
  if (named) return numberOfMembers(named);
  const value = valueOf(file, object);
  if (value.kind !== 'object') return undefined;
  const { properties } = value.node;
  const isSpelled = properties.every((it) => it.type === 'Property' && !it.computed);
  const name = bare(object);
  const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
  const isFilled = variable?.references.some(({ identifier }) => isSet(identifier as Node));
  return properties.length > 0 && isSpelled && !isFilled ? properties.length : undefined;
}

/** `prices[currency] = 1` */
function isSet(name: Node): boolean {
  const { parent } = name;
  return (
    parent?.type === 'MemberExpression' &&
    parent.object === name &&
    parent.parent.type === 'AssignmentExpression' &&
    parent.parent.left === parent
  );
}

/** `for (let i = 0; i < 3; i++)`, up or down, where only the loop's head changes `i`. */
function countedIterations(file: FileFacts, loop: TSESTree.ForStatement): number | undefined {
  const { init, test, update } = loop;
  if (init?.type !== 'VariableDeclaration' || test?.type !== 'BinaryExpression') return undefined;
  const declarator = init.declarations.find((it) => isSameName(it.id, test.left));
  if (!declarator?.init || declarator.id.type !== 'Identifier') return undefined;
  const variable = file.variableOf(declarator.id);
  const step = stepOf(update, declarator.id.name);
  if (!variable || step === undefined) return undefined;
  if (variable.writes.length !== 1) return undefined;
  const from = quantityOf(file, declarator.init).value;
  const to = quantityOf(file, test.right).value ?? lengthRead(file, test.right);
  if (from === undefined || to === undefined) return undefined;
  const span = step > 0 ? to - from : from - to;
  const isClosed = test.operator === '<=' || test.operator === '>=';
  return Math.max(0, Math.ceil((span + (isClosed ? 1 : 0)) / Math.abs(step)));
}

/** `delays.length` of a list that is spelled out. */
function lengthRead(file: FileFacts, node: Node): number | undefined {
  const it = bare(node);
  return it.type === 'MemberExpression' && propertyName(it) === 'length'
    ? lengthOf(file, it.object)
    : undefined;
}

function isSameName(a: Node, b: Node): boolean {
  return a.type === 'Identifier' && b.type === 'Identifier' && a.name === b.name;
}

function stepOf(update: TSESTree.Expression | null, name: string): number | undefined {
  if (update?.type === 'UpdateExpression') {
    if (update.argument.type !== 'Identifier' || update.argument.name !== name) return undefined;
    return update.operator === '++' ? 1 : -1;
  }
  if (
    update?.type !== 'AssignmentExpression' ||
    update.left.type !== 'Identifier' ||
    update.left.name !== name ||
    update.right.type !== 'Literal' ||
    typeof update.right.value !== 'number'
  ) {
    return undefined;
  }
  if (update.operator === '+=') return update.right.value;
  return update.operator === '-=' ? -update.right.value : undefined;
}
