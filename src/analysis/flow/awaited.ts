import { valueOf } from '../provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  functionAround,
  type FunctionNode,
  isFunction,
  type Node,
  propertyName,
  undefaulted,
  walkOwn,
} from '../syntax/ast.ts';
import { isSpreadUpTo } from '../syntax/calls.ts';
import { query } from '../../engine/query.ts';
import type { FileFacts } from '../file/file.ts';
import type { BuilderStep } from '../model/schema.ts';
import { mentionsSome, variablesIn } from '../syntax/mentions.ts';
import type { Variable } from '../syntax/names.ts';
import { takesObservables } from './observables.ts';
import { returnsPlainValue } from '../provenance/plain-results.ts';
import { alternativesOf } from '../file/value.ts';

/** Whether the code around a call waits for its promise, directly or through `Promise.all`, `then`, a variable or `return`. */
export function isAwaited(file: FileFacts, call: Node): boolean {
  let it: Node = call;
  for (let parent = it.parent; parent; it = parent, parent = it.parent) {
    switch (parent.type) {
      case 'AwaitExpression':
      case 'ReturnStatement':
      case 'YieldExpression':
        return true;
      case 'ArrowFunctionExpression':
        return bodyOf(parent) === it;
      case 'ChainExpression':
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion':
      case 'ArrayExpression':
      case 'SpreadElement':
        continue;
      case 'ConditionalExpression':
        if (parent.test === it) return false;
        continue;
      case 'LogicalExpression':
        continue;
      case 'CallExpression':
        // An argument of Promise.all is awaited with it, and one that a function of the project waits for.
        if (settlesArgument(file, parent, it)) continue;
        return isPutIntoCombined(file, parent);
      case 'MemberExpression': {
        const method = propertyName(parent);
        const chained =
          parent.object === it && /^(?:then|catch|finally|pipe|toPromise)$/.test(method ?? '');
        // no veto: nothing but links is read off a promise, or off an observable.
        if (!chained) return false;
        parent = parent.parent;
        continue;
      }
      case 'VariableDeclarator': {
        if (parent.id.type !== 'Identifier') return false;
        const variable = file.variableOf(parent.id);
        return (
          variable?.references.some(
            (reference) => !reference.init && isWaitedFor(file, reference.identifier as Node),
          ) ?? false
        );
      }
      default:
        return false;
    }
  }
  return false;
}

/** `Promise.all([load()])`, and `manyRows(load())` where `manyRows` waits for what it is given, or hands it on. */
function settlesArgument(file: FileFacts, call: TSESTree.CallExpression, argument: Node): boolean {
  if (isPromiseCombinator(file, call.callee)) return true;
  return settlesGiven(file, call, argument);
}

/** The same of a function of the project. */
export function settlesGiven(
  file: FileFacts,
  call: TSESTree.CallExpression,
  argument: Node,
): boolean {
  const index = call.arguments.indexOf(argument as TSESTree.CallExpressionArgument);
  // no veto: what is spread is given somewhere.
  if (index === -1 || isSpreadUpTo(call.arguments, index)) return false;
  const values = alternativesOf(valueOf(file, bare(call.callee)));
  return values.every((it) => it.kind === 'function' && settlesParameter(it.file, it.node, index));
}

const settlesParameter = query(
  'settles a parameter',
  (file: FileFacts, fn: FunctionNode, index: number): boolean => {
    const parameter = fn.params[index];
    const name = parameter && undefaulted(parameter);
    const variable = name?.type === 'Identifier' ? file.variableOf(name) : undefined;
    return (
      variable?.references.some(
        ({ identifier }) =>
          functionAround(identifier as Node) === fn && isAwaited(file, identifier as Node),
      ) ?? false
    );
  },
  { whileCyclic: false },
);

/** `jobs.push(load(id))`, with `await Promise.all(jobs)` somewhere. */
function isPutIntoCombined(file: FileFacts, call: TSESTree.CallExpression): boolean {
  return combinationsOf(file, call).length > 0;
}

/** Where the list that a promise is put into by the call is waited for. */
function combinationsOf(file: FileFacts, { callee }: TSESTree.CallExpression): readonly Node[] {
  // no veto: other methods of lists are given no promises.
  if (callee.type !== 'MemberExpression' || !/^(?:push|unshift)$/.test(propertyName(callee) ?? ''))
    return [];
  const list = bare(callee.object);
  const variable = list.type === 'Identifier' ? file.variableOf(list) : undefined;
  return (variable?.references ?? [])
    .map(({ identifier }) => identifier as Node)
    .filter((it) => isCombined(file, it));
}

/** Whether the promise of a call goes into a list that is waited for only outside of `root`: when that is done. */
export function isLeftForLater(file: FileFacts, call: Node, root: Node): boolean {
  for (let it = call.parent; it && it !== root && !isFunction(it); it = it.parent) {
    if (it.type !== 'CallExpression') continue;
    const places = combinationsOf(file, it);
    if (places.length > 0) return !places.some((place) => contains(root, place));
  }
  return false;
}

/** `load().then(keep);` and `void load();`: no code waits for what they start, unless it returns a response. */
export function isLeftRunning(
  file: FileFacts,
  { expression }: TSESTree.ExpressionStatement,
  root: Node,
): boolean {
  const it = bare(expression);
  const isChain = it.type === 'CallExpression' && isLink(it);
  if (!isChain && !(it.type === 'UnaryExpression' && it.operator === 'void')) return false;
  // veto: the promise chain answers the caller later, through a callback or a deferred promise
  if (
    mentionsSome(
      file,
      it,
      (variable, name) =>
        !variable.identifiers.some((own) => contains(it, own)) && isAnswer(file, variable, name),
    )
  )
    return false;
  return root.parent?.type !== 'NewExpression';
}

