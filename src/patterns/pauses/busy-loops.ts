import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node, propertyName, walk } from '../../analysis/syntax/ast.ts';
import { isCall } from '../../analysis/syntax/calls.ts';
import { isClockReading, readsClock } from '../../analysis/provenance/clock.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { variablesIn } from '../../analysis/syntax/mentions.ts';

export type Spinning = TSESTree.WhileStatement | TSESTree.DoWhileStatement | TSESTree.ForStatement;

/** A loop that polls the clock, and does nothing else. */
export interface BusyLoop {
  /** The milliseconds, where they are an operand: `ms` in `Date.now() - start < ms`. */
  readonly time: Node | undefined;
}

export function busyLoopOf(file: FileFacts, loop: Spinning): BusyLoop | undefined {
  const end = endOf(loop);
  // veto: the loop does more than compare the clock with a limit
  if (!end || !onlyReadsClock(file, loop)) return undefined;
  // veto: a `break`, `return` or `throw` ends the loop in its first iteration
  if (statementsOf(loop).some(({ type }) => /^(?:Break|Return|Throw)Statement$/.test(type)))
    return undefined;
  const [clock, limit] = isTimed(file, loop, end.left)
    ? [end.left, end.right]
    : [end.right, end.left];
  // veto: the comparison that ends the loop is not about the time
  if (!isTimed(file, loop, clock)) return undefined;
  const time = timeOf(file, clock, limit);
  // veto: the loop only waits for the next tick of the clock
  if (!time && (isFormerTime(limit) || isNextTick(file, loop, limit))) return undefined;
  return { time };
}

/** The comparison that ends the loop: its test or, where that is none, the test of the `break` that is its body. */
function endOf(loop: Spinning): TSESTree.BinaryExpression | undefined {
  const leaving = statementsOf(loop).find((it) => it.type === 'IfStatement');
  const test = leaving?.type === 'IfStatement' ? leaving.test : loop.test;
  return test && isComparison(test) ? test : undefined;
}

function statementsOf({ body }: Spinning): readonly TSESTree.Statement[] {
  return body.type === 'BlockStatement' ? body.body : [body];
}

function isComparison(node: Node): node is TSESTree.BinaryExpression {
  return node.type === 'BinaryExpression' && /^[<>]=?$/.test(node.operator);
}

/** Assignments of the time and a `break`: nothing that anybody could want done. */
function onlyReadsClock(file: FileFacts, loop: Spinning): boolean {
  let isIdle = true;
  walk(loop.body, (it) => {
    if (it.type === 'AwaitExpression' || it.type === 'YieldExpression') isIdle = false;
    if (it.type === 'UpdateExpression') isIdle = false;
    if (it.type === 'AssignmentExpression') isIdle &&= readsClock(file, it.right);
    if (isCall(it)) isIdle &&= isClockReading(file, it);
    return isIdle;
  });
  const heads = [loop.test, loop.type === 'ForStatement' ? loop.update : undefined];
  for (const head of heads) {
    if (head) walk(head, (it) => void (isIdle &&= !isCall(it) || isClockReading(file, it)));
  }
  return isIdle;
}

/** The clock, what is left after a subtraction from it, or a variable that the loop sets to one of them. */
function isTimed(file: FileFacts, loop: Spinning, node: Node): boolean {
  if (readsClock(file, node)) return true;
  const names = variablesIn(file, node);
  let isSet = false;
  walk(loop.body, (it) => {
    if (it.type !== 'AssignmentExpression' || it.left.type !== 'Identifier') return;
    const variable = file.variableOf(it.left);
    isSet ||= variable !== undefined && names.includes(variable);
  });
  return isSet;
}

/** `while (now <= this.lastTime)`: numbers that carry the time wait for its next millisecond, and that is all. */
function isFormerTime(limit: Node): boolean {
  return /^_?(?:last|prev|previous)(?![a-z])/.test(lastNameOf(limit));
}

/** `while (now <= former) now = Date.now()`: where nothing is added, equal is enough to wait. */
function isNextTick(file: FileFacts, { test }: Spinning, limit: Node): boolean {
  return test?.type === 'BinaryExpression' && /=$/.test(test.operator) && !sumOf(file, limit);
}

function lastNameOf(node: Node): string {
  const it = bare(node);
  if (it.type === 'MemberExpression') return propertyName(it) ?? '';
  return it.type === 'Identifier' ? it.name : '';
}

/** `ms` where the loop waits for `now - start < ms`, `now < start + ms`, or `now < end` with `const end = start + ms`. */
function timeOf(file: FileFacts, clock: Node, limit: Node): Node | undefined {
  const passed = bare(clock);
  if (passed.type === 'BinaryExpression') return passed.operator === '-' ? limit : undefined;
  const sum = sumOf(file, limit);
  if (!sum) return undefined;
  return isInstant(file, sum.left) ? sum.right : isInstant(file, sum.right) ? sum.left : undefined;
}

function sumOf(file: FileFacts, node: Node): TSESTree.BinaryExpression | undefined {
  const it = bare(node);
  if (it.type === 'BinaryExpression') return it.operator === '+' ? it : undefined;
  const init = initOf(file, it);
  return init && sumOf(file, init);
}

function isInstant(file: FileFacts, node: Node): boolean {
  const init = initOf(file, bare(node));
  return isClockReading(file, node) || (init !== undefined && isClockReading(file, init));
}

function initOf(file: FileFacts, node: Node): TSESTree.Expression | undefined {
  const definition = node.type === 'Identifier' ? file.variableOf(node)?.defs[0] : undefined;
  return (definition?.type === 'Variable' ? definition.node.init : undefined) ?? undefined;
}
