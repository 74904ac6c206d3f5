import { valueOf } from '../provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  functionAround,
  type FunctionNode,
  isNamed,
  type Node,
  propertyName,
  walkOwn,
} from '../syntax/ast.ts';
import { countsSlices, isOverSlices, takesTuple } from './batches.ts';
import { readsClock } from '../provenance/clock.ts';
import { conditionsOn, handlersAround, isProcessExit } from '../syntax/conditions.ts';
import type { FileFacts } from '../file/file.ts';
import { isRefusal } from '../flow/failures.ts';
import { outcomeOf } from '../flow/outcomes.ts';
import { awaitedBy, type Wait } from '../flow/given-waits.ts';
import { type Loop, runnerOf } from '../flow/loops.ts';
import { mentions } from '../syntax/mentions.ts';
import { nameOfFunction } from '../syntax/function-names.ts';
import { wordsOf } from '../syntax/words.ts';
import { alternativesOf } from '../file/value.ts';
import { resultsOf, variantsOf } from './variants.ts';

/** Over things that exist before the loop starts: `for … of`, `for … in`, and counting up to a length. */
export function isOverCollection(file: FileFacts, loop: Loop): boolean {
  const { kind, node } = loop;
  const runner = runnerOf(loop);
  if (runner) return isOverCollection(runner.file, runner.loop);
  // no veto: such a loop goes over what is there.
  if (kind === 'for-of' || kind === 'for-in') return true;
  // no veto: what a `while` goes over may be made on the way.
  if (node.type !== 'ForStatement') return false;
  const test = node.test;
  return (
    test?.type === 'BinaryExpression' &&
    /^<=?$/.test(test.operator) &&
    /\.length\b/.test(file.textOf(test.right))
  );
}

/**
 * Whether what one iteration finds may keep the next from running: by a jump out of the loop, a `yield` after which the
 * caller may stop, the end of the process, or an error that the body throws and does not catch, also through a function
 * that does nothing else. Started together, all would run. `isLeft`: whether a `throw` counts.
 */
export function leavesEarly(
  file: FileFacts,
  loop: Loop,
  isLeft: (node: TSESTree.ThrowStatement) => boolean = () => true,
): boolean {
  const { body, node } = loop;
  // A `try` of the body catches it, and the loop goes on.
  const isCaught = (it: Node) => handlersAround(it, body).length > 0;
  const runner = runnerOf(loop);
  let leaves = runner !== undefined && leavesEarly(runner.file, runner.loop, isLeft);
  walkOwn(body, (it) => {
    switch (it.type) {
      case 'ReturnStatement':
        // From a function that something else calls, it is the end of the iteration.
        leaves ||= node.type !== 'CallExpression';
        break;
      case 'YieldExpression':
        leaves = true;
        break;
      case 'BreakStatement':
        leaves ||= it.label !== null || breakTarget(it) === node;
        break;
      case 'ContinueStatement':
        leaves ||= it.label !== null || isOutOfTime(file, it, loop);
        break;
      case 'CallExpression':
        leaves ||= isProcessExit(it);
        leaves ||= !isCaught(it) && isRefusal(file, it) && mayBePassedOver(it, body);
        break;
      case 'ThrowStatement':
        leaves ||= !isCaught(it) && !isRethrow(it, body) && isLeft(it);
        break;
    }
    return !leaves;
  });
  return leaves;
}

/** `const part = await find(id); if (!part) throw new Missing(id)`: each element is expected to be there. */
export function isForMissing(file: FileFacts, loop: Loop, node: TSESTree.ThrowStatement): boolean {
  const results = resultsOf(file, loop);
  return conditionsOn(node, loop.body).some((it) => outcomeOf(file, it, results) === 'empty');
}

/** `if (Date.now() - start > budget) continue`: the elements that are left find no time; an age of their own is another matter. */
function isOutOfTime(file: FileFacts, node: Node, loop: Loop): boolean {
  return conditionsOn(node, loop.body).some(
    ({ test }) => test && readsClock(file, test) && !mentions(file, test, variantsOf(file, loop)),
  );
}

/** What each iteration calls and only throws is there for subclasses to write: the loop would never get past it. */
function mayBePassedOver(call: Node, body: Node): boolean {
  return conditionsOn(call, body).length > 0;
}

function breakTarget(node: Node): Node | undefined {
  for (let it = node.parent; it; it = it.parent) {
    if (/^(?:For|ForOf|ForIn|While|DoWhile|Switch)Statement$/.test(it.type)) return it;
  }
  return undefined;
}

/** An error that is thrown on from a `catch` would have ended the loop by itself: it is not what the loop was looking for. */
function isRethrow(node: Node, body: Node): boolean {
  for (let it: Node = node; it !== body && it.parent; it = it.parent) {
    if (it.type === 'CatchClause') return true;
  }
  return false;
}

/** Of elements that are alike; a row may be called so, too. */
const GROUPS = /\b(?:group|partition)s?\b/;

/** Each iteration handles several elements: counted in steps, or over a value named as slices. */
export function isInSlices(file: FileFacts, loop: Loop): boolean {
  const { node, over } = loop;
  if (node.type === 'ForStatement') {
    return (countsInSteps(node) && !takesTuple(file, loop)) || countsSlices(file, loop);
  }
  if (isOverSlices(file, loop)) return true;
  // no veto: keys come one at a time.
  if (node.type !== 'ForOfStatement' || !over) return false;
  return [node.left, over].some((it) => GROUPS.test(wordsOf(file.textOf(it))));
}

function countsInSteps({ update }: TSESTree.ForStatement): boolean {
  return (
    update?.type === 'AssignmentExpression' &&
    !(update.right.type === 'Literal' && update.right.value === 1)
  );
}

/** Whether an awaited call comes back to the function around the loop: a walk down a tree. */
export function runsItself(file: FileFacts, loop: Loop, awaits: readonly Wait[]): boolean {
  const fn = functionAround(loop.node);
  const name = fn && nameOfFunction(fn);
  // no veto: a function that nobody can call by a name.
  if (!fn || !name) return false;
  return awaits.some((it) => {
    const call = bare(awaitedBy(it));
    // no veto: nothing is called.
    if (call.type !== 'CallExpression') return false;
    return alternativesOf(valueOf(file, call.callee)).some(
      (it) => it.kind === 'function' && (it.node === fn || calls(it.node, name)),
    );
  });
}

function calls(fn: FunctionNode, name: string): boolean {
  let found = false;
  walkOwn(bodyOf(fn), (it) => {
    if (it.type !== 'CallExpression') return;
    const callee = bare(it.callee);
    const called = callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
    if (called === name || isNamed(callee, name)) found = true;
  });
  return found;
}