/** `load().then(…)` */
function isLink({ callee }: TSESTree.CallExpression): boolean {
  const it = bare(callee);
  return it.type === 'MemberExpression' && /^(?:then|catch|finally)$/.test(propertyName(it) ?? '');
}

/** `done(null, it)` and `.catch(done)` of a parameter, `.then(deferred.resolve)` before `return deferred.promise`. */
function isAnswer(file: FileFacts, variable: Variable, name: TSESTree.Identifier): boolean {
  const [definition] = variable.defs;
  if (definition?.type === 'Parameter') return isCalledLater(name);
  // no veto: what is known to all functions is nobody's answer.
  if (definition?.type !== 'Variable' || !functionAround(definition.node)) return false;
  const isMember = name.parent.type === 'MemberExpression' && name.parent.object === name;
  // `const { promise, resolve } = Promise.withResolvers()` gives back the one and calls the other.
  const given = isMember ? [variable] : variablesIn(file, definition.node.id);
  return (
    isCalledLater(isMember ? name.parent : name) &&
    given.some((it) => it.references.some(({ identifier }) => isWaitedFor(file, identifier)))
  );
}

/** It is called, or what a promise calls in the end. */
function isCalledLater(node: Node): boolean {
  const { parent } = node;
  return parent?.type === 'CallExpression' && (parent.callee === node || isLink(parent));
}

function isWaitedFor(file: FileFacts, reference: Node): boolean {
  for (let it: Node = reference, parent = it.parent; parent; it = parent, parent = it.parent) {
    if (parent.type === 'AwaitExpression') return true;
    if (parent.type === 'ReturnStatement') return true;
    if (parent.type === 'CallExpression') return settlesArgument(file, parent, it);
    if (isFunction(parent)) return false;
  }
  return false;
}

/** Whether the promises that a call returns are awaited together: `Promise.all(rows.map(save))`, also through a variable. */
export function isCombined(file: FileFacts, call: Node, seen = new Set<Node>()): boolean {
  // no veto: a list that holds itself.
  if (seen.has(call)) return false;
  seen.add(call);
  let it = call;
  while (it.parent && (bare(it.parent) !== it.parent || it.parent.type === 'SpreadElement')) {
    it = it.parent;
  }
  const { parent } = it;
  if (parent?.type === 'ArrayExpression') return isCombined(file, parent, seen);
  if (parent?.type === 'CallExpression') return isPromiseCombinator(file, parent.callee);
  const variable =
    parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
      ? file.variableOf(parent.id)
      : undefined;
  return (
    variable?.references.some(
      ({ init, identifier }) => !init && isCombined(file, identifier as Node, seen),
    ) ?? false
  );
}

/**
 * Which code waits for the result of a call: the code around it, or the callers of the function that returns it; undefined
 * where none does, so that an unresolved call counts as computation.
 */
export function waiterOf(file: FileFacts, call: Node): 'code' | 'caller' | undefined {
  const fn = functionAround(call);
  if (fn && isLentStatement(file, fn)) return 'code';
  if (!isAwaited(file, call)) return undefined;
  if (!fn || fn.async) return 'code';
  if (returnsPlainValue(file, fn)) return undefined;
  // Without `await` in it, it can only hand a promise on.
  const { parent } = fn;
  if (parent?.type === 'NewExpression') return 'code';
  if (parent?.type !== 'CallExpression') return 'caller';
  if (bare(parent.callee) === fn) return waiterOf(file, parent);
  if (isPartOfStatement(file, parent)) return undefined;
  const callee = bare(parent.callee);
  const method = callee.type === 'MemberExpression' ? (propertyName(callee) ?? '') : '';
  // `rows.map((row) => toItem(row))` gives items, unless somebody awaits them as promises.
  if (/^(?:map|flatMap)$/.test(method)) return isCombined(file, parent) ? 'code' : undefined;
  return TESTS.test(method) ? undefined : 'code';
}

/** `modify((statement) => { statement.delete(); })`: what is called on it becomes part of the statement, which somebody awaits. */
function isLentStatement(file: FileFacts, { parent }: FunctionNode): boolean {
  return parent?.type === 'CallExpression' && stepsOf(file, parent).some((it) => it?.lends);
}

/** `where((group) => group.where(…).orWhere(…))`: the function makes a part of the statement. */
function isPartOfStatement(file: FileFacts, call: TSESTree.CallExpression): boolean {
  return stepsOf(file, call).every((it) => it);
}

/** What a call makes of the statement that it is called on; undefined where it may be something else. */
function stepsOf(
  file: FileFacts,
  { callee }: TSESTree.CallExpression,
): readonly (BuilderStep | undefined)[] {
  return alternativesOf(valueOf(file, callee)).map((it) =>
    it.kind === 'callable' &&
    it.receiver?.type.role === 'builder' &&
    !it.signature.effect &&
    !it.signature.callback
      ? (it.signature.step ?? {})
      : undefined,
  );
}

/** Methods that look at what their callback gives, or drop it, and do not wait for it. */
const TESTS =
  /^(?:filter|find|findIndex|findLast|findLastIndex|some|every|forEach|replace|replaceAll|sort|toSorted)$/;

/** `Promise.all`, and what makes a promise of an observable. */
function isPromiseCombinator(file: FileFacts, callee: Node): boolean {
  if (takesObservables(file, callee)) return true;
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Promise' &&
    /^(?:all|allSettled|race|any|resolve)$/.test(propertyName(callee) ?? '')
  );
}

export function holdsAwait(node: Node): boolean {
  let found = false;
  walkOwn(node, (it) => {
    if (it.type === 'AwaitExpression') found = true;
  });
  return found;
}
