import type { TSESTree } from '@typescript-eslint/utils';
import { collect } from '../../engine/regions.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { behaviourOf, behaviourOfFunction } from '../../analysis/behaviour/behaviour.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Place } from '../../analysis/file/place.ts';
import type { FunctionValue, Value } from '../../analysis/file/value.ts';
import { type Loop, loopAround, loopsWithin } from '../../analysis/flow/loops.ts';
import { type Pause, pauseInCall } from '../../analysis/flow/turns.ts';
import { onlyWaitOf } from '../../analysis/flow/only-waits.ts';
import { wayTo } from '../../analysis/loops/effect-places.ts';
import { partGivenTo } from '../../analysis/provenance/given-fields.ts';
import {
  givenFor,
  isLeftOut,
  optionalPartAt,
  type Part,
} from '../../analysis/provenance/given-parts.ts';
import { callersOf } from '../../analysis/provenance/callers.ts';
import { memberOf as memberOfValue } from '../../analysis/provenance/members.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import {
  bare,
  classAround,
  type ClassNode,
  contains,
  functionAround,
  type FunctionNode,
  isFunction,
  isLoop,
  type Node,
  propertyName,
} from '../../analysis/syntax/ast.ts';
import { returnedExpressions } from '../../analysis/syntax/calls.ts';
import { conditionsOn } from '../../analysis/syntax/conditions.ts';
import { constructorOf, superCallIn } from '../../analysis/syntax/constructors.ts';
import { nameOfFunction } from '../../analysis/syntax/function-names.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { rangeOf } from '../../analysis/syntax/places.ts';
import { type Quantity, unknownQuantity } from '../../analysis/values/quantity.ts';
import { quantityOf } from '../../analysis/values/values.ts';
import { type Answered, answersOfStep } from './answers.ts';
import {
  isMetAfterWork,
  timeOfMethodAfterWork,
  withLeastTime,
  withTime,
  withTimeAfterWork,
} from './answered-rests.ts';
import { type Given, numberGiven, ownMember, partOfCall, timeGivenToClass } from './given-times.ts';
import type { HotSleep } from './hot-sleep.ts';
import { workForOthers } from './other-services.ts';
import { classPacerOf, type Pacer, pacerOf, pacingClass, type RestingLoop } from './pacers.ts';
import { resultVariable } from './result-variable.ts';
import { awaitsIn } from './work.ts';
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
  const step = pacer && functionGiven(file, call, pacer.step);
  // no veto: another call.
  if (!pacer || !step) return undefined;
  const answers = answersIn(step, pacer, (it) => numberOfLoop(file, call, pacer, it));
  // veto: the loop behind the call does not pause after a step that handled work
  if (!restsAfter(answers, pacer)) return undefined;
  const pause = pacer.pause
    ? pauseGiven(file, call, callee, { ...pacer, pause: pacer.pause })
    : pauseOfGivenRest(file, call, pacer);
  const rest = { file: callee.file, node: pacer.rest.node };
  return pause && sleepAfter(step, call, { rest, pause: withTime(answers, pause) });
}

/** The function that a call gives for a part, also as the method of an object: `run` of `new Sending(pool)`. */
function functionGiven(file: FileFacts, call: CallNode, part: Part): FunctionValue | undefined {
  const node = givenFor(call.arguments, part);
  const owner = node ? undefined : call.arguments[part.index];
  const value = node
    ? valueOf(file, node)
    : owner && part.member !== undefined
      ? memberOfValue(valueOf(file, owner), part.member, { file, node: owner })
      : undefined;
  return value?.kind === 'function' ? value : undefined;
}

/** `await this.rest.take()`, where the call that gives the step gives the rest, too. */
function pauseOfGivenRest(
  file: FileFacts,
  call: CallNode,
  { file: owner, rest, restsBy }: Pacer,
): Pause | undefined {
  const taken = restsBy && functionGiven(file, call, restsBy);
  const wait = taken && onlyWaitOf(taken);
  const awaited = rest.node.type === 'AwaitExpression' ? bare(rest.node.argument) : undefined;
  // no veto: it waits for something else.
  if (!wait || awaited?.type !== 'CallExpression') return undefined;
  // veto: the function that the call passes for the pause sleeps only under a condition
  if (conditionsOn(wait, bodyOf(taken.node)).length > 0) return undefined;
  const pause = pauseInCall(owner, awaited, taken, wait);
  return pause && { ...pause, through: [taken, ...pause.through] };
}

