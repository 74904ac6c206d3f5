import type { TSESTree } from '@typescript-eslint/utils';
import { isLoop, type LoopNode, type Node } from '../syntax/ast.ts';
import {
  type Builder,
  connect,
  failingStep,
  isFull,
  joint,
  type MutableStep,
  resumeAt,
  type Scope,
  step,
} from './builder.ts';
import { adopt } from './callbacks.ts';
import { condition, expression } from './expressions.ts';

export function block(builder: Builder, statements: readonly Node[]): void {
  for (const it of statements) statement(builder, it);
}

export function statement(builder: Builder, node: Node): void {
  // no veto: the graph is thrown away
  if (isFull(builder)) return;
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      return block(builder, node.body);
    case 'ExpressionStatement':
      return expression(builder, node.expression);
    case 'VariableDeclaration':
      return declaration(builder, node);
    case 'IfStatement':
      return ifStatement(builder, node);
    case 'ReturnStatement':
      if (node.argument) {
        expression(builder, node.argument);
        adopt(builder, node.argument);
      }
      step(builder, 'return', node, { value: node.argument ?? undefined });
      return leave(builder, (it) => (it.kind === 'function' ? it.returnTo : undefined));
    case 'ThrowStatement':
      expression(builder, node.argument);
      failingStep(builder, 'expression', node);
      builder.current = [];
      return;
    case 'BreakStatement':
    case 'ContinueStatement':
      return jump(builder, node);
    case 'TryStatement':
      return tryStatement(builder, node);
    case 'SwitchStatement':
      return switchStatement(builder, node);
    case 'LabeledStatement':
      return labelled(builder, node);
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      if (node.declaration) statement(builder, node.declaration);
      return;
    case 'ClassDeclaration':
      return expression(builder, node);
    case 'FunctionDeclaration':
    case 'EmptyStatement':
    case 'DebuggerStatement':
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return;
    default:
      if (isLoop(node)) return loop(builder, node, []);
      if (!node.type.startsWith('TS')) expression(builder, node);
  }
}

function declaration(builder: Builder, node: TSESTree.VariableDeclaration): void {
  for (const declarator of node.declarations) {
    if (declarator.init) expression(builder, declarator.init);
    step(builder, 'expression', declarator);
  }
}

function ifStatement(builder: Builder, node: TSESTree.IfStatement): void {
  const { yes, no } = condition(builder, node.test);
  builder.current = yes;
  statement(builder, node.consequent);
  const after = builder.current;
  builder.current = no;
  if (node.alternate) statement(builder, node.alternate);
  builder.current = [...after, ...builder.current];
}

function loop(builder: Builder, node: LoopNode, labels: readonly string[]): void {
  if (node.type === 'ForStatement' && node.init) {
    if (node.init.type === 'VariableDeclaration') declaration(builder, node.init);
    else expression(builder, node.init);
  }
  if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') {
    expression(builder, node.right);
  }
  const head = joint(builder);
  const again = joint(builder);
  const after = joint(builder);
  const outer = builder.scope;
  builder.scope = { kind: 'target', labels, breakTo: after, continueTo: again, outer };
  resumeAt(builder, head);
  if (node.type === 'DoWhileStatement') {
    statement(builder, node.body);
    resumeAt(builder, again);
    const { yes, no } = condition(builder, node.test);
    connect(yes, head);
    builder.current = no;
  } else {
    const no = loopHead(builder, node);
    statement(builder, node.body);
    resumeAt(builder, again);
    if (node.type === 'ForStatement' && node.update) expression(builder, node.update);
    connect(builder.current, head);
    builder.current = no;
  }
  builder.scope = outer;
  resumeAt(builder, after);
}

/** What decides on another round; the edges that leave the loop are returned. */
function loopHead(
  builder: Builder,
  node: Exclude<LoopNode, TSESTree.DoWhileStatement>,
): Builder['current'] {
  if (node.type === 'WhileStatement' || node.type === 'ForStatement') {
    if (!node.test) return [];
    const { yes, no } = condition(builder, node.test);
    builder.current = yes;
    return no;
  }
  const head =
    node.type === 'ForOfStatement' && node.await
      ? failingStep(builder, 'test', node)
      : step(builder, 'test', node);
  builder.current = [{ from: head, kind: 'true' }];
  step(builder, 'bind', node.left);
  return [{ from: head, kind: 'false' }];
}

