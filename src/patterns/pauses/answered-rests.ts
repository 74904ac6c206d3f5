import { bare } from '../../analysis/syntax/ast.ts';
import type { Condition } from '../../analysis/syntax/conditions.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Place } from '../../analysis/file/place.ts';
import type { FunctionValue } from '../../analysis/file/value.ts';
import { conditionsIn, type Loop } from '../../analysis/flow/loops.ts';
import { type Pause, pauseOf } from '../../analysis/flow/turns.ts';
import type { LoopPause } from '../../analysis/loops/pauses.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { atLeast, type Quantity } from '../../analysis/values/quantity.ts';
import {
  type Answered,
  answersOf,
  isMetBy,
  restAfter,
  timeAfter,
  timeOfReplaced,
} from './answers.ts';
import { timeByMakers } from './given-times.ts';
import { resultVariable } from './result-variable.ts';
import { sourceOf } from './work-sources.ts';

/** Whether code under a condition runs after each answer that a step gives once it has done a piece of work. */
export function isMetAfterWork(answers: readonly Answered[], condition: Condition): boolean {
  return answers.length > 0 && answers.every((it) => isMetBy(it, condition) === true);
}

/** Rests in a function that is given the answer of the step: `await this.pacing.after(outcome)`. */
export function answeredRests(
  file: FileFacts,
  loop: Loop,
  sourceNames: readonly string[],
): readonly LoopPause[] {
  return callsWithResults(file, loop).flatMap(({ node, call }) => {
    const source = sourceOf(file, loop, sourceNames);
    const answers = source ? answersOf(file, source.node) : [];
    const pause = onlyRest(answers.map((it) => restAfter(it, call)));
    const conditions = conditionsIn(loop, node);
    return pause?.kind === 'sleep' ? [{ loop, pause, node, conditions, isChosen: false }] : [];
  });
}

/** The awaited calls that are given what an await of the same round has answered. */
function callsWithResults(file: FileFacts, loop: Loop) {
  const nodes = loop.awaits.map((it) => it.node);
  // no veto: spares most loops the question.
  if (!loop.isSequential || nodes.length < 2) return [];
  const results = new Set(nodes.flatMap((it) => resultVariable(file, it) ?? []));
  return nodes.flatMap((node) => {
    const call = node.type === 'AwaitExpression' ? bare(node.argument) : node;
    // no veto: the others are pauses by themselves.
    if (call.type !== 'CallExpression' || pauseOf(file, call)) return [];
    const isGiven = call.arguments.some(
      (it) => it.type === 'Identifier' && mentions(file, it, results),
    );
    return isGiven ? [{ node, call }] : [];
  });
}

/** The pause that all of them are. */
function onlyRest(rests: readonly (Pause | undefined)[]): Pause | undefined {
  const [first] = rests;
  return first && rests.every((it) => it?.duration.value === first.duration.value)
    ? first
    : undefined;
}

/** The pause with the time that it has after work, where the answer of the step decides it, or what makes the object of the loop. */
export function withTime(answers: readonly Answered[], pause: Pause): Pause {
  const decided = withTimeAfterWork(answers, pause);
  return decided.duration.value === undefined
    ? { ...pause, duration: timeByMakers(pause) }
    : decided;
}

/** A rest whose time has a random part, after work of the program's own: it rests no less than that time without it. */
export function withLeastTime(pause: Pause): Pause {
  return { ...pause, duration: atLeast(pause.duration) };
}

/** The same where only the answer may. */
export function withTimeAfterWork(answers: readonly Answered[], pause: Pause): Pause {
  const { duration } = pause;
  const decided = duration.value === undefined ? timeAfterWork(answers, pause) : undefined;
  return decided ? { ...pause, duration: decided } : pause;
}

/** `sleep(restAfter(outcome))`: the time that it is after each answer. */
function timeAfterWork(answers: readonly Answered[], { time }: Pause): Quantity | undefined {
  return onlyTime(
    answers.map((it) => (time?.file === it.file ? timeAfter(it, time.node) : undefined)),
  );
}

/** The same of `sleep(this.nextDelay(handled))`, where a subclass has replaced the method. */
export function timeOfMethodAfterWork(
  answers: readonly Answered[],
  time: Place,
  method: FunctionValue,
): Quantity | undefined {
  return onlyTime(answers.map((it) => timeOfReplaced(it, time.node, method)));
}

function onlyTime(times: readonly (Quantity | undefined)[]): Quantity | undefined {
  const [first] = times;
  const isOne = first?.value !== undefined && times.every((it) => it?.value === first.value);
  return isOne ? first : undefined;
}