/** What the step answers once it has done a piece of work, as the loop names it. */
function answersIn(
  step: FunctionValue,
  { file, answer: variable }: RestingLoop,
  numberAt?: (node: Node) => number | undefined,
): readonly Answered[] {
  return variable
    ? answersOfStep(step).map((answer) => ({ file, variable, answer, numberAt }))
    : [];
}

/** Whether the loop rests after a run that has done a piece of work. */
function restsAfter(answers: readonly Answered[], { rest }: RestingLoop): boolean {
  return rest.conditions.every((it) => isMetAfterWork(answers, it));
}

/** A number that the loop is given with the step, or that is its default: `batchSize` of `handled >= batchSize`. */
function numberOfLoop(
  file: FileFacts,
  call: CallNode,
  { file: owner, step: { fn } }: Pacer,
  node: Node,
): number | undefined {
  const part = optionalPartAt(owner, node);
  return part?.fn === fn ? numberGiven(file, call.arguments, { owner, part }) : undefined;
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
  { time, pause: own }: Pacer & { readonly pause: Pause },
): Pause | undefined {
  if (callee.kind !== 'function' || call.type !== 'CallExpression' || time?.member !== undefined) {
    return time && !isLeftOut(call.arguments, time)
      ? { ...own, duration: partOfCall(file, call.arguments, time) }
      : own;
  }
  const pause = pauseInCall(file, call, callee, own.node);
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
  // veto: the subclass overrides the method that pauses
  if (pacer.pause.through.some((it) => isReplacedBy(owner, it))) return undefined;
  const fn = { kind: 'function', file, node: step.value } as const;
  const answers = answersIn(fn, pacer);
  // veto: the loop of the parent class does not pause after a step that handled work
  if (!restsAfter(answers, pacer)) return undefined;
  const { pause } = pacer;
  const stated = timeOfSubclass({ file, owner, parent, answers }, pause);
  return sleepAfter(fn, stated?.node ?? step.key, {
    rest: { file: parent.file, node: pacer.rest.node },
    pause: stated ? { ...pause, duration: stated.duration } : withTimeAfterWork(answers, pause),
  });
}

function isReplacedBy(owner: ClassNode, { node }: FunctionValue): boolean {
  const { parent } = node;
  const name = parent.type === 'MethodDefinition' ? propertyName(parent) : undefined;
  return name !== undefined && memberOf(owner, name) !== undefined;
}

interface Subclass {
  readonly file: FileFacts;
  readonly owner: ClassNode;
  readonly parent: Extract<Value, { kind: 'class' }>;
  /** Of its step, after work. */
  readonly answers: readonly Answered[];
}

/** Where a subclass states the time of the pause in its parent, and the time. */
function timeOfSubclass(
  { file, owner, parent, answers }: Subclass,
  { time }: Pause,
): { readonly node: Node; readonly duration: Quantity } | undefined {
  // no veto: stated elsewhere for all of them.
  if (!time || time.file !== parent.file) return undefined;
  const own = memberInPlace(owner, time.node);
  if (own) return { node: own, duration: quantityOfMember(file, own, { time, answers }) };
  const part = timeGivenToClass(parent.file, time.node, parent.node);
  const fn = constructorOf(owner);
  const call = part && fn && superCallIn(fn);
  return call && !isLeftOut(call.arguments, part)
    ? { node: call, duration: quantityGiven(file, call.arguments, part, fn) }
    : undefined;
}

/** What a subclass has in place of `this.pauseMs`, or of the method in `this.pauseMs()`. */
function memberInPlace(owner: ClassNode, time: Node): Member | undefined {
  const name = ownMember(time.type === 'CallExpression' ? bare(time.callee) : time);
  return name === undefined ? undefined : memberOf(owner, name);
}

