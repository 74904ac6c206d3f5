import type { TSESTree } from '@typescript-eslint/utils';
import { query } from '../../engine/query.ts';
import { collect } from '../../engine/regions.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { behaviourOf, behaviourOfFunction } from '../../analysis/behaviour/behaviour.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Place } from '../../analysis/file/place.ts';
import type { FunctionValue, Value } from '../../analysis/file/value.ts';
import { type Loop, loopAround, loopsOf, loopsWithin } from '../../analysis/flow/loops.ts';
import { type Pause, pauseInCall } from '../../analysis/flow/turns.ts';
import { wayTo } from '../../analysis/loops/effect-places.ts';
import { type LoopPause, pausesOf } from '../../analysis/loops/pauses.ts';
import { partGivenTo, partGivenToClass } from '../../analysis/provenance/given-fields.ts';
import { givenFor, isLeftOut, type Part } from '../../analysis/provenance/given-parts.ts';
import { callersOf } from '../../analysis/provenance/callers.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import {
  bare,
  calledName,
  classAround,
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
import { type Quantity, unknownQuantity } from '../../analysis/values/quantity.ts';
import { memberQuantityOf } from '../../analysis/values/field-quantities.ts';
import { quantityOf } from '../../analysis/values/values.ts';
import { constructorOf, superCallIn } from '../../analysis/syntax/constructors.ts';
import { nameOfFunction } from '../../analysis/syntax/function-names.ts';
import { rangeOf, startsAt } from '../../analysis/syntax/places.ts';
import type { HotSleep } from './hot-sleep.ts';
import { workForOthers } from './other-services.ts';
import { isTestedBy } from './pacing.ts';
import { awaitsIn, isMethodOfClass } from './work.ts';
import { claimAt, provedSource, type WorkSource } from './work-sources.ts';

/**
 * `repeat(sendNext, 200)`, `new Repeater({ step: sendNext, restMs: 200 })`: the call states which work a loop of another function
 * or class does and how long it rests after each piece; the loop and the pause are there.
 */
export const sleepsAfterGivenSteps: (file: FileFacts) => readonly HotSleep[] = collect(
  'sleeps after given steps',
  (file: FileFacts, { all }) =>
    all('CallExpression', 'NewExpression').flatMap((it) => sleepOfCall(file, it) ?? []),
);

function sleepOfCall(file: FileFacts, call: CallNode): HotSleep | undefined {
  // no veto: spares most calls the question what they are.
  if (!call.arguments.some((it) => mayHoldFunction(file, it))) return undefined;
  const callee = valueOf(file, call.callee);
  if (callee.kind !== 'function' && callee.kind !== 'class') return undefined;
  const pacer = pacerBehind(callee);
  const given = pacer && givenFor(call.arguments, pacer.step);
  const step = given && valueOf(file, given);
  if (!pacer || step?.kind !== 'function') return undefined;
  const pause = pauseGiven(file, call, callee, pacer);
  const rest = { file: callee.file, node: pacer.rest.node };
  return pause && sleepAfter(step, call, { rest, pause });
}

function pacerBehind(callee: Value): Pacer | undefined {
  if (callee.kind === 'function') return pacerOf(callee.file, callee.node);
  return callee.kind === 'class' ? classPacerOf(callee.file, callee.node) : undefined;
}

/** The pause of the loop, with the time that the call gives. */
function pauseGiven(
  file: FileFacts,
  call: CallNode,
  callee: Value,
  { time, rest }: Pacer,
): Pause | undefined {
  if (callee.kind !== 'function' || call.type !== 'CallExpression' || time?.member !== undefined) {
    return time && !isLeftOut(call.arguments, time)
      ? { ...rest.pause, duration: partOfCall(file, call.arguments, time) }
      : rest.pause;
  }
  const pause = pauseInCall(file, call, callee, rest.pause.node);
  return pause && { ...pause, through: [callee, ...pause.through] };
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
  const step = pacer && memberOf(owner, pacer.step);
  if (parent?.kind !== 'class' || !pacer) return undefined;
  if (step?.type !== 'MethodDefinition' || !isFunction(step.value)) return undefined;
  // veto: rests as it decides itself
  if (pacer.rest.pause.through.some((it) => isReplacedBy(owner, it))) return undefined;
  const fn = { kind: 'function', file, node: step.value } as const;
  const { node, duration } = timeOfSubclass(file, owner, parent, pacer.rest.pause);
  return sleepAfter(fn, node ?? step.key, {
    rest: { file: parent.file, node: pacer.rest.node },
    pause: { ...pacer.rest.pause, duration },
  });
}

function isReplacedBy(owner: ClassNode, { node }: FunctionValue): boolean {
  const { parent } = node;
  const name = parent.type === 'MethodDefinition' ? propertyName(parent) : undefined;
  return name !== undefined && memberOf(owner, name) !== undefined;
}

