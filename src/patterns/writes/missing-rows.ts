import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isNullish, type Node, propertyName, walkOwn } from '../../analysis/syntax/ast.ts';
import { behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import { type Condition, isChoice } from '../../analysis/syntax/conditions.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { whereOf } from '../../analysis/effects/row-conditions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { outcomeOf } from '../../analysis/flow/outcomes.ts';
import { resultsOf, scopeAround, variantsOf } from '../../analysis/loops/variants.ts';

/**
 * `const user = await users.findByPk(id); if (!user) return;`: a row that is queried by its own key mostly exists, and without
 * it there is nothing to do. That selects no elements, unlike any other query.
 */
export function isForMissingRow(file: FileFacts, condition: Condition): boolean {
  const { kind, node, test, holds } = condition;
  // no veto: the shape of a guard.
  if (kind !== 'exit' || node.type !== 'IfStatement' || !test) return false;
  const row = rowIn(file, test);
  if (!row || outcomeOf(file, condition, new Set([row])) !== 'found') return false;
  const side = holds ? node.alternate : node.consequent;
  return side !== null && givesNothing(side) && isAskedByKey(file, row);
}

/**
 * `const job = await redis.hgetall(key); if (job.worker === gone) …`: the content of an element's result decides, and not only
 * its existence. The query costs each element a round trip; the code after it runs for few elements, which are unresolved
 * before.
 */
export function isDecidedByAnswer(file: FileFacts, loop: Loop, condition: Condition): boolean {
  const { test } = condition;
  // veto of an exclusion: the check ends the whole loop or throws, so it does not select elements
  if (!test || !isChoice(condition) || endsAll(loop, condition)) return false;
  const results = resultsOf(file, loop);
  if (!mentions(file, test, results)) return false;
  const others = [...variantsOf(file, loop)].filter((it) => !results.has(it));
  // veto of an exclusion: the check compares the result of the query with values of the element
  if (mentions(file, test, new Set(others))) return false;
  return !/^(?:found|full)$/.test(outcomeOf(file, condition, results));
}

/** `if (stop.cancelled) break;`: it is asked whether to go on, not about the element. */
function endsAll({ node }: Loop, { kind, leaves }: Condition): boolean {
  // A callback that returns goes on with the next element.
  const isStatement = node.type.endsWith('Statement');
  return isStatement && kind === 'exit' && leaves.every((it) => it === 'return' || it === 'break');
}

/** `user`, `rows[0]`, `rows.length`; of a column, nothing. */
function rowIn(file: FileFacts, test: Node): Variable | undefined {
  const it = bare(test);
  switch (it.type) {
    case 'UnaryExpression':
      return rowIn(file, it.argument);
    case 'BinaryExpression':
      return rowIn(file, it.left);
    case 'MemberExpression':
      return isRowOf(it) ? rowIn(file, it.object) : undefined;
    case 'Identifier':
      return file.variableOf(it);
    default:
      return undefined;
  }
}

/** Of an answer, the rows, how many they are, and the first. */
function isRowOf(member: TSESTree.MemberExpression): boolean {
  const isFirst = member.property.type === 'Literal' && member.property.value === 0;
  return isFirst || /^(?:rows|rowCount|length)$/.test(propertyName(member) ?? '');
}

/** It returns nothing, or goes on with the next. */
function givesNothing(side: Node): boolean {
  let gives = false;
  walkOwn(side, (it) => {
    gives ||= it.type === 'ReturnStatement' && it.argument !== null && !isNullish(it.argument);
  });
  return !gives;
}

function isAskedByKey(file: FileFacts, row: Variable): boolean {
  const answer = answerOf(row);
  const rows = answer?.type === 'Identifier' ? file.variableOf(answer) : undefined;
  const asked = rows ? answerOf(rows) : answer;
  if (asked?.type !== 'AwaitExpression') return false;
  const { effects } = behaviourOf(file, asked, scopeAround(file, asked));
  return effects.length > 0 && effects.every(isByKey);
}

/** What a variable gets once for all, where that is a row or all rows: the `await`, or the name for its answer. */
function answerOf({ defs, writes }: Variable): Node | undefined {
  const [definition] = defs;
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  // no veto: nothing is asked.
  if (definition?.type !== 'Variable' || !init) return undefined;
  if (!holdsRow(definition.node.id)) return undefined;
  if (writes.length > 0) return undefined;
  let it = bare(init);
  while (it.type === 'MemberExpression' && isRowOf(it)) it = bare(it.object);
  return it;
}

/** `{ rows: [user] }`, `[[user]]`: the row itself, or all that were found. */
function holdsRow(pattern: Node): boolean {
  switch (pattern.type) {
    case 'Identifier':
      return true;
    case 'ArrayPattern':
      return pattern.elements.every((it) => it !== null && holdsRow(it));
    case 'ObjectPattern':
      return pattern.properties.every(
        (it) => it.type === 'Property' && propertyName(it) === 'rows' && holdsRow(it.value),
      );
    default:
      return false;
  }
}

const BY_KEY = /\bwhere\s+(?:\w+\.)?"?id"?\s*=\s*(?:\$\d+|\?|:\w+|\$\{[^{}]*\})\s*['"`]/i;

/** By its own key and nothing else. */
function isByKey({ op, method, at: { file, node } }: Effect): boolean {
  if (op !== 'read') return false;
  const call = bare(node.type === 'AwaitExpression' ? node.argument : node);
  const where = call.type === 'CallExpression' ? (whereOf(call) ?? call.arguments[0]) : undefined;
  const isObject = where?.type === 'ObjectExpression' && where.properties.length === 1;
  const [field] = isObject ? where.properties : [];
  if (field?.type === 'Property' && /^_?id$/.test(propertyName(field) ?? '')) return true;
  return /By(?:Pk|Id)$/.test(method) || BY_KEY.test(file.textOf(node));
}
