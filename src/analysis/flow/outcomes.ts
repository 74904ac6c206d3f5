import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../syntax/names.ts';
import { bare, isNullish, type Node, propertyName } from '../syntax/ast.ts';
import type { Condition } from '../syntax/conditions.ts';
import type { FileFacts } from '../file/file.ts';
import { quantityOf } from '../values/values.ts';
import { wordsOf } from '../syntax/words.ts';

/**
 * The meaning of a condition about a step of the loop. 'found' and 'full' mean that there was work, 'empty' and 'short' that
 * there was none or not a whole batch; 'error', 'count', 'clock' and 'pressure' are reasons to wait; 'other' is any other test.
 */
export type Outcome =
  'found' | 'full' | 'empty' | 'short' | 'error' | 'count' | 'clock' | 'pressure' | 'other';

const ERROR =
  /\b(?:err|errs|error|errors|errored|fail\w*|ok|status|status code|timeout|timed out|retr\w+|attempts?|429|503|exception|rejected|reason|healthy|unreachable|online|offline|connected|disconnected|conflict|throttled|rate limited|unavailable|busy|locked)\b/;
const CLOCK =
  /\b(?:now|performance|hrtime|elapsed|deadline|expires?|expired|due|since|timestamp|get time|uptime)\b/;
const PRESSURE =
  /\b(?:can accept|accept(?:s|ing)?|free ?mem|heap\w*|pressure|high water\w*|in ?flight|running jobs|concurren\w+|saturat\w+|overload\w*|paused?)\b/;
/** Words that mean a load only where a number is compared. */
const LOAD = /\b(?:memory|pending|active|capacity|slots?|backlog|load|waiting|size|queued?)\b/;

/** The meaning of `condition`; `results` are the variables with the values that the loop has fetched. */
export function outcomeOf(
  file: FileFacts,
  condition: Condition,
  results: ReadonlySet<Variable>,
): Outcome {
  if (condition.kind === 'catch') return 'error';
  if (condition.kind === 'case' || !condition.test) return 'other';
  return outcomeOfTest(file, condition.test, condition.holds, results);
}

/** The meaning for a step of the loop of a test that holds, or does not. */
export function outcomeOfTest(
  file: FileFacts,
  test: TSESTree.Expression,
  holds: boolean,
  results: ReadonlySet<Variable>,
): Outcome {
  const node = bare(test);
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    return outcomeOfTest(file, node.argument, !holds, results);
  }
  if (node.type === 'LogicalExpression') {
    const parts = [node.left, node.right].map((it) => outcomeOfTest(file, it, holds, results));
    return conjunction(parts, (node.operator === '&&') === holds);
  }
  const words = wordsOf(file.textOf(node));
  if (ERROR.test(words)) return 'error';
  if (node.type === 'BinaryExpression' && (isModulo(node) || node.operator === '&')) return 'count';
  if (CLOCK.test(words)) return 'clock';
  if (node.type === 'BinaryExpression') {
    const compared = comparison(file, node, holds, results);
    if (compared) return compared;
  } else if (isResult(file, node, results)) return holds ? 'found' : 'empty';
  const isLoad = node.type === 'BinaryExpression' && LOAD.test(words);
  return PRESSURE.test(words) || isLoad ? 'pressure' : 'other';
}

/** Parts that all hold: the reasons to wait count first, then what is known. */
function conjunction(parts: readonly Outcome[], areAllTrue: boolean): Outcome {
  const [first] = parts;
  const waiting = parts.find(
    (it) => it === 'error' || it === 'count' || it === 'clock' || it === 'pressure',
  );
  if (waiting) return waiting;
  if (parts.every((it) => it === first)) return first!;
  return areAllTrue ? (parts.find((it) => it !== 'other') ?? 'other') : 'other';
}

function isModulo(node: TSESTree.BinaryExpression): boolean {
  return [node.left, node.right].some(
    (it) => it.type === 'BinaryExpression' && (it.operator === '%' || it.operator === '&'),
  );
}

/** `rows.length === 0`, `count > 0`, `rows.length < BATCH`, `job === null`. */
function comparison(
  file: FileFacts,
  node: TSESTree.BinaryExpression,
  holds: boolean,
  results: ReadonlySet<Variable>,
): Outcome | undefined {
  const isLeft = isResult(file, node.left, results);
  if (!isLeft && !isResult(file, node.right, results)) return undefined;
  const other = isLeft ? node.right : node.left;
  const operator = isLeft ? node.operator : mirrored(node.operator);
  if (isNullish(other)) {
    const isEqual = operator === '==' || operator === '===';
    return isEqual === holds ? 'empty' : 'found';
  }
  const limit = quantityOf(file, other).value;
  if (limit === 0 || (limit === 1 && (operator === '<' || operator === '>='))) {
    const saysEmpty = ['===', '==', '<=', '<'].includes(operator);
    return saysEmpty === holds ? 'empty' : 'found';
  }
  if (!isSize(isLeft ? node.left : node.right)) return undefined;
  const saysShort = ['<', '<=', '!==', '!='].includes(operator);
  const saysFull = ['>=', '===', '==', '>'].includes(operator);
  if (!saysShort && !saysFull) return undefined;
  return saysShort === holds ? 'short' : 'full';
}

function mirrored(operator: string): string {
  const pairs: Record<string, string> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };
  return pairs[operator] ?? operator;
}

/** A count of things: `rows.length`, `result.rowCount`, `handled`. */
function isSize(node: Node): boolean {
  const it = bare(node);
  const name =
    it.type === 'MemberExpression' ? propertyName(it) : it.type === 'Identifier' ? it.name : '';
  return /(?:length|size|count|total|handled|processed|affected\w*|n)$/i.test(name ?? '');
}

/** Whether an expression is a fetched result, a property of one, or its size. */
function isResult(file: FileFacts, node: Node, results: ReadonlySet<Variable>): boolean {
  const it = bare(node);
  if (it.type === 'Identifier') {
    const variable = file.variableOf(it);
    return variable !== undefined && results.has(variable);
  }
  if (it.type === 'MemberExpression') return isResult(file, it.object, results);
  // `while (!(job = await take()))`
  if (it.type === 'AssignmentExpression') return isResult(file, it.right, results);
  return it.type === 'AwaitExpression';
}
