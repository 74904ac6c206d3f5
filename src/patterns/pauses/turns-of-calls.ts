import type { TSESTree } from '@typescript-eslint/utils';
import { query } from '../../engine/query.ts';
import { collect } from '../../engine/regions.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { type Loop, loopsWithin } from '../../analysis/flow/loops.ts';
import type { Pause } from '../../analysis/flow/turns.ts';
import { type LoopPause, pausesOf } from '../../analysis/loops/pauses.ts';
import {
  type OptionalPart,
  optionalPartAt,
  parameterAt,
} from '../../analysis/provenance/given-parts.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import {
  bare,
  functionAround,
  type FunctionNode,
  isFunction,
  type Node,
  walkOwn,
} from '../../analysis/syntax/ast.ts';
import type { Condition } from '../../analysis/syntax/conditions.ts';
import { rangeOf } from '../../analysis/syntax/places.ts';
import { numberGiven } from './given-times.ts';

/**
 * A call that has a helper give up a turn of the event loop after each element, because it leaves out how many to take at a time:
 * `walk(lines, (line) => …)` of `walk(items, visit, stride = 1)`. What an iteration does is here, the loop is there.
 */
export interface TurnOfCall {
  readonly node: TSESTree.CallExpression;
  readonly pause: Pause;
  /** What runs for each element, as a loop of this file. */
  readonly loop: Loop;
  /** The file of the helper, and its loop. */
  readonly helper: { readonly file: FileFacts; readonly loop: Loop };
}

export const turnsOfCalls: (file: FileFacts) => readonly TurnOfCall[] = collect(
  'turns of calls',
  (file: FileFacts, { all }) => all('CallExpression').flatMap((it) => turnOfCall(file, it) ?? []),
);

function turnOfCall(file: FileFacts, call: TSESTree.CallExpression): TurnOfCall | undefined {
  const visit = call.arguments.find((it) => isFunction(it));
  const [list] = call.arguments;
  // no veto: spares the question what is called.
  if (!visit || !list || visit.async) return undefined;
  // veto: the call passes a written-out list, which has few elements
  if (list.type === 'ArrayExpression' || list.type === 'SpreadElement') return undefined;
  const callee = valueOf(file, call.callee);
  const helper = callee.kind === 'function' ? turningLoopIn(callee.file, callee.node) : undefined;
  if (callee.kind !== 'function' || helper?.visits !== call.arguments.indexOf(visit))
    return undefined;
  // veto: the helper yields after several elements, or after an unresolved number of them
  if (numberGiven(file, call.arguments, { owner: callee.file, part: helper.every }) !== 1)
    return undefined;
  return {
    node: call,
    pause: helper.turn.pause,
    loop: {
      ...helper.turn.loop,
      node: call,
      body: bodyOf(visit),
      over: list,
      awaits: [],
      head: rangeOf(call.callee),
    },
    helper: { file: callee.file, loop: helper.turn.loop },
  };
}

/** A loop that runs what its function is given, and gives up a turn after every so many runs. */
interface TurningLoop {
  /** The index of the parameter that it runs. */
  readonly visits: number;
  /** The parameter with the number of runs between two turns. */
  readonly every: OptionalPart;
  readonly turn: LoopPause;
}

const turningLoopIn = query(
  'turning loop',
  (file: FileFacts, fn: FunctionNode): TurningLoop | undefined => {
    const loop = loopsWithin(file, fn).find((it) => functionAround(it.node) === fn);
    const turn = loop && pausesOf(file, loop).find(({ pause }) => pause.turn !== undefined);
    const [condition, ...others] = turn?.conditions ?? [];
    const every = condition && others.length === 0 ? countIn(file, condition) : undefined;
    const visits = loop ? visitIn(file, fn, loop.body) : undefined;
    return turn && every?.fn === fn && visits !== undefined ? { visits, every, turn } : undefined;
  },
  { whileCyclic: undefined, isCompared: false },
);

/** `every` of `(index + 1) % every === 0`: with 1, that always holds; `index % every === 1` never does. */
function countIn(file: FileFacts, { test, holds }: Condition): OptionalPart | undefined {
  const it = test && bare(test);
  // no veto: the shape of a comparison.
  if (it?.type !== 'BinaryExpression') return undefined;
  const [remainder, rest] = [bare(it.left), bare(it.right)];
  const isZero = /^===?$/.test(it.operator) ? holds : /^!==?$/.test(it.operator) && !holds;
  return isZero &&
    rest.type === 'Literal' &&
    rest.value === 0 &&
    remainder.type === 'BinaryExpression' &&
    remainder.operator === '%'
    ? optionalPartAt(file, bare(remainder.right))
    : undefined;
}

/** The index of the parameter that the loop calls, and does not wait for. */
function visitIn(file: FileFacts, fn: FunctionNode, body: Node): number | undefined {
  let found: number | undefined;
  walkOwn(body, (it) => {
    // no veto: what it waits for is an iteration where it is given.
    if (it.type !== 'CallExpression' || it.parent.type === 'AwaitExpression') return;
    const part = parameterAt(file, bare(it.callee));
    if (part?.fn === fn) found ??= part.index;
  });
  return found;
}