/** Where a subclass states the time of the pause in its parent, and the time; that of the parent itself where it does not. */
function timeOfSubclass(
  file: FileFacts,
  owner: ClassNode,
  parent: Extract<Value, { kind: 'class' }>,
  { time, duration }: Pause,
): { readonly node?: Node; readonly duration: Quantity } {
  // no veto: stated elsewhere for all of them.
  if (!time || time.file !== parent.file) return { duration };
  const name = ownMember(time.node);
  const own = name === undefined ? undefined : memberOf(owner, name);
  if (own?.type === 'PropertyDefinition' && own.value)
    return { node: own, duration: quantityOf(file, own.value) };
  const part = partGivenToClass(parent.file, time.node, parent.node);
  const fn = constructorOf(owner);
  const call = part && fn && superCallIn(fn);
  return call
    ? { node: call, duration: quantityGiven(file, call.arguments, part, fn) }
    : { duration };
}

/** What a call in a constructor gives for a part, or what all who make the object give to that. */
function quantityGiven(file: FileFacts, args: Given, part: Part, fn: FunctionNode): Quantity {
  const own = partOfCall(file, args, part);
  const further = own.value === undefined ? partHandedOn(file, args, part, fn) : undefined;
  const quantities = further
    ? (callersOf(file, fn) ?? []).map((it) => partOfCall(it.file, it.call.arguments, further))
    : [];
  const [first] = quantities;
  return first && quantities.every((it) => it.value === first.value) ? first : own;
}

/** Of what the function itself was given: `options` of `super('letters', options)`, and `pauseMs` of `super({ pauseMs })`. */
function partHandedOn(
  file: FileFacts,
  args: Given,
  part: Part,
  fn: FunctionNode,
): Part | undefined {
  const node = givenFor(args, part);
  if (node) return partGivenTo(file, node, fn);
  const argument = args[part.index];
  const whole = argument && partGivenTo(file, argument, fn);
  return whole?.member === undefined && whole ? { ...whole, member: part.member } : undefined;
}

/** Also of what an object has from another: `{ ...config.outbox, log }`. */
function partOfCall(file: FileFacts, args: Given, { index, member }: Part): Quantity {
  const argument = args[index];
  if (!argument || argument.type === 'SpreadElement') return unknownQuantity();
  return member === undefined
    ? quantityOf(file, argument)
    : (memberQuantityOf(file, argument, member) ?? unknownQuantity());
}

function memberOf({ body }: ClassNode, name: string) {
  return bodyOf(body).find(
    (it) =>
      (it.type === 'MethodDefinition' || it.type === 'PropertyDefinition') &&
      propertyName(it) === name,
  );
}

type CallNode = TSESTree.CallExpression | TSESTree.NewExpression;
type Given = readonly TSESTree.CallExpressionArgument[];

interface Rest {
  /** The pause in the loop that others give the work. */
  readonly rest: Place;
  /** The same with the time of this work. */
  readonly pause: Pause;
}

/** The pause after a step that takes one piece of work; `node` states it. */
function sleepAfter(step: FunctionValue, node: Node, { rest, pause }: Rest): HotSleep | undefined {
  const source = sourceOfStep(step);
  if (!source?.effect || isRepeatedIn(step, source.effect) || pause.kind !== 'sleep')
    return undefined;
  const isFull = source.isBatch && source.batch !== undefined;
  return {
    ...{ loop: loopStatedAt(node), node, conditions: [], isChosen: false },
    pause: { ...pause, abort: undefined },
    rest,
    variant: isFull ? 'full-batch' : 'after-work',
    of: 'jobs',
    // What the step has taken, only the step sees.
    source: { ...source, name: `${nameOfFunction(step.node) || 'the step'}()`, result: undefined },
    ...{ works: [], isBeside: false, batch: source.batch, isBatchByDefault: false },
    external: workForOthers(step.file, { body: bodyOf(step.node) }, step.node),
  };
}

function mayHoldFunction(file: FileFacts, argument: Node): boolean {
  if (argument.type !== 'ObjectExpression') return mayBeFunction(file, argument);
  return argument.properties.some((it) => it.type === 'Property' && mayBeFunction(file, it.value));
}

function mayBeFunction(file: FileFacts, argument: Node): boolean {
  if (isFunction(argument)) return true;
  // `{ step: this.sendNext }`, `outbox.sendNext`
  if (argument.type === 'MemberExpression') return mayHaveMethods(file, argument.object);
  const [definition] = (argument.type === 'Identifier' && file.variableOf(argument)?.defs) || [];
  if (definition?.type === 'Variable') return isFunction(definition.node.init);
  return definition?.type === 'FunctionName' || definition?.type === 'ImportBinding';
}

