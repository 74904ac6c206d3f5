import { bodyOf } from '../../engine/tracked-tree.ts';
import { functionAround, type FunctionNode, type Node } from '../syntax/ast.ts';
import { contextOf } from './contexts.ts';
import { isExported } from '../provenance/exports.ts';
import type { FileFacts } from '../file/file.ts';
import { loopAround } from '../flow/loops.ts';

/**
 * How much a wait matters: 'hot' once per request, job or element; 'once' at start; `beside` where many runs of the same code
 * wait concurrently, so that the pool is the limit and not the wait.
 */
export type Importance = 'hot' | 'usual' | 'once' | 'beside';

export function importanceOf(file: FileFacts, node: Node): Importance {
  if (isBeside(file, node)) return 'beside';
  const loop = loopAround(file, node);
  if (loop?.over) return 'hot';
  switch (contextOf(file, node)) {
    case 'per-item':
    case 'per-job':
    case 'per-request':
      return 'hot';
    case 'startup':
      return 'once';
    default:
      return 'usual';
  }
}

/** In the callback of `rows.map(async …)`, or in a function of which all uses in its file are such callbacks. */
function isBeside(file: FileFacts, node: Node): boolean {
  const fn = functionAround(node);
  if (!fn) return false;
  return isElementCallback(file, bodyOf(fn) ?? fn) || isOnlyCalledBeside(file, fn);
}

function isElementCallback(file: FileFacts, node: Node): boolean {
  for (let loop = loopAround(file, node); loop; loop = loop.outer) {
    if (loop.kind === 'elements' && (loop.bound === undefined || loop.bound > 3)) return true;
  }
  return false;
}

function isOnlyCalledBeside(file: FileFacts, fn: FunctionNode): boolean {
  const name = fn.type === 'FunctionDeclaration' ? fn.id : undefined;
  const variable = name && file.variableOf(name);
  if (!variable || isExported(fn)) return false;
  const uses = variable.references.map((it) => it.identifier as Node);
  return uses.length > 0 && uses.every((it) => isPassedToMap(it) || isCalledBeside(file, it));
}

/** `orders.map(priced)`. */
function isPassedToMap(use: Node): boolean {
  const call = use.parent;
  if (call?.type !== 'CallExpression') return false;
  const { callee } = call;
  return (
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'map'
  );
}

function isCalledBeside(file: FileFacts, use: Node): boolean {
  const call = use.parent;
  return call?.type === 'CallExpression' && call.callee === use && isElementCallback(file, call);
}