/** The time that a member states, where it has one, or after the answers that a method is given. */
function quantityOfMember(
  file: FileFacts,
  { value }: Member,
  { time: asked, answers }: Pick<Subclass, 'answers'> & { readonly time: Place },
): Quantity {
  const [time, ...others] = isFunction(value) ? returnedExpressions(value) : [value];
  const own = time && others.length === 0 ? quantityOf(file, time) : unknownQuantity();
  if (own.value !== undefined || !isFunction(value)) return own;
  const method = { kind: 'function', file, node: value } as const;
  return timeOfMethodAfterWork(answers, asked, method) ?? own;
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

type Member = TSESTree.MethodDefinition | TSESTree.PropertyDefinition;

function memberOf({ body }: ClassNode, name: string): Member | undefined {
  return bodyOf(body).find(
    (it): it is Member =>
      (it.type === 'MethodDefinition' || it.type === 'PropertyDefinition') &&
      propertyName(it) === name,
  );
}

type CallNode = TSESTree.CallExpression | TSESTree.NewExpression;

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
  // veto: a step handles rows without a resolved limit, so it can finish all open work before the pause
  if (source.most === undefined && (source.isBatch || isForEach(step))) return undefined;
  const external = workForOthers(step.file, { body: bodyOf(step.node) }, step.node);
  const timed = external ? pause : withLeastTime(pause);
  return {
    ...{ loop: loopStatedAt(node), node, conditions: [], isChosen: false },
    pause: { ...timed, abort: undefined },
    rest,
    variant: source.isBatch && source.batch !== undefined ? 'full-batch' : 'after-work',
    of: 'jobs',
    // What the step has taken, only the step sees.
    source: { ...source, name: `${nameOfFunction(step.node) || 'the step'}()`, result: undefined },
    ...{ works: [], isBeside: false, batch: source.batch, isBatchByDefault: false },
    external,
  };
}

/** `for (const title of pending)`, where `pending` is what the step has asked for. */
function isForEach({ file, node }: FunctionValue): boolean {
  const answers = new Set(awaitsIn(bodyOf(node)).flatMap((it) => resultVariable(file, it) ?? []));
  return loopsWithin(file, node).some(({ over }) => over && mentions(file, over, answers));
}

function mayHoldFunction(file: FileFacts, argument: Node): boolean {
  if (argument.type !== 'ObjectExpression') return mayBeFunction(file, argument);
  return argument.properties.some((it) => it.type === 'Property' && mayBeFunction(file, it.value));
}

function mayBeFunction(file: FileFacts, argument: Node): boolean {
  // The method of an object may be the step, too.
  if (isFunction(argument) || argument.type === 'NewExpression') return true;
  // `{ step: this.sendNext }`, `outbox.sendNext`
  if (argument.type === 'MemberExpression') return mayHaveMethods(file, argument.object);
  const [definition] = (argument.type === 'Identifier' && file.variableOf(argument)?.defs) || [];
  if (definition?.type === 'Variable') {
    const { init } = definition.node;
    return isFunction(init) || init?.type === 'NewExpression';
  }
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

/** What a loop that only runs what it is given rests for is in the calls that give it, or in the subclasses. */
export function restsForCallers(file: FileFacts, { node }: Loop): boolean {
  for (let fn = functionAround(node); fn; fn = functionAround(fn))
    if (pacerOf(file, fn)) return true;
  const owner = classAround(node)?.node;
  if (!owner) return false;
  return classPacerOf(file, owner) !== undefined || isLeftToSubclasses(file, owner);
}

/** `abstract step(): Promise<boolean>`, which the loop runs. */
function isLeftToSubclasses(file: FileFacts, owner: ClassNode): boolean {
  const step = pacingClass(file, owner)?.step;
  return bodyOf(owner.body).some(
    (it) =>
      it.type === 'TSAbstractMethodDefinition' &&
      it.key.type === 'Identifier' &&
      it.key.name === step,
  );
}

/** One run of the step is one iteration, and all of it stands in that function. */
function sourceOfStep({ file, node }: FunctionValue): WorkSource | undefined {
  const { effects } = behaviourOfFunction({ kind: 'function', file, node });
  const around = () => effects;
  const [claim] = awaitsIn(bodyOf(node)).flatMap((it) => claimAt(file, it) ?? []);
  const proved = provedSource({ file, node, call: undefined, effects, body: bodyOf(node), around });
  // What claims it is given how many at most.
  return proved && claim && proved.most === undefined ? claim : (proved ?? claim);
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