/** Not what is read or received in between: `order.id`. */
function mayHaveMethods(file: FileFacts, object: Node): boolean {
  if (object.type !== 'Identifier') return true;
  const [definition] = file.variableOf(object)?.defs ?? [];
  if (definition?.type !== 'Variable') return definition?.type === 'ImportBinding';
  const { init } = definition.node;
  return init?.type === 'NewExpression' || init?.type === 'ObjectExpression';
}

/** What a loop that only runs what it is given rests for is in the calls that give it. */
export function restsForCallers(file: FileFacts, { node }: Loop): boolean {
  for (let fn = functionAround(node); fn; fn = functionAround(fn))
    if (pacerOf(file, fn)) return true;
  const owner = classAround(node)?.node;
  return owner !== undefined && classPacerOf(file, owner) !== undefined;
}

/** One run of the step is one iteration, and all of it stands in that function. */
function sourceOfStep({ file, node }: FunctionValue): WorkSource | undefined {
  const { effects } = behaviourOfFunction({ kind: 'function', file, node });
  const around = () => effects;
  const [claim] = awaitsIn(bodyOf(node)).flatMap((it) => claimAt(file, it) ?? []);
  return (
    provedSource({ file, node, call: undefined, effects, body: bodyOf(node), around }) ?? claim
  );
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

/** What runs a function that it is given again and again, and rests after each run. */
interface Pacer {
  /** The part of what it is given that it runs. */
  readonly step: Part;
  /** The same of the time; undefined where it has its own. */
  readonly time: Part | undefined;
  readonly rest: LoopPause;
}

const pacerOf = query(
  'pacer',
  (file: FileFacts, fn: FunctionNode): Pacer | undefined =>
    pacerIn(file, fn, (it) => partGivenTo(file, it, fn)),
  { whileCyclic: undefined, isCompared: false },
);

const classPacerOf = query(
  'pacer that is constructed',
  (file: FileFacts, owner: ClassNode): Pacer | undefined => {
    // no veto: nothing is given.
    if (!constructorOf(owner)) return undefined;
    for (const it of bodyOf(owner.body)) {
      const fn = it.type === 'MethodDefinition' && isFunction(it.value) ? it.value : undefined;
      const pacer = fn && pacerIn(file, fn, (part) => partGivenToClass(file, part, owner));
      if (pacer) return pacer;
    }
    return undefined;
  },
  { whileCyclic: undefined, isCompared: false },
);

function pacerIn(
  file: FileFacts,
  fn: FunctionNode,
  partAt: (node: Node) => Part | undefined,
): Pacer | undefined {
  const { runs = [], rest } = restingLoopIn(file, fn) ?? {};
  const [step] = runs.flatMap((it) => {
    const called = calledBehind(it);
    return called && !isMethodOfClass(file, called) ? (partAt(called) ?? []) : [];
  });
  const time = rest?.pause.time;
  return rest && step && { step, time: time?.file === file ? partAt(time.node) : undefined, rest };
}

/** A class that runs a method of its subclasses again and again, and rests after each run. */
interface PacingClass {
  /** The name of the method. */
  readonly step: string;
  readonly rest: LoopPause;
}

const pacingClass = query(
  'pacing class',
  (file: FileFacts, { body }: ClassNode): PacingClass | undefined => {
    for (const it of bodyOf(body)) {
      const fn = it.type === 'MethodDefinition' && isFunction(it.value) ? it.value : undefined;
      const { runs = [], rest } = (fn && restingLoopIn(file, fn)) ?? {};
      const [step] = runs.flatMap((run) => ownMember(calledBehind(run)) ?? []);
      if (rest && step !== undefined) return { step: stepBehind(body, step), rest };
    }
    return undefined;
  },
  { whileCyclic: undefined, isCompared: false },
);

/** `step` behind `guarded()`, which only waits for that, and is in the class itself. */
function stepBehind(body: ClassNode['body'], name: string, distance = 0): string {
  const own = bodyOf(body).find(
    (it) => it.type === 'MethodDefinition' && propertyName(it) === name,
  );
  const fn = own?.type === 'MethodDefinition' && isFunction(own.value) ? own.value : undefined;
  const [inner, ...others] = fn ? awaitsIn(bodyOf(fn)) : [];
  const called = inner && others.length === 0 ? ownMember(calledBehind(inner)) : undefined;
  // no veto: two methods that wait for each other.
  return called === undefined || distance > 2 ? name : stepBehind(body, called, distance + 1);
}

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
  const loop =
    loopsWithin(file, fn).find((it) => isEndless(it.node)) ??
    loopsOf(file).find(({ rounds, body }) => rounds.length > 0 && contains(fn, body));
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