function labelled(builder: Builder, node: TSESTree.LabeledStatement): void {
  const labels = [node.label.name];
  let body: Node = node.body;
  for (; body.type === 'LabeledStatement'; body = body.body) labels.push(body.label.name);
  if (isLoop(body)) return loop(builder, body, labels);
  const after = joint(builder);
  const outer = builder.scope;
  builder.scope = { kind: 'target', labels, breakTo: after, continueTo: undefined, outer };
  statement(builder, body);
  builder.scope = outer;
  resumeAt(builder, after);
}

function switchStatement(builder: Builder, node: TSESTree.SwitchStatement): void {
  expression(builder, node.discriminant);
  const after = joint(builder);
  const outer = builder.scope;
  const bodies = node.cases.map(() => joint(builder));
  for (const [i, it] of node.cases.entries()) {
    if (!it.test) continue;
    expression(builder, it.test);
    const test = step(builder, 'test', it);
    connect([{ from: test, kind: 'true' }], bodies[i]!);
    builder.current = [{ from: test, kind: 'false' }];
  }
  const fallback = node.cases.findIndex((it) => !it.test);
  connect(builder.current, fallback === -1 ? after : bodies[fallback]!);
  builder.current = [];
  // `break` means this switch, `continue` the loop around it: labels without a name tell them apart.
  builder.scope = { kind: 'target', labels: [], breakTo: after, continueTo: undefined, outer };
  for (const [i, it] of node.cases.entries()) {
    resumeAt(builder, bodies[i]!);
    block(builder, it.consequent);
  }
  builder.scope = outer;
  resumeAt(builder, after);
}

function jump(builder: Builder, node: TSESTree.BreakStatement | TSESTree.ContinueStatement): void {
  const label = node.label?.name;
  leave(builder, (it) => {
    if (it.kind !== 'target' || (label !== undefined && !it.labels.includes(label))) {
      return undefined;
    }
    if (node.type === 'ContinueStatement') return it.continueTo;
    // A bare `break` leaves loops and switches, not labelled blocks.
    return label !== undefined || it.continueTo || it.labels.length === 0 ? it.breakTo : undefined;
  });
}

/** Leaves the scopes up to the target of `targetIn`, through a copy of each finalizer in between. */
export function leave(builder: Builder, targetIn: (scope: Scope) => MutableStep | undefined): void {
  const { scope: from, throwTo } = builder;
  let to: MutableStep | undefined;
  for (let it: Scope | undefined = from; it && !to; it = it.outer) to = targetIn(it);
  if (!to) {
    builder.current = [];
    return;
  }
  for (let it: Scope | undefined = from; it && targetIn(it) !== to; it = it.outer) {
    if (it.kind !== 'finally') continue;
    const known = it.copies.get(to);
    if (known) {
      connect(builder.current, known);
      builder.current = [];
      break;
    }
    const copy = joint(builder);
    it.copies.set(to, copy);
    resumeAt(builder, copy);
    builder.scope = it.outer;
    builder.throwTo = it.throwTo;
    statement(builder, it.block);
  }
  connect(builder.current, to);
  builder.current = [];
  builder.scope = from;
  builder.throwTo = throwTo;
}

function tryStatement(builder: Builder, node: TSESTree.TryStatement): void {
  const { handler, finalizer } = node;
  const { scope: outer, throwTo } = builder;
  const failed = finalizer ? joint(builder) : undefined;
  const caught = handler ? joint(builder) : undefined;
  if (finalizer) {
    builder.scope = { kind: 'finally', block: finalizer, throwTo, copies: new Map(), outer };
  }
  builder.throwTo = caught ?? failed ?? throwTo;
  statement(builder, node.block);
  let normal = builder.current;
  if (handler && caught) {
    builder.current = [];
    builder.throwTo = failed ?? throwTo;
    resumeAt(builder, caught);
    if (handler.param) step(builder, 'bind', handler.param);
    statement(builder, handler.body);
    normal = [...normal, ...builder.current];
  }
  builder.scope = outer;
  builder.throwTo = throwTo;
  if (finalizer && failed && failed.incoming > 0) {
    builder.current = [];
    resumeAt(builder, failed);
    statement(builder, finalizer);
    connect(builder.current, throwTo);
  }
  builder.current = normal;
  if (finalizer && normal.length > 0) statement(builder, finalizer);
}
