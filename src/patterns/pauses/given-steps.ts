import type { TSESTree } from '@typescript-eslint/utils';
import { query } from '../../engine/query.ts';
import { collect } from '../../engine/regions.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { behaviourOfFunction } from '../../analysis/behaviour/behaviour.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { FunctionValue } from '../../analysis/file/value.ts';
import { type Loop, loopAround, loopsOf } from '../../analysis/flow/loops.ts';
import { pauseInCall } from '../../analysis/flow/turns.ts';
import { wayTo } from '../../analysis/loops/effect-places.ts';
import { pausesOf } from '../../analysis/loops/pauses.ts';
import { parameterAt } from '../../analysis/provenance/given-parts.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import {
  bare,
  contains,
  functionAround,
  type FunctionNode,
  isFunction,
  isLoop,
  type LoopNode,
  type Node,
} from '../../analysis/syntax/ast.ts';
import { nameOfFunction } from '../../analysis/syntax/function-names.ts';
import { rangeOf, startsAt } from '../../analysis/syntax/places.ts';
import type { HotSleep } from './hot-sleep.ts';
import { workForOthers } from './other-services.ts';
import { isTestedBy } from './pacing.ts';
import { provedSource, type WorkSource } from './work-sources.ts';

/**
 * `repeat(sendNext, 200)`: the call states which work a loop of another function does and how long it rests after each piece; the
 * loop and the pause are in that function.
 */
export const sleepsAfterGivenSteps: (file: FileFacts) => readonly HotSleep[] = collect(
  'sleeps after given steps',
  (file: FileFacts, { all }) => all('CallExpression').flatMap((it) => sleepOfCall(file, it) ?? []),
);

function sleepOfCall(file: FileFacts, call: TSESTree.CallExpression): HotSleep | undefined {
  // no veto: spares most calls the question what they are.
  if (!isOwnName(call.callee) || !call.arguments.some((it) => mayBeFunction(file, it)))
    return undefined;
  const callee = valueOf(file, call.callee);
  const pacer = callee.kind === 'function' ? pacerOf(callee.file, callee.node) : undefined;
  const given = pacer && call.arguments[pacer.index];
  const step = given && valueOf(file, given);
  if (callee.kind !== 'function' || !pacer || step?.kind !== 'function') return undefined;
  const source = sourceOfStep(step);
  if (!source?.effect || isRepeatedIn(step, source.effect)) return undefined;
  const pause = pauseInCall(file, call, callee, pacer.wait);
  if (pause?.kind !== 'sleep') return undefined;
  const isFull = source.isBatch && source.batch !== undefined;
  return {
    ...{ loop: loopOfCall(call), node: call, conditions: [], isChosen: false },
    pause: { ...pause, abort: undefined, through: [callee, ...pause.through] },
    variant: isFull ? 'full-batch' : 'after-work',
    of: 'jobs',
    source: { ...source, name: `${nameOfFunction(step.node) || 'the step'}()` },
    ...{ works: [], isBeside: false, batch: source.batch, isBatchByDefault: false },
    external: workForOthers(step.file, { body: bodyOf(step.node) }, step.node),
  };
}

/** `repeat`, `this.repeat`. */
function isOwnName(callee: Node): boolean {
  return (
    callee.type === 'Identifier' ||
    (callee.type === 'MemberExpression' && callee.object.type === 'ThisExpression')
  );
}

function mayBeFunction(file: FileFacts, argument: Node): boolean {
  if (isFunction(argument)) return true;
  const definition =
    argument.type === 'Identifier' ? file.variableOf(argument)?.defs[0] : undefined;
  return definition?.type === 'FunctionName' || definition?.type === 'ImportBinding';
}

/** What a loop that only runs what it is given rests for is in the calls that give it. */
export function restsForCallers(file: FileFacts, { node }: Loop): boolean {
  for (let fn = functionAround(node); fn; fn = functionAround(fn))
    if (pacerOf(file, fn)) return true;
  return false;
}

/** One run of the step is one iteration, and all of it stands in that function. */
function sourceOfStep({ file, node }: FunctionValue): WorkSource | undefined {
  const { effects } = behaviourOfFunction({ kind: 'function', file, node });
  const around = () => effects;
  return provedSource({ file, node, call: undefined, effects, body: bodyOf(node), around });
}

/** A step that goes on until nothing is left rests when it may. */
function isRepeatedIn({ file, node }: FunctionValue, effect: Effect): boolean {
  return wayTo({ file, node }, effect).some((it) => {
    const loop = loopAround(it.file, it.node);
    return loop !== undefined && isLoop(loop.node) && contains(it.root, loop.node);
  });
}

function loopOfCall(call: TSESTree.CallExpression): Loop {
  return {
    ...{ kind: 'repeated', node: call, body: call, head: rangeOf(call.callee) },
    ...{ isSequential: true, over: undefined, outer: undefined, awaits: [], rounds: [] },
    ...{ variables: new Set(), bound: undefined, by: undefined },
  };
}

/** A function that runs one that it is given again and again, and rests after each run. */
interface Pacer {
  /** Of the parameter that it runs. */
  readonly index: number;
  readonly wait: Node;
}

const pacerOf = query(
  'pacer',
  (file: FileFacts, fn: FunctionNode): Pacer | undefined => {
    const loop = loopsOf(file).find((it) => contains(fn, it.node) && isEndless(it.node));
    // Not one that only some of the runs lead to.
    const rest = (loop ? pausesOf(file, loop) : []).find(
      (it) => it.pause.kind === 'sleep' && it.conditions.length === 0,
    );
    // no veto: it goes on at once.
    if (!loop || !rest) return undefined;
    const { abort, node: wait } = rest.pause;
    // veto: somebody may end the rest
    if (abort && !isTestedBy(file, loop.node, abort)) return undefined;
    const runs = loop.awaits.flatMap(({ node, conditions }) =>
      startsAt(node) < startsAt(rest.node) && conditions.length === 0
        ? (parameterRun(file, fn, node) ?? [])
        : [],
    );
    const [index] = runs;
    return index === undefined ? undefined : { index, wait };
  },
  { whileCyclic: undefined, isCompared: false },
);

function isEndless(node: Node): node is LoopNode {
  return (
    node.type === 'WhileStatement' ||
    node.type === 'DoWhileStatement' ||
    (node.type === 'ForStatement' && !node.update)
  );
}

/** The index of the parameter that an await runs: `await step()`, `await step().catch(note)`. */
function parameterRun(file: FileFacts, fn: FunctionNode, awaited: Node): number | undefined {
  let it = awaited.type === 'AwaitExpression' ? bare(awaited.argument) : awaited;
  while (it.type === 'CallExpression' && it.callee.type === 'MemberExpression')
    it = bare(it.callee.object);
  const name = it.type === 'CallExpression' ? bare(it.callee) : undefined;
  const part = name && parameterAt(file, name);
  return part?.fn === fn ? part.index : undefined;
}
