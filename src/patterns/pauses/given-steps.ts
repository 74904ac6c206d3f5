import type { TSESTree } from '@typescript-eslint/utils';
import { query } from '../../engine/query.ts';
import { collect } from '../../engine/regions.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { behaviourOf, behaviourOfFunction } from '../../analysis/behaviour/behaviour.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { FunctionValue } from '../../analysis/file/value.ts';
import { type Loop, loopAround, loopsWithin } from '../../analysis/flow/loops.ts';
import { type Pause, pauseInCall } from '../../analysis/flow/turns.ts';
import { wayTo } from '../../analysis/loops/effect-places.ts';
import { type LoopPause, pausesOf } from '../../analysis/loops/pauses.ts';
import { parameterAt } from '../../analysis/provenance/given-parts.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import {
  bare,
  calledName,
  type ClassNode,
  contains,
  functionAround,
  type FunctionNode,
  isFunction,
  isLoop,
  type LoopNode,
  type Node,
  propertyName,
} from '../../analysis/syntax/ast.ts';
import { quantityOf } from '../../analysis/values/values.ts';
import { nameOfFunction } from '../../analysis/syntax/function-names.ts';
import { rangeOf, startsAt } from '../../analysis/syntax/places.ts';
import type { HotSleep } from './hot-sleep.ts';
import { workForOthers } from './other-services.ts';
import { isTestedBy } from './pacing.ts';
import { awaitsIn } from './work.ts';
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
  if (!call.arguments.some((it) => mayBeFunction(file, it))) return undefined;
  const callee = valueOf(file, call.callee);
  const pacer = callee.kind === 'function' ? pacerOf(callee.file, callee.node) : undefined;
  const given = pacer && call.arguments[pacer.index];
  const step = given && valueOf(file, given);
  if (callee.kind !== 'function' || !pacer || step?.kind !== 'function') return undefined;
  const pause = pauseInCall(file, call, callee, pacer.wait);
  return pause && sleepAfter(step, call, { ...pause, through: [callee, ...pause.through] });
}

/** `class Reminders extends LoopWorker { pauseMs = 1_000; async step() { … } }`: the loop is in the parent, which asks for both. */
export const sleepsOfSubclasses: (file: FileFacts) => readonly HotSleep[] = collect(
  'sleeps of subclasses',
  (file: FileFacts, { all }) =>
    all('ClassDeclaration', 'ClassExpression').flatMap((it) => sleepOfSubclass(file, it) ?? []),
);

function sleepOfSubclass(file: FileFacts, owner: ClassNode): HotSleep | undefined {
  const parent = owner.superClass ? valueOf(file, owner.superClass) : undefined;
  const pacer = parent?.kind === 'class' ? pacingClass(parent.file, parent.node) : undefined;
  const time = pacer && memberOf(owner, pacer.time);
  const step = pacer && memberOf(owner, pacer.step);
  if (time?.type !== 'PropertyDefinition' || !time.value) return undefined;
  if (step?.type !== 'MethodDefinition' || !isFunction(step.value)) return undefined;
  const fn = { kind: 'function', file, node: step.value } as const;
  return sleepAfter(fn, time, { ...pacer!.pause, duration: quantityOf(file, time.value) });
}

function memberOf({ body }: ClassNode, name: string) {
  return bodyOf(body).find(
    (it) =>
      (it.type === 'MethodDefinition' || it.type === 'PropertyDefinition') &&
      propertyName(it) === name,
  );
}

/** The pause after a step that takes one piece of work; `node` states it. */
function sleepAfter(step: FunctionValue, node: Node, pause: Pause): HotSleep | undefined {
  const source = sourceOfStep(step);
  if (!source?.effect || isRepeatedIn(step, source.effect) || pause.kind !== 'sleep')
    return undefined;
  const isFull = source.isBatch && source.batch !== undefined;
  return {
    ...{ loop: loopStatedAt(node), node, conditions: [], isChosen: false },
    pause: { ...pause, abort: undefined },
    variant: isFull ? 'full-batch' : 'after-work',
    of: 'jobs',
    // What the step has taken, only the step sees.
    source: { ...source, name: `${nameOfFunction(step.node) || 'the step'}()`, result: undefined },
    ...{ works: [], isBeside: false, batch: source.batch, isBatchByDefault: false },
    external: workForOthers(step.file, { body: bodyOf(step.node) }, step.node),
  };
}

