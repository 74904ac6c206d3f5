import { intendedYield } from '../../analysis/words/work.ts';
import { patternOf } from '../../analysis/words/word-list.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import { outcomeOf } from '../../analysis/flow/outcomes.ts';
import { functionNames } from '../../analysis/syntax/function-names.ts';
import { commentsBetween } from '../../analysis/syntax/comments.ts';
import { endsAt, startsAt } from '../../analysis/syntax/places.ts';
import { resultsOf, variantsOf } from '../../analysis/loops/variants.ts';
import { bare, type Node, walkOwn } from '../../analysis/syntax/ast.ts';
import type { Condition } from '../../analysis/syntax/conditions.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import type { LoopPause } from '../../analysis/loops/pauses.ts';
import { wordsOf } from '../../analysis/syntax/words.ts';
import { workBehind } from './iteration-cost.ts';

/** Whether nothing but the data decides if an iteration yields: no counter, clock, size or position. */
export function isEveryIteration(file: FileFacts, { conditions, pause, loop }: LoopPause): boolean {
  if (pause.isConditional || pause.abort) return false;
  return conditions.every((it) => {
    if (it.kind !== 'exit') return false;
    if (!it.leaves.includes('continue')) return true;
    return isAboutData(file, it, loop);
  });
}

/** `if (!session) continue;`: the item decides, not its number. */
function isAboutData(file: FileFacts, condition: Condition, loop: Loop): boolean {
  const results = resultsOf(file, loop);
  const outcome = outcomeOf(file, condition, results);
  if (outcome === 'found' || outcome === 'empty') return true;
  if (outcome !== 'other' && outcome !== 'error') return false;
  const { test } = condition;
  if (!test || holdsOrder(test)) return false;
  return mentions(file, test, results) || mentions(file, test, variantsOf(file, loop));
}

/** `i < last`: a position, or a count. */
function holdsOrder(test: Node): boolean {
  let found = false;
  walkOwn(test, (it) => {
    found ||= it.type === 'BinaryExpression' && /^[<>]=?$/.test(it.operator);
  });
  return found;
}

const MEANT = patternOf(intendedYield);

/** A comment within three lines, or the function's name, declares heavy iterations or intended turns. */
export function isMeantYield(file: FileFacts, { node }: Pick<LoopPause, 'node'>): boolean {
  const start = file.lines.startAt(startsAt(node), 3);
  const end = file.lines.endAt(endsAt(node));
  const near = commentsBetween(file.source.comments, start, end);
  return (
    near.some(({ value }) => MEANT.test(value)) ||
    functionNames(node).some((it) => MEANT.test(wordsOf(it)))
  );
}

/** `for await (const row of rowsOf(ship))` of an own `async function*`. */
export function isPulled(file: FileFacts, { over }: Loop): boolean {
  const call = over && bare(over);
  if (call?.type !== 'CallExpression') return false;
  const callee = valueOf(file, call.callee);
  return callee.kind === 'function' && callee.node.generator && callee.node.async;
}

/** `while (await redis.exists(lock)) await sleep(0);`: nothing is done but to look again whether something has come about. */
export function isPoll({ node, pause, loop: { body } }: LoopPause): boolean {
  const statements = body.type === 'BlockStatement' ? body.body : [body];
  const isAlone = statements.length === 1 && statements[0] === node.parent;
  return isAlone && workBehind(pause).length === 0;
}
