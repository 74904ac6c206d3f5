import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { partGivenTo } from '../provenance/given-fields.ts';
import { givenFor } from '../provenance/given-parts.ts';
import { bare, contains, functionAround, type Node } from '../syntax/ast.ts';
import { argumentsOf, isCall } from '../syntax/calls.ts';
import { completes, type Condition, conditionsOn, exitsOf } from '../syntax/conditions.ts';
import type { FileFacts } from '../file/file.ts';
import { conditionsIn, type Loop } from '../flow/loops.ts';
import type { Round } from '../flow/rounds.ts';
import { startsAt } from '../syntax/places.ts';
import { type Pause, pauseOf, timerCallPause } from '../flow/turns.ts';
import { restUntilEnd } from './rests-until-end.ts';

/** A pause that belongs to one iteration of a loop. */
export interface LoopPause {
  readonly loop: Loop;
  readonly pause: Pause;
  /** The underlined part of a report: the await, or the timer that starts the next iteration. */
  readonly node: Node;
  readonly conditions: readonly Condition[];
  /** One of two times, by a test: `setTimeout(run, job ? 20 : 1000)`. */
  readonly isChosen: boolean;
}

/** The pauses between the iterations of a sequential loop: those after which the next iteration can follow. */
export function pausesOf(file: FileFacts, loop: Loop): readonly LoopPause[] {
  return loop.isSequential ? pausesBetween(file, loop) : [];
}

const pausesBetween = query(
  'pauses',
  (file: FileFacts, loop: Loop): readonly LoopPause[] => {
    const awaited = loop.awaits.flatMap(({ node }) =>
      node.type === 'AwaitExpression' ? pausesIn(file, loop, node, node.argument) : [],
    );
    return [...awaited, ...timerPauses(file, loop), ...returnedPauses(file, loop)].filter((it) =>
      isBeforeNext(loop, it.node),
    );
  },
  { whileCyclic: [], isCompared: false },
);

function pausesIn(file: FileFacts, loop: Loop, node: Node, argument: Node): LoopPause[] {
  return alternatives(argument).flatMap((it) => {
    const pause = pauseOf(file, it) ?? restUntilEnd(file, loop, it);
    return pause
      ? [{ loop, pause, node, conditions: conditionsIn(loop, it), isChosen: false }]
      : [];
  });
}

/** `await (job ? undefined : sleep(100))`: what may be awaited. */
function alternatives(node: Node): readonly Node[] {
  const it = bare(node);
  switch (it.type) {
    case 'ConditionalExpression':
      return [...alternatives(it.consequent), ...alternatives(it.alternate)];
    case 'LogicalExpression':
      return alternatives(it.right);
    default:
      return [it];
  }
}

function timerPauses(file: FileFacts, loop: Loop): LoopPause[] {
  return loop.rounds.flatMap((round) => {
    if (!round.timer || round.isAwaited) return [];
    const { timer } = round;
    // A timer in a function that schedules the next round is set where that function is called.
    const isHere = contains(loop.body, timer);
    const [, stated] = timer.arguments;
    const given = isHere || !stated ? undefined : timeGiven(file, round, stated);
    const time = given ?? stated;
    const times = time && (isHere || given) ? timesOf(time) : [time];
    return times.flatMap((it) => {
      const pause = timerCallPause(file, timer, it);
      const place = times.length > 1 ? it! : isHere ? timer : round.node;
      const conditions = conditionsIn(loop, place);
      return pause ? [{ loop, pause, node: timer, conditions, isChosen: times.length > 1 }] : [];
    });
  });
}

/** What a call gives the function that sets the timer: `this.schedule(this.restMs)`. */
function timeGiven(file: FileFacts, { node, timer }: Round, stated: Node): Node | undefined {
  const fn = timer && functionAround(timer);
  const part = fn && partGivenTo(file, stated, fn);
  return part && isCall(node) ? givenFor(argumentsOf(node), part) : undefined;
}

/** `job ? 20 : 1000`: each of the times that a test chooses from. */
function timesOf(node: Node): readonly Node[] {
  const it = bare(node);
  return it.type === 'ConditionalExpression' ? [it.consequent, it.alternate] : [it];
}

/** `return sleep(100).then(() => run())`. */
function returnedPauses(file: FileFacts, loop: Loop): LoopPause[] {
  const awaited = loop.rounds.filter((it) => it.isAwaited);
  return awaited.flatMap((round) => {
    for (let it: Node | undefined = round.node; it && it !== loop.body; it = it.parent) {
      if (it.type === 'ReturnStatement' && it.argument && it.argument.type !== 'AwaitExpression') {
        return pausesIn(file, loop, it.argument, it.argument);
      }
    }
    return [];
  });
}

/** Whether the next iteration can follow `node` without a detour through an error. */
function isBeforeNext(loop: Loop, node: Node): boolean {
  if (loop.rounds.length > 0) {
    return loop.rounds.some(
      (it) =>
        contains(node, it.node) ||
        !contains(loop.body, node) ||
        (startsAt(it.node) > startsAt(node) && areCompatible(node, it.node, loop.body)),
    );
  }
  for (
    let it = node, parent = it.parent;
    parent && it !== loop.body;
    it = parent, parent = it.parent
  ) {
    const rest = statementsAfter(parent, it);
    const leaving = rest.find((statement) => !completes(statement));
    if (!leaving) continue;
    return isOnlyContinue(loop, leaving);
  }
  return true;
}

function isOnlyContinue({ node }: Loop, statement: Node): boolean {
  const next = node.type === 'CallExpression' ? 'return' : 'continue';
  return exitsOf(statement).every((it) => it === next);
}

function statementsAfter(parent: Node, child: Node): readonly TSESTree.Statement[] {
  if (parent.type !== 'BlockStatement') return [];
  return parent.body.slice(parent.body.indexOf(child as TSESTree.Statement) + 1);
}

/** Whether one run can pass both: they do not stand in the two branches of one `if`. */
function areCompatible(a: Node, b: Node, root: Node): boolean {
  const others = new Map(conditionsOn(b, root).map((it) => [it.node, it.holds]));
  return conditionsOn(a, root).every(
    (it) =>
      it.kind === 'exit' || others.get(it.node) === undefined || others.get(it.node) === it.holds,
  );
}