function mayBeFunction(file: FileFacts, argument: Node): boolean {
  if (isFunction(argument)) return true;
  const [definition] = (argument.type === 'Identifier' && file.variableOf(argument)?.defs) || [];
  if (definition?.type === 'Variable') return isFunction(definition.node.init);
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
  const body = bodyOf(node);
  const asks = (it: Node) =>
    behaviourOf(file, it, node).effects.some(({ at }) => at.node === effect.at.node);
  return (
    wayTo({ file, node }, effect).some((it) => isRepeatedWithin(it.file, it.node, it.root)) ||
    awaitsIn(body).some((it) => isRepeatedWithin(file, it, body) && asks(it))
  );
}

function isRepeatedWithin(file: FileFacts, node: Node, root: Node): boolean {
  const loop = loopAround(file, node);
  return loop !== undefined && isLoop(loop.node) && contains(root, loop.node);
}

/** A loop of another function or class, which takes its work from here. */
function loopStatedAt(node: Node): Loop {
  const head = node.type === 'CallExpression' ? node.callee : node;
  return {
    ...{ kind: 'repeated', node, body: node, head: rangeOf(head) },
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
    const { runs, rest } = restingLoopIn(file, fn) ?? {};
    const [index] = (runs ?? []).flatMap((it) => parameterRun(file, fn, it) ?? []);
    return rest && index !== undefined ? { index, wait: rest.pause.node } : undefined;
  },
  { whileCyclic: undefined, isCompared: false },
);

/** A class that runs a method of its subclasses again and again, and rests as long as they ask for. */
interface PacingClass {
  /** The names of the method, and of the property with the time. */
  readonly step: string;
  readonly time: string;
  readonly pause: Pause;
}

const pacingClass = query(
  'pacing class',
  (file: FileFacts, { body }: ClassNode): PacingClass | undefined => {
    for (const it of bodyOf(body)) {
      const fn = it.type === 'MethodDefinition' && isFunction(it.value) ? it.value : undefined;
      const { runs, rest } = (fn && restingLoopIn(file, fn)) ?? {};
      const [step] = (runs ?? []).flatMap((run) => ownMember(calledBehind(run)) ?? []);
      const wait = rest?.pause.node;
      const time = wait?.type === 'CallExpression' ? ownMember(wait.arguments[0]) : undefined;
      if (rest && step !== undefined && time !== undefined)
        return { step, time, pause: rest.pause };
    }
    return undefined;
  },
  { whileCyclic: undefined, isCompared: false },
);

/** `step` of `this.step`. */
function ownMember(node: Node | undefined): string | undefined {
  return node?.type === 'MemberExpression' && node.object.type === 'ThisExpression'
    ? propertyName(node)
    : undefined;
}

interface RestingLoop {
  readonly rest: LoopPause;
  /** What each run awaits before it rests. */
  readonly runs: readonly Node[];
}

/** The endless loop of a function that rests after each run, whatever that has done. */
function restingLoopIn(file: FileFacts, fn: FunctionNode): RestingLoop | undefined {
  const loop = loopsWithin(file, fn).find((it) => isEndless(it.node));
  // Not one that only some of the runs lead to.
  const rest = (loop ? pausesOf(file, loop) : []).find(
    (it) => it.pause.kind === 'sleep' && it.conditions.length === 0,
  );
  // no veto: it goes on at once.
  if (!loop || !rest) return undefined;
  const { abort } = rest.pause;
  // veto: somebody may end the rest
  if (abort && !isTestedBy(file, loop.node, abort)) return undefined;
  const runs = loop.awaits.flatMap(({ node, conditions }) =>
    startsAt(node) < startsAt(rest.node) && conditions.length === 0 ? [node] : [],
  );
  return { rest, runs };
}

function isEndless(node: Node): node is LoopNode {
  return (
    node.type === 'WhileStatement' ||
    node.type === 'DoWhileStatement' ||
    (node.type === 'ForStatement' && !node.update)
  );
}

/** The index of the parameter that an await runs: `await step()`, `await step().catch(note)`. */
function parameterRun(file: FileFacts, fn: FunctionNode, awaited: Node): number | undefined {
  const name = calledBehind(awaited);
  const part = name && parameterAt(file, name);
  return part?.fn === fn ? part.index : undefined;
}

/** `this.step` of `await this.step().catch(note)`. */
function calledBehind(awaited: Node): Node | undefined {
  let it = awaited.type === 'AwaitExpression' ? bare(awaited.argument) : awaited;
  while (it.type === 'CallExpression' && LINK.test(calledName(it.callee) ?? '')) {
    const callee = bare(it.callee);
    // no veto: the name of such a link is that of a member.
    if (callee.type !== 'MemberExpression') return undefined;
    it = bare(callee.object);
  }
  return it.type === 'CallExpression' ? bare(it.callee) : undefined;
}

const LINK = /^(?:then|catch|finally)$/;
