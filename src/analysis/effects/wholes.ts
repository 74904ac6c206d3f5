import type { TSESTree } from '@typescript-eslint/utils';
import type { Definition } from '../syntax/scopes.ts';
import {
  bare,
  contains,
  dottedName,
  isFunction,
  isNamed,
  type Node,
  propertyName,
  rootOf,
} from '../syntax/ast.ts';
import { copiedBy, mappingOf } from '../syntax/elements.ts';
import type { FileFacts } from '../file/file.ts';
import { returnedExpressions } from '../syntax/calls.ts';
import type { Variable } from '../syntax/names.ts';

/**
 * An object, and the expressions of whose objects it is a part, or the same under another name: of `group` in
 * `for (const group of form.groups)` also `form.groups`, and what that is a part of.
 */
export function wholesOf(file: FileFacts, object: Node): readonly Node[] {
  const found: Node[] = [];
  const seen = new Set<Variable>();
  const add = (it: Node, isPart: boolean): void => {
    for (const holder of holdersOf(it, isPart)) {
      found.push(holder.node);
      const root = rootOf(holder.node);
      const variable = root.type === 'Identifier' ? file.variableOf(root) : undefined;
      // no veto: nothing more is known of it, or it has been looked at.
      if (!variable || seen.has(variable)) continue;
      seen.add(variable);
      const sources = sourcesOf(variable.defs[0], holder.isInside || root !== holder.node);
      for (const source of sources) add(source.node, source.isInside);
    }
  };
  add(object, false);
  return found;
}

/** An expression, and whether only a part of its object is meant. */
interface Holder {
  readonly node: Node;
  readonly isInside: boolean;
}

/** What the variable is given, where that is an object of somebody else's: an initial value, a list it goes through, or one whose method calls its function. */
function sourcesOf(definition: Definition | undefined, isInside: boolean): readonly Holder[] {
  if (definition?.type === 'Variable') {
    const { init, parent } = definition.node;
    if (init) return [{ node: init, isInside: isInside || definition.name !== definition.node.id }];
    const loop = parent?.parent;
    return loop?.type === 'ForOfStatement' ? [{ node: loop.right, isInside: true }] : [];
  }
  if (definition?.type !== 'Parameter') return [];
  const fn = definition.node;
  const call = fn.parent;
  if (call?.type !== 'CallExpression') return [];
  return givenTo(call, fn, definition.name).map((node) => ({ node, isInside: true }));
}

/** `groups.forEach((group) => …)`, `each(groups, (group) => …)`; the sum of `reduce` is what that begins with. */
function givenTo(call: TSESTree.CallExpression, fn: Node, name: Node): readonly Node[] {
  const callee = bare(call.callee);
  const others = call.arguments.filter((it) => it !== fn);
  if (callee.type !== 'MemberExpression') return others;
  const isSum =
    /^reduce(?:Right)?$/.test(propertyName(callee) ?? '') &&
    isFunction(fn) &&
    fn.params[0] !== undefined &&
    contains(fn.params[0], name);
  return isSum ? others : [callee.object, ...others];
}

/** What gives one of the elements, or the list itself. */
const ELEMENTS = /^(?:find|findLast|at|get|shift|pop|sort|reverse)$/;
/** What gives another list of the same elements. */
const LISTS = /^(?:filter|slice|splice|concat|flat|toSorted|toReversed|values|entries)$/;

/** The expressions whose objects the value of one may be, or be a part of: `form.groups` of `form.groups.find(…) ?? other`. */
function holdersOf(expression: Node, isInside: boolean): readonly Holder[] {
  const it = bare(expression);
  switch (it.type) {
    case 'Identifier':
    case 'ThisExpression':
      return [{ node: it, isInside }];
    case 'MemberExpression': {
      const isCalled = rootOf(it).type === 'CallExpression';
      return isCalled ? holdersOf(it.object, true) : [{ node: it, isInside }];
    }
    case 'LogicalExpression':
      return [...holdersOf(it.left, isInside), ...holdersOf(it.right, isInside)];
    case 'ConditionalExpression':
      return [...holdersOf(it.consequent, isInside), ...holdersOf(it.alternate, isInside)];
    case 'ArrayExpression':
      return isInside ? it.elements.flatMap((element) => holdersOfElement(element)) : [];
    case 'NewExpression': {
      const [elements] = isInside && isCollection(it) ? it.arguments : [];
      return holdersOfElement(elements ?? null);
    }
    case 'CallExpression':
      return holdersOfCall(it, isInside);
    default:
      return [];
  }
}

/** What a list that is written out has of others: `[form.first, ...form.groups]`. */
function holdersOfElement(
  element: TSESTree.Expression | TSESTree.SpreadElement | null,
): readonly Holder[] {
  if (!element) return [];
  return holdersOf(element.type === 'SpreadElement' ? element.argument : element, true);
}

/** `new Map(groups.map((it) => [it.name, it]))` */
function isCollection({ callee }: TSESTree.NewExpression): boolean {
  return isNamed(callee, 'Map') || isNamed(callee, 'Set');
}

function holdersOfCall(call: TSESTree.CallExpression, isInside: boolean): readonly Holder[] {
  const callee = bare(call.callee);
  if (callee.type !== 'MemberExpression') return [];
  const name = propertyName(callee) ?? '';
  if (ELEMENTS.test(name)) return holdersOf(callee.object, true);
  // veto: the call returns a new list, so a change of that list changes no shared object
  if (!isInside) return [];
  const copied = copiedBy(call) ?? (isPartsOf(callee) ? call.arguments[0] : undefined);
  if (copied) return holdersOf(copied, true);
  if (LISTS.test(name)) return holdersOf(callee.object, true);
  const fn = mappingOf(call)?.fn;
  return fn && isFunction(fn) ? returnedExpressions(fn).flatMap((it) => holdersOf(it, true)) : [];
}

/** `Object.values(groups)`, `Object.entries(groups)` */
function isPartsOf(callee: Node): boolean {
  return /^Object\.(?:values|entries)$/.test(dottedName(callee) ?? '');
}
