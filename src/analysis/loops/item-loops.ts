import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, functionAround, isLoop, propertyName, walk, type Node } from '../syntax/ast.ts';
import { countsSlices, isOverSlices, SLICES, stepOf, takesTuple } from './batches.ts';
import { type Behaviour, knownBehaviourOf, knownBehaviourOfRound } from '../behaviour/behaviour.ts';
import type { FileFacts } from '../file/file.ts';
import { leavesOnSuccess, runsOnlyWhatIsGiven } from '../flow/given-loops.ts';
import { type Loop, runnerOf } from '../flow/loops.ts';
import { startsAt } from '../syntax/places.ts';
import { wordsOf } from '../syntax/words.ts';

/** What three iterations pay, nobody notices. */
const FEW_ITERATIONS = 3;

const RETRY = /\b(?:attempts?|retr(?:y|ies)|tries|try)\b/;

/** Whether a loop goes over data, one element an iteration: no poll, no batches, no second attempts, and no few elements. */
export function isItemLoop(file: FileFacts, loop: Loop): boolean {
  return isLoopOfItems(file, loop) && !isOfFew(loop);
}

/** What it runs is analysed where that is given. */
export function runsWhatIsGiven(file: FileFacts, { node, awaits }: Loop): boolean {
  return (
    isLoop(node) &&
    runsOnlyWhatIsGiven(
      file,
      node,
      awaits.map((it) => it.node),
    )
  );
}

/** The same of any number of elements, which need not be counted for it. */
export const isLoopOfItems = query(
  'loop of items',
  (file: FileFacts, loop: Loop): boolean => isOfItems(file, loop) && !runsWhatIsGiven(file, loop),
  { whileCyclic: false },
);

/** Counting them may lead to other files: to be asked last. */
export function isOfFew({ bound }: Loop): boolean {
  return bound !== undefined && bound <= FEW_ITERATIONS;
}

/** The effects of one run of a loop's body; undefined where they are unresolved. */
export function knownBehaviourOfRun(file: FileFacts, loop: Loop): Behaviour | undefined {
  return behaviourOfRun(file, loop.body, loop);
}

const behaviourOfRun = query(
  'behaviour of a run',
  (file: FileFacts, body: Node, { node }: Loop): Behaviour | undefined => {
    const behaviourOf = isLoop(node) ? knownBehaviourOfRound : knownBehaviourOf;
    return behaviourOf(file, body, functionAround(node) ?? file.ast);
  },
  { whileCyclic: undefined, tooDeep: () => undefined, keyOf: () => '' },
);

function isOfItems(file: FileFacts, loop: Loop): boolean {
  if (!goesOverData(file, loop)) return false;
  const runner = runnerOf(loop);
  if (runner) return isOfItems(runner.file, runner.loop);
  // veto: the loop counts in steps of several elements, so an iteration handles a batch
  if ((stepOf(file, loop) ?? 1) > 1 && !takesTuple(file, loop)) return false;
  // veto: the loop counts slices of a list, so an iteration handles a batch
  if (countsSlices(file, loop)) return false;
  const said = wordsOf(headText(file, loop));
  const isBatch =
    loop.node.type === 'ForOfStatement' ? isOverSlices(file, loop) : SLICES.test(said);
  // veto: a name in the head of the loop states batches, slices, pages or attempts
  if (isBatch || RETRY.test(said)) return false;
  // veto: the first success ends the loop, or each iteration cuts a batch off the list
  if (leavesOnSuccess(loop.body) || takesSeveral(file, loop)) return false;
  return true;
}

/** `rows.splice(0, 1000)`, `rows = rows.slice(taken.length)`: an iteration is a batch. */
function takesSeveral(file: FileFacts, loop: Loop): boolean {
  const { body } = loop;
  let takes = false;
  walk(body, (it) => {
    if (it.type === 'AssignmentExpression') takes ||= isCutBySeveral(file, loop, it);
    if (it.type !== 'CallExpression' || it.callee.type !== 'MemberExpression') return;
    const [, count] = it.arguments;
    takes ||=
      propertyName(it.callee) === 'splice' && count !== undefined && file.textOf(count) !== '1';
  });
  return takes;
}

/** What the loop goes on with is what follows the batch. */
function isCutBySeveral(
  file: FileFacts,
  loop: Loop,
  { left, right }: TSESTree.AssignmentExpression,
): boolean {
  const call = bare(right);
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return false;
  const [from, to] = call.arguments;
  const rest = file.textOf(left);
  return (
    propertyName(call.callee) === 'slice' &&
    file.textOf(call.callee.object) === rest &&
    from !== undefined &&
    !to &&
    !/^[01]$/.test(file.textOf(from)) &&
    headText(file, loop).includes(rest)
  );
}

function goesOverData(file: FileFacts, { kind, node }: Loop): boolean {
  switch (kind) {
    case 'for-of':
    case 'for-in':
    case 'elements':
    case 'reduce':
    case 'series':
      return true;
    case 'for':
      return node.type === 'ForStatement' && node.test !== null && node.update !== null;
    case 'while':
      return (
        node.type === 'WhileStatement' &&
        /\.(?:length|size|shift|pop)\b/.test(file.textOf(node.test))
      );
    default:
      return false;
  }
}

function headText(file: FileFacts, { node, body, head }: Loop): string {
  return file.textBetween(startsAt(node), isLoop(node) ? startsAt(body) : head[1]);
}
