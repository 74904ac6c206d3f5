import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { type Loop, loopsOf, loopsWithin } from '../../analysis/flow/loops.ts';
import type { Pause } from '../../analysis/flow/turns.ts';
import { type LoopPause, pausesOf } from '../../analysis/loops/pauses.ts';
import { partGivenTo, partGivenToClass } from '../../analysis/provenance/given-fields.ts';
import type { Part } from '../../analysis/provenance/given-parts.ts';
import {
  bare,
  calledName,
  type ClassNode,
  contains,
  type FunctionNode,
  isFunction,
  type LoopNode,
  type Node,
  propertyName,
} from '../../analysis/syntax/ast.ts';
import { constructorOf } from '../../analysis/syntax/constructors.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { startsAt } from '../../analysis/syntax/places.ts';
import { ownMember, timeGivenToClass } from './given-times.ts';
import { isTestedBy } from './pacing.ts';
import { resultVariable } from './result-variable.ts';
import { awaitsIn, isMethodOfClass } from './work.ts';

/** What runs a function that it is given again and again, and rests after each run. */
export interface Pacer extends RestingLoop {
  /** The part of what it is given that it runs. */
  readonly step: Part;
  /** The same of the time; undefined where it has its own. */
  readonly time: Part | undefined;
  /** The same of what rests, where that is given, too: `await this.rest.take()`. */
  readonly restsBy: Part | undefined;
}

export const pacerOf = query(
  'pacer',
  (file: FileFacts, fn: FunctionNode): Pacer | undefined =>
    pacerIn(file, fn, {
      stepAt: (it) => partGivenTo(file, it, fn),
      timeAt: (it) => partGivenTo(file, it, fn),
    }),
  { whileCyclic: undefined, isCompared: false },
);

export const classPacerOf = query(
  'pacer that is constructed',
  (file: FileFacts, owner: ClassNode): Pacer | undefined => {
    // no veto: nothing is given.
    if (!constructorOf(owner)) return undefined;
    for (const it of bodyOf(owner.body)) {
      const fn = it.type === 'MethodDefinition' && isFunction(it.value) ? it.value : undefined;
      const pacer =
        fn &&
        pacerIn(file, fn, {
          stepAt: (part) => partGivenToClass(file, part, owner),
          timeAt: (part) => timeGivenToClass(file, part, owner),
        });
      if (pacer) return pacer;
    }
    return undefined;
  },
  { whileCyclic: undefined, isCompared: false },
);

function pacerIn(
  file: FileFacts,
  fn: FunctionNode,
  { stepAt, timeAt }: Readonly<Record<'stepAt' | 'timeAt', (node: Node) => Part | undefined>>,
): Pacer | undefined {
  const givenAt = (awaited: Node) => {
    const called = calledBehind(awaited);
    return called && !isMethodOfClass(file, called) ? stepAt(called) : undefined;
  };
  const found = restingLoopIn(file, fn, givenAt);
  const [step] = (found?.runs ?? []).flatMap((it) => givenAt(it) ?? []);
  const time = found?.pause?.time;
  if (!found || !step) return undefined;
  return {
    ...found,
    step,
    time: time?.file === file ? timeAt(time.node) : undefined,
    restsBy: found.pause ? undefined : givenAt(found.rest.node),
  };
}

/** A class that runs a method of its subclasses again and again, and rests after each run. */
export interface PacingClass extends RestingLoop {
  /** The name of the method. */
  readonly step: string;
  readonly pause: Pause;
}

export const pacingClass = query(
  'pacing class',
  (file: FileFacts, { body }: ClassNode): PacingClass | undefined => {
    for (const it of bodyOf(body)) {
      const fn = it.type === 'MethodDefinition' && isFunction(it.value) ? it.value : undefined;
      const found = fn && restingLoopIn(file, fn);
      const [step] = (found?.runs ?? []).flatMap((run) => ownMember(calledBehind(run)) ?? []);
      if (found?.pause && step !== undefined)
        return { ...found, pause: found.pause, step: stepBehind(body, step) };
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

/** An endless loop that rests after each run, or after those that have answered so. */
export interface RestingLoop {
  readonly file: FileFacts;
  readonly rest: Pick<LoopPause, 'node' | 'conditions'>;
  /** Undefined where what rests is given. */
  readonly pause: Pause | undefined;
  /** What each run awaits before it rests. */
  readonly runs: readonly Node[];
  /** The name of what a run answers, which may decide whether and how long the loop rests. */
  readonly answer: Variable | undefined;
}

/**
 * The endless loop of a function that rests after each run, or after those that have answered so; `givenAt` is the part that an
 * awaited call runs of what the function is given.
 */
function restingLoopIn(
  file: FileFacts,
  fn: FunctionNode,
  givenAt: (awaited: Node) => Part | undefined = () => undefined,
): RestingLoop | undefined {
  const loop =
    loopsWithin(file, fn).find((it) => isEndless(it.node)) ??
    loopsOf(file).find(({ rounds, body }) => rounds.length > 0 && contains(fn, body));
  // no veto: there is no such loop.
  if (!loop) return undefined;
  const sleeps = pausesOf(file, loop).filter(({ pause }) => pause.kind === 'sleep');
  const rests = sleeps.length > 0 ? sleeps : givenRests(loop, givenAt);
  for (const { pause, ...rest } of rests) {
    const runs = loop.awaits.flatMap(({ node, conditions }) =>
      startsAt(node) < startsAt(rest.node) && conditions.length === 0 ? [node] : [],
    );
    const answer = runs.flatMap((it) => resultVariable(file, it) ?? [])[0];
    if (!isAfterRun(file, rest, answer)) continue;
    // veto: an abort signal that the loop does not test can end the pause early
    if (pause?.abort && !isTestedBy(file, loop.node, pause.abort)) return undefined;
    return { file, rest, pause, runs, answer };
  }
  return undefined;
}

/** `await this.rest.take()` at the end of an iteration: it may rest, as what is given decides. */
function givenRests(
  loop: Loop,
  givenAt: (awaited: Node) => Part | undefined,
): readonly (RestingLoop['rest'] & Pick<RestingLoop, 'pause'>)[] {
  const last = loop.awaits.at(-1);
  // no veto: the step alone is no rest.
  if (!last || loop.awaits.length < 2 || !givenAt(last.node)) return [];
  return [{ node: last.node, conditions: last.conditions, pause: undefined }];
}

/** After each run, or as its answer says: not after a failure, nor where something else or the end of the loop decides. */
function isAfterRun(
  file: FileFacts,
  { conditions }: Pick<LoopPause, 'conditions'>,
  answer: Variable | undefined,
): boolean {
  return conditions.every(
    ({ test, leaves }) =>
      answer &&
      test &&
      mentions(file, test, new Set([answer])) &&
      leaves.every((it) => it === 'continue'),
  );
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
