import { bare, isFunction, type Node, propertyName } from './ast.ts';
import type { FileFacts } from './file.ts';

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
        return parent.body === it;
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
        // An argument of Promise.all is awaited with it; of any other call, it is that call's affair.
        if (isPromiseCombinator(parent.callee)) continue;
        return false;
      case 'MemberExpression': {
        const method = propertyName(parent);
        const chained = parent.object === it && /^(?:then|catch|finally)$/.test(method ?? '');
        if (!chained) return false;
        parent = parent.parent;
        continue;
      }
      case 'VariableDeclarator': {
        if (parent.id.type !== 'Identifier') return false;
        const variable = file.variableOf(parent.id);
        return (
          variable?.references.some(
            (reference) => !reference.init && isWaitedFor(reference.identifier as Node),
          ) ?? false
        );
      }
      default:
        return false;
    }
  }
  return false;
}

function isWaitedFor(reference: Node): boolean {
  for (let it: Node = reference, parent = it.parent; parent; it = parent, parent = it.parent) {
    if (parent.type === 'AwaitExpression') return true;
    if (parent.type === 'ReturnStatement') return true;
    if (parent.type === 'CallExpression') return isPromiseCombinator(parent.callee);
    if (isFunction(parent)) return false;
  }
  return false;
}

/** Whether the promises that a call gives are waited for together: `Promise.all(rows.map(save))`, also by way of a variable. */
export function isCombined(file: FileFacts, call: Node): boolean {
  let it = call;
  while (it.parent && (bare(it.parent) !== it.parent || it.parent.type === 'SpreadElement')) {
    it = it.parent;
  }
  const { parent } = it;
  if (parent?.type === 'ArrayExpression') return isCombined(file, parent);
  if (parent?.type === 'CallExpression') return isPromiseCombinator(parent.callee);
  const variable =
    parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
      ? file.variableOf(parent.id)
      : undefined;
  return (
    variable?.references.some(
      ({ init, identifier }) => !init && isCombined(file, identifier as Node),
    ) ?? false
  );
}

function isPromiseCombinator(callee: Node): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Promise' &&
    /^(?:all|allSettled|race|any|resolve)$/.test(propertyName(callee) ?? '')
  );
}
