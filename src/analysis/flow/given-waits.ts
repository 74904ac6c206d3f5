import type { TSESTree } from '@typescript-eslint/utils';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { bare, type FunctionNode, isFunction, type Node, walkOwn } from '../syntax/ast.ts';

/** An `await`, or a call whose promise a function without `async` hands back to what runs it, which awaits that. */
export type Wait = TSESTree.AwaitExpression | TSESTree.CallExpression;

/** What is waited for. */
export function awaitedBy(wait: Wait): TSESTree.Expression {
  return wait.type === 'AwaitExpression' ? wait.argument : wait;
}

/** The waits of an iteration and of the loops in it, in source order. */
export function waitsIn({
  body,
  kind,
}: {
  readonly body: Node;
  readonly kind: string;
}): readonly Wait[] {
  const found: Wait[] = [];
  walkOwn(body, (it) => {
    if (it.type === 'AwaitExpression') found.push(it);
  });
  const fn = body.parent;
  const isRun = kind === 'series' || kind === 'repeated';
  return isRun && isFunction(fn) ? [...found, ...handedBackBy(fn)] : found;
}

/** `(order) => save(order)`: what a function without `async` hands back to the function that runs it. */
export function handedBackBy(fn: FunctionNode): readonly TSESTree.CallExpression[] {
  // no veto: an async function waits itself, and a generator hands back no promise.
  if (fn.async || fn.generator) return [];
  const body = bodyOf(fn);
  const found: Node[] = [];
  if (body?.type !== 'BlockStatement') found.push(body!);
  else
    walkOwn(body, (it) => {
      if (it.type === 'ReturnStatement' && it.argument) found.push(it.argument);
    });
  return found.map(bare).filter((it) => it.type === 'CallExpression');
}
