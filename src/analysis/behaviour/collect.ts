import { functionAround, isClass, isFunction, type Node, type NodeOf } from '../syntax/ast.ts';
import type { NodeType } from '../../engine/tree.ts';
import { isKept } from '../effects/cache-fills.ts';
import { awaitedEffect } from '../effects/effects.ts';
import { childrenThatRun } from '../effects/left-out-flags.ts';
import { settledEffects } from '../effects/settled-builders.ts';
import { isStartedOnce } from '../effects/started-once.ts';
import { isOpaque } from '../effects/unknown-calls.ts';
import { isLeftRunning } from '../flow/awaited.ts';
import { runsInline } from '../flow/inline-callbacks.ts';
import { addCall, addOpaque } from './calls.ts';
import { addEffect, addRead, addUnknownAt, addWrite, type Code } from './code.ts';
import { type Collected, nothingYet } from './collected.ts';

/** The behaviour of a piece of code, as seen from the function around it. */
export function collect(
  code: Pick<Code, 'file' | 'root' | 'scope' | 'view' | 'isCallee' | 'left' | 'behaviourOf'>,
): Collected {
  const found = nothingYet();
  const isPlain = { isCaught: false, isAnsweredOnce: false, isBeside: false };
  visit({ ...code, ...isPlain, found }, code.root);
  return found;
}

function visit(code: Code, node: Node): void {
  const { file, root, view, found } = code;
  // no veto: the answer is no already.
  if (found.unknown && view.extent === 'known') return;
  if (node !== root && (isClass(node) || (isFunction(node) && !runsInline(file, node)))) return;
  const visitor = visitors[node.type] as Visitor<Node> | undefined;
  // no veto: its parts have been visited.
  if (visitor?.(code, node) === 'whole') return;
  for (const effect of settledEffects(file, node)) addEffect(code, effect);
  addWrite(code, node);
  for (const child of childrenThatRun(file, node, view.flags)) visit(code, child);
}

/** Adds what a node does besides its parts; returns 'whole' where these add nothing more. */
type Visitor<T extends Node> = (code: Code, node: T) => 'whole' | void;

const visitors: { readonly [Type in NodeType]?: Visitor<NodeOf<Type>> } = {
  CallExpression: addCall,
  NewExpression: addCall,
  TaggedTemplateExpression: addCall,
  AwaitExpression(code, node) {
    const effect = awaitedEffect(code.file, node);
    if (effect) addEffect(code, effect);
    else if (isOpaque(code.file, node.argument) && !isStartedOnce(code.file, node.argument))
      addOpaque(code, node.argument, node);
  },
  ForOfStatement(code, node) {
    if (node.await) addUnknownAt(code, node);
  },
  YieldExpression: addUnknownAt,
  AssignmentExpression(code, node) {
    // no veto: all within is answered once.
    if (code.isAnsweredOnce) return;
    if (!isKept(code.file, node)) return;
    visit({ ...code, isAnsweredOnce: true }, node.right);
    visit(code, node.left);
    addWrite(code, node);
    return 'whole';
  },
  ExpressionStatement(code, node) {
    // no veto: what is around it is left running already.
    if (code.isBeside) return;
    if (!isLeftRunning(code.file, node, code.root)) return;
    visit({ ...code, isBeside: true, isCaught: true }, node.expression);
    return 'whole';
  },
  ReturnStatement({ left }, node) {
    if (left && functionAround(node) === left) return 'whole';
  },
  ThrowStatement({ found, isCaught }) {
    if (!isCaught) found.mayVeto = true;
  },
  TryStatement(code, { block, handler, finalizer }) {
    visit({ ...code, isCaught: code.isCaught || handler !== null }, block);
    // What a catch clause throws is the failure that was under way, not a decision about data.
    if (handler) visit({ ...code, isCaught: true }, handler.body);
    if (finalizer) visit(code, finalizer);
    return 'whole';
  },
  MemberExpression(code, node) {
    if (node.object.type === 'ThisExpression') addRead(code, node);
  },
  ThisExpression(code, node) {
    if (node.parent.type !== 'MemberExpression') addRead(code, node);
  },
  Identifier: addRead,
};
