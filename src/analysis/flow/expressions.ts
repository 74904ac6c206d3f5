import type { TSESTree } from '@typescript-eslint/utils';
import { bare, childrenOf, type Node, propertyName } from '../syntax/ast.ts';
import { type Builder, connect, failingStep, type Loose, step } from './builder.ts';
import { isChain, promiseChain, splicesOf, splice } from './callbacks.ts';
import { isEnding, isFailing } from './failures.ts';
import { leave } from './statements.ts';

/** Appends the evaluation of an expression, in the order in which its parts run. */
export function expression(builder: Builder, node: Node): void {
  switch (node.type) {
    case 'Identifier':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      step(builder, 'expression', node);
      return;
    case 'ClassDeclaration':
    case 'ClassExpression':
      if (node.superClass) expression(builder, node.superClass);
      step(builder, 'expression', node);
      return;
    case 'ChainExpression':
      return optionalChain(builder, node);
    case 'MemberExpression':
      return member(builder, node);
    case 'CallExpression':
      return call(builder, node);
    case 'NewExpression':
    case 'TaggedTemplateExpression':
      return construction(builder, node);
    case 'ImportExpression':
      expression(builder, node.source);
      failingStep(builder, 'expression', node);
      return;
    case 'AwaitExpression':
      expression(builder, node.argument);
      // A chain of then and catch has stood in the graph already, its rejections with it.
      if (isChain(node.argument)) step(builder, 'expression', node);
      else failingStep(builder, 'expression', node);
      return;
    case 'YieldExpression': {
      if (node.argument) expression(builder, node.argument);
      const yielded = failingStep(builder, 'expression', node);
      const { current } = builder;
      builder.current = [{ from: yielded, kind: 'abandon' }];
      leave(builder, (it) => (it.kind === 'function' ? it.returnTo : undefined));
      builder.current = current;
      return;
    }
    case 'AssignmentExpression':
      return assignment(builder, node);
    case 'UpdateExpression':
      expression(builder, node.argument);
      step(builder, 'expression', node);
      return;
    case 'LogicalExpression': {
      if (node.operator === '??') return fallback(builder, node);
      const { yes, no } = condition(builder, node);
      builder.current = [...yes, ...no];
      return;
    }
    case 'ConditionalExpression': {
      const { yes, no } = condition(builder, node.test);
      builder.current = yes;
      expression(builder, node.consequent);
      const after = builder.current;
      builder.current = no;
      expression(builder, node.alternate);
      builder.current = [...after, ...builder.current];
      return;
    }
    case 'Property':
      if (node.computed) expression(builder, node.key);
      return expression(builder, node.value);
    default:
      return parts(builder, node);
  }
}

/** The children of expressions that do nothing themselves; types are not evaluated. */
function parts(builder: Builder, node: Node): void {
  for (const child of childrenOf(node)) {
    if (!child.type.startsWith('TS') || bare(child) !== child) expression(builder, child);
  }
}

/** The exits of a condition: where it is truthy, and where it is falsy. */
export function condition(builder: Builder, node: Node): { yes: Loose[]; no: Loose[] } {
  const it = bare(node);
  if (it.type === 'UnaryExpression' && it.operator === '!') {
    const { yes, no } = condition(builder, it.argument);
    return { yes: no, no: yes };
  }
  if (it.type === 'LogicalExpression' && it.operator !== '??') {
    const left = condition(builder, it.left);
    builder.current = it.operator === '&&' ? left.yes : left.no;
    const right = condition(builder, it.right);
    return it.operator === '&&'
      ? { yes: right.yes, no: [...left.no, ...right.no] }
      : { yes: [...left.yes, ...right.yes], no: right.no };
  }
  if (it.type === 'Literal') {
    const always = builder.current;
    return it.value ? { yes: always, no: [] } : { yes: [], no: always };
  }
  expression(builder, node);
  return tested(builder, it);
}

function tested(builder: Builder, node: Node, nullish = false): { yes: Loose[]; no: Loose[] } {
  const from = step(builder, 'test', node, nullish ? { nullish } : {});
  return { yes: [{ from, kind: 'true' }], no: [{ from, kind: 'false' }] };
}

function fallback(builder: Builder, node: TSESTree.LogicalExpression): void {
  expression(builder, node.left);
  const { yes, no } = tested(builder, bare(node.left), true);
  builder.current = no;
  expression(builder, node.right);
  builder.current = [...yes, ...builder.current];
}

function assignment(builder: Builder, node: TSESTree.AssignmentExpression): void {
  if (node.left.type === 'MemberExpression') member(builder, node.left);
  const short = { '??=': true, '||=': false, '&&=': false }[node.operator as string];
  if (short === undefined) {
    expression(builder, node.right);
    step(builder, 'expression', node);
    return;
  }
  const { yes, no } = tested(builder, bare(node.left), short);
  const [assigned, kept] = node.operator === '&&=' ? [yes, no] : [no, yes];
  builder.current = assigned;
  expression(builder, node.right);
  step(builder, 'expression', node);
  builder.current = [...builder.current, ...kept];
}

function optionalChain(builder: Builder, node: TSESTree.ChainExpression): void {
  const outer = builder.chain;
  builder.chain = [];
  expression(builder, node.expression);
  builder.current = [...builder.current, ...builder.chain];
  builder.chain = outer;
}

function member(builder: Builder, node: TSESTree.MemberExpression): void {
  expression(builder, node.object);
  if (node.optional) optional(builder, node.object);
  if (node.computed) expression(builder, node.property);
}

function optional(builder: Builder, node: Node): void {
  const { yes, no } = tested(builder, bare(node), true);
  builder.chain?.push(...no);
  builder.current = yes;
}

function call(builder: Builder, node: TSESTree.CallExpression): void {
  if (isChain(node)) return promiseChain(builder, node);
  const spliced = splicesOf(builder, node);
  if (!spliced.some((it) => it.fn === node.callee)) expression(builder, node.callee);
  if (node.optional) optional(builder, node.callee);
  for (const argument of node.arguments) {
    if (!spliced.some((it) => it.fn === argument)) expression(builder, argument);
  }
  const called = isFailing(node)
    ? failingStep(builder, 'expression', node)
    : step(builder, 'expression', node);
  const ending = isEnding(builder.file, node);
  if (ending) {
    connect(ending.end === 'process' ? [{ from: called, kind: 'next' }] : [], builder.ended);
    builder.current = [];
    return;
  }
  for (const it of spliced) splice(builder, it);
}

function construction(
  builder: Builder,
  node: TSESTree.NewExpression | TSESTree.TaggedTemplateExpression,
): void {
  const [callee, args] =
    node.type === 'NewExpression'
      ? [node.callee, node.arguments]
      : [node.tag, node.quasi.expressions];
  const spliced = node.type === 'NewExpression' ? splicesOf(builder, node) : [];
  expression(builder, callee);
  for (const argument of args) {
    if (!spliced.some((it) => it.fn === argument)) expression(builder, argument);
  }
  failingStep(builder, 'expression', node);
  for (const it of spliced) splice(builder, it);
}

/** The method that a call names, on any receiver. */
export function methodName(node: TSESTree.CallExpression): string | undefined {
  const callee = bare(node.callee);
  return callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
}
