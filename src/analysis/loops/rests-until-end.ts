import { query } from '../../engine/query.ts';
import type { FileFacts } from '../file/file.ts';
import { boundArguments } from '../flow/bound-arguments.ts';
import { type Loop, loopsWithin } from '../flow/loops.ts';
import { type Pause, pauseOf } from '../flow/turns.ts';
import { isClockReading } from '../provenance/clock.ts';
import { partGivenTo } from '../provenance/given-fields.ts';
import { givenFor, parameterAt } from '../provenance/given-parts.ts';
import { constantOf } from '../provenance/spelled-lists.ts';
import { valueOf } from '../provenance/value-of.ts';
import { bare, type FunctionNode, isFunction, type Node } from '../syntax/ast.ts';
import { returnedExpressions } from '../syntax/calls.ts';
import { quantityOf } from '../values/values.ts';

/**
 * `await waitUntil(() => this.stopped, 2_000)` in `while (!this.stopped)`: a rest of so many milliseconds, which only the end of
 * the loop cuts short.
 */
export function restUntilEnd(file: FileFacts, { node: loop }: Loop, node: Node): Pause | undefined {
  const call = bare(node);
  const test = loop.type === 'WhileStatement' || loop.type === 'ForStatement' ? loop.test : null;
  // no veto: the shape of such a call.
  if (call.type !== 'CallExpression' || !test) return undefined;
  const index = call.arguments.findIndex((it) => isFunction(it));
  const [asked, ...others] = returnedExpressions(call.arguments[index] ?? call);
  // no veto: several answers are not followed.
  if (!asked || others.length > 0) return undefined;
  // veto: the pause ends early on a different condition than the loop
  if (!partsOf(test).some((it) => isOpposite(file, it, asked))) return undefined;
  const callee = valueOf(file, call.callee);
  const wait = callee.kind === 'function' ? timedWaitOf(callee.file, callee.node) : undefined;
  if (callee.kind !== 'function' || wait?.asks !== index) return undefined;
  const args = boundArguments({ file, args: new Map() }, call, callee);
  const part = partGivenTo(callee.file, wait.time, callee.node);
  const given = part && givenFor(call.arguments, part);
  return {
    ...wait.pause,
    node: call,
    duration: quantityOf(callee.file, wait.time, args),
    time: given ? { file, node: given } : { file: callee.file, node: wait.time },
    abort: undefined,
    through: [callee],
  };
}

/** A function that waits until one that it is given answers, and so long at most. */
interface TimedWait {
  /** The index of the parameter that it asks. */
  readonly asks: number;
  readonly time: Node;
  /** Between two questions. */
  readonly pause: Pause;
}

const timedWaitOf = query(
  'wait for so long at most',
  (file: FileFacts, fn: FunctionNode): TimedWait | undefined => {
    const [loop, ...others] = loopsWithin(file, fn);
    // no veto: the shape of such a function.
    if (loop?.node.type !== 'WhileStatement' || others.length > 0) return undefined;
    const [awaited, ...furtherAwaits] = loop.awaits;
    const pause = awaited?.node.type === 'AwaitExpression' && pauseOf(file, awaited.node.argument);
    const parts = partsOf(loop.node.test);
    const asks = parts.map((it) => parameterAsked(file, fn, it)).find((it) => it !== undefined);
    const time = parts.map((it) => timeLeft(file, it)).find((it) => it !== undefined);
    // no veto: another kind of wait.
    if (asks === undefined || !time || !pause || furtherAwaits.length > 0) return undefined;
    return { asks, time, pause };
  },
  { whileCyclic: undefined, isCompared: false },
);

/** What holds as long as the loop runs. */
function partsOf(test: Node): readonly Node[] {
  const it = bare(test);
  return it.type === 'LogicalExpression' && it.operator === '&&'
    ? [...partsOf(it.left), ...partsOf(it.right)]
    : [it];
}

/** `!this.stopped` and `this.stopped`. */
function isOpposite(file: FileFacts, one: Node, other: Node): boolean {
  const isNegationOf = (a: Node, b: Node) => {
    const [negation, inner] = [bare(a), bare(b)];
    return (
      negation.type === 'UnaryExpression' &&
      negation.operator === '!' &&
      file.textOf(bare(negation.argument)) === file.textOf(inner)
    );
  };
  return isNegationOf(one, other) || isNegationOf(other, one);
}

/** `!isMet()` */
function parameterAsked(file: FileFacts, fn: FunctionNode, part: Node): number | undefined {
  const negated = part.type === 'UnaryExpression' && part.operator === '!' && bare(part.argument);
  const name = negated && negated.type === 'CallExpression' ? bare(negated.callee) : undefined;
  const parameter = name && parameterAt(file, name);
  return parameter?.fn === fn ? parameter.index : undefined;
}

/** `ms` of `Date.now() < end`, where `end` is `Date.now() + ms`, or of `Date.now() - start < ms`. */
function timeLeft(file: FileFacts, part: Node): Node | undefined {
  // no veto: the shape of such a test.
  if (part.type !== 'BinaryExpression' || !/^<=?$/.test(part.operator)) return undefined;
  const left = bare(part.left);
  if (left.type === 'BinaryExpression' && left.operator === '-')
    return isClockReading(file, left.left) ? part.right : undefined;
  const name = bare(part.right);
  const constant = name.type === 'Identifier' ? constantOf(file, name) : undefined;
  const end = constant && bare(constant.node);
  const isEnd =
    end?.type === 'BinaryExpression' && end.operator === '+' && isClockReading(file, end.left);
  return isClockReading(file, left) && isEnd ? end.right : undefined;
}
