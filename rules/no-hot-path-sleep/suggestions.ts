import type { TSESTree } from '@typescript-eslint/utils';
import { contains, type Node } from '../../src/analysis/syntax/ast.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { HotSleep } from '../../src/patterns/pauses/hot-sleep.ts';
import { endsAt, ownLine, rangeOf, startsAt } from '../../src/analysis/syntax/places.ts';
import { type WorkResult, workResultOf } from '../../src/patterns/pauses/work-results.ts';
import type { Suggestion } from '../define-rule.ts';

/**
 * Edits of sleeps that are their own statements, and of timers that start the next iteration; a person rearranges any other
 * code.
 */
export function suggestionsFor(file: FileFacts, sleep: HotSleep): readonly Suggestion[] {
  const statement = sleep.node.parent;
  if (sleep.variant === 'skip-branch') {
    // Without a block around it, the branch would be left without a statement.
    const isInBlock = statement?.parent?.type === 'BlockStatement';
    return statement?.type === 'ExpressionStatement' && isInBlock ? [skipped(file, statement)] : [];
  }
  const result = sleep.source && workResultOf(file, sleep.loop, sleep.source);
  if (!result || sleep.conditions.length > 0 || !isVisible(file, result, sleep.node)) return [];
  const timer = sleep.loop.rounds.find((it) => it.timer === sleep.node)?.timer;
  if (timer) return rescheduled(file, timer, sleep, result);
  if (statement?.type !== 'ExpressionStatement') return [];
  const isFull = sleep.variant === 'full-batch';
  const test = isFull ? shortTest(sleep, result) : emptyTest(result);
  if (sleep.variant === 'idle-poll' || test === undefined) return [];
  const text = `if (${test}) ${file.textOf(statement)}`;
  return [
    {
      messageId: isFull ? 'sleepWhenShort' : 'sleepWhenEmpty',
      edits: [{ range: rangeOf(statement), text }],
      changes: 'load',
    },
  ];
}

function skipped(file: FileFacts, statement: Node): Suggestion {
  return {
    messageId: 'skipAtOnce',
    edits: [{ range: wholeLine(file, statement), text: '' }],
    changes: 'load',
  };
}

/** `setTimeout(run, job ? 0 : 100)`. */
function rescheduled(
  file: FileFacts,
  timer: TSESTree.CallExpression,
  sleep: HotSleep,
  result: WorkResult,
): readonly Suggestion[] {
  const time = timer.arguments[1];
  if (!time || sleep.variant === 'idle-poll') return [];
  const isFull = sleep.variant === 'full-batch';
  const test = isFull ? fullTest(sleep, result) : foundTest(result);
  if (test === undefined) return [];
  const isLoose = /^(?:Conditional|Assignment|Sequence|ArrowFunction)/.test(time.type);
  const text = isLoose ? `(${file.textOf(time)})` : file.textOf(time);
  return [
    {
      messageId: isFull ? 'nextWhenFull' : 'nextAtOnce',
      edits: [{ range: rangeOf(time), text: `${test} ? 0 : ${text}` }],
      changes: 'load',
    },
  ];
}

function emptyTest(result: WorkResult): string {
  return result.kind === 'item' ? `!${result.variable.name}` : `${sizeOf(result)} === 0`;
}

function foundTest(result: WorkResult): string {
  return result.kind === 'item' ? result.variable.name : `${sizeOf(result)} > 0`;
}

/** One fetched item does not show whether more are waiting. */
function shortTest({ batch }: HotSleep, result: WorkResult): string | undefined {
  return batch === undefined || result.kind === 'item' ? undefined : `${sizeOf(result)} < ${batch}`;
}

function fullTest({ batch }: HotSleep, result: WorkResult): string | undefined {
  return batch === undefined || result.kind === 'item'
    ? undefined
    : `${sizeOf(result)} >= ${batch}`;
}

function sizeOf({ kind, variable: { name }, isNullable }: WorkResult): string {
  const size = kind === 'count' ? name : `${name}${isNullable ? '?' : ''}.length`;
  return isNullable ? `(${size} ?? 0)` : size;
}

/** The variable is declared before the sleep, in the block of the sleep or in an enclosing one. */
function isVisible(file: FileFacts, { variable }: WorkResult, sleep: Node): boolean {
  const [definition] = variable.defs;
  const declaration = definition?.type === 'Variable' ? definition.parent : undefined;
  const block = declaration?.parent;
  if (!block || !contains(block, sleep) || endsAt(declaration) > startsAt(sleep)) return false;
  // The same name may mean another thing in a block between.
  return !file.nodes.namedBetween(variable.name, ...rangeOf(block)).some((it) => {
    const other = file.variableOf(it);
    return other !== undefined && other !== variable;
  });
}

/** The statement with its indentation and line break, where it has the line for itself. */
function wholeLine(file: FileFacts, statement: Node): readonly [number, number] {
  const [start, end] = rangeOf(statement);
  const rest = /^ */.exec(file.text.slice(end))![0];
  return ownLine(file, rangeOf(statement)) ?? [start, end + rest.length];
}
