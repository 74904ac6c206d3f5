import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { dottedName, isFunction, type Node, walkOwn, type FunctionNode } from '../syntax/ast.ts';
import { isProcessExit } from '../syntax/conditions.ts';
import type { FileFacts } from '../file/file.ts';

const LOGGED =
  /(?:^|\.)(?:console|\w*log(?:ger)?(?:\(\))?)\.(?:debug|info|warn|error|err|log|trace|verbose)$/i;
const CLOCK = /^(?:Date\.now|performance\.now|process\.hrtime(?:\.bigint)?)$/;

/** Whether a call can throw as far as its reader is concerned: logging, clocks and the end of the process do not. */
export function isFailing(node: TSESTree.CallExpression): boolean {
  return !isLogging(node) && !isProcessExit(node) && !CLOCK.test(dottedName(node.callee) ?? '');
}

export function isLogging(node: TSESTree.CallExpression): boolean {
  return LOGGED.test(dottedName(node.callee) ?? '');
}

/** A call that never returns: the process ends, or a function of the project that only throws. */
export function isEnding(
  file: FileFacts,
  node: TSESTree.CallExpression,
): { readonly end: 'process' | 'throw' } | undefined {
  if (isProcessExit(node)) return { end: 'process' };
  return node.callee.type === 'Identifier' ? endOfCallee(file, node.callee) : undefined;
}

/** The same of `this.fail(…)`, where its result is unused: a subclass may have a method that returns one. */
export function isRefusal(file: FileFacts, node: TSESTree.CallExpression): boolean {
  if (node.parent.type !== 'ExpressionStatement') return false;
  return endOfCallee(file, node.callee)?.end === 'throw';
}

function endOfCallee(file: FileFacts, node: Node): ReturnType<typeof endOf> {
  const callee = valueOf(file, node);
  if (callee.kind !== 'function') return undefined;
  return endOfFunction(callee.file, callee.node);
}

const endOfFunction = query(
  'end of a function',
  (_: FileFacts, fn: FunctionNode): ReturnType<typeof endOf> => endOf(fn),
  { whileCyclic: undefined },
);

function endOf(fn: Node): { readonly end: 'process' | 'throw' } | undefined {
  const body = isFunction(fn) && !fn.async ? bodyOf(fn) : undefined;
  if (body?.type !== 'BlockStatement') return undefined;
  const last = body.body.at(-1);
  const end =
    last?.type === 'ThrowStatement'
      ? 'throw'
      : last?.type === 'ExpressionStatement' && isProcessExit(last.expression)
        ? 'process'
        : undefined;
  if (!end) return undefined;
  let returns = false;
  walkOwn(body, (it) => {
    if (it.type === 'ReturnStatement') returns = true;
  });
  return returns ? undefined : { end };
}
