import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  calledName,
  functionAround,
  isLoop,
  type Node,
  propertyName,
  chainStart,
} from '../syntax/ast.ts';
import { chainOf } from '../syntax/call-chains.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import type { FileFacts } from '../file/file.ts';
import { argumentsOf, type Call } from '../syntax/calls.ts';
import { startsAt } from '../syntax/places.ts';
import { isGrown, isTarget } from '../provenance/spelled-lists.ts';
import { sqlOf } from '../provenance/sql-text.ts';
import { literalQuantity, type Quantity } from './quantity.ts';
import { quantityOf } from './values.ts';

/** At most so many elements are few, for all ways in which the code contains their number. */
export const FEW = 12;

/** The most rows of a query, where these are few: `LIMIT 3`, `.limit(3)`, `{ take: 3 }`. */
export function limitOfRows(file: FileFacts, list: Node): number | undefined {
  const call = callFor(file, list);
  // A page of many.
  if (!call || isReachedAgain(functionAround(call) ?? file.ast, call)) return undefined;
  const limit = isQuery(file, call) ? limitIn(file, call) : undefined;
  // No limit, where it is 0; and where it is high, it says little about how many rows come.
  return limit !== undefined && limit > 0 && limit <= FEW ? limit : undefined;
}

/**
 * How many rows the code asks for, however many: `LIMIT 100`, `LIMIT $1` with its value, `{ take: 50 }`. A number for an
 * estimate: fewer may come.
 */
export function rowsAsked(file: FileFacts, list: Node): Quantity | undefined {
  const call = callFor(file, list);
  if (!call || !isQuery(file, call)) return undefined;
  const size = stated(limitIn(file, call)) ?? boundLimit(file, call);
  return size?.value !== undefined && size.value > 0 ? size : undefined;
}

function stated(limit: number | undefined): Quantity | undefined {
  return limit === undefined ? undefined : literalQuantity(limit);
}

/** Whether the list is all rows of a query, which has no limit: `const { rows } = await pool.query('SELECT … WHERE …')`. */
export function isWholeAnswer(file: FileFacts, list: Node): boolean {
  const call = callFor(file, list);
  // no veto: the list is no answer of a database.
  if (!call || !isQuery(file, call)) return false;
  const text = sqlOf(file, call);
  if (text !== undefined)
    return /^\s*select\b/i.test(text) && !PART.test(text) && !AGGREGATE.test(text);
  // no veto: other statements on the same builder may limit it.
  if (chainStart(call).type !== 'Identifier' && chainStart(call).type !== 'ThisExpression')
    return false;
  return !chainOf(call).some(({ callee, arguments: given }, i) => {
    const name = calledName(callee) ?? '';
    const isOpen = i === 0 && given.some((it) => it.type === 'Identifier' || hasSpread(it));
    return (
      isOpen || LIMIT.test(name) || FIRST.test(name) || given.some((it) => hasOption(it, LIMIT))
    );
  });
}

const AGGREGATE = /\b(?:count|sum|min|max|avg)\s*\(/i;

/**
 * Whether a query asks for some of the rows of its condition: it has a limit above one, or an order for a limit or for one row. For several keys,
 * such rows need a statement of another kind.
 */
export function isPartOfRows(file: FileFacts, query: Node): boolean {
  const steps = chainOf(query);
  const text = steps[0] && sqlOf(file, steps[0]);
  if (text !== undefined) return PART.test(text) && !ONE_ROW.test(text);
  const has = (name: RegExp) =>
    steps.some(({ callee, arguments: given }) => {
      if (name.test(calledName(callee) ?? '')) return true;
      return given.some((it) => hasOption(it, name));
    });
  // What is spread into the options may limit them.
  if (!has(FIRST) && steps[0]?.arguments.some(hasSpread)) return true;
  const limit = has(LIMIT) ? (limitIn(file, steps[0]!) ?? Infinity) : undefined;
  if (limit !== undefined && limit !== 1) return true;
  return has(ORDER) && (limit === 1 || has(FIRST));
}

const PART = /\blimit\b|\bfetch\s+(?:first|next)\b|\bselect\s+top\b/i;
const ONE_ROW = /^(?!.*\border\s+by\b).*\blimit\s+1[\s;]*$/is;
const LIMIT = /^(?:limit|take|offset|skip)$/;
const ORDER = /^(?:orderBy\w*|addOrderBy|order|sort)$/;
const FIRST = /^(?:findFirst|findOne|findUnique|findBy(?:Pk|Id)|first|getOne|executeTakeFirst)\w*$/;

function hasSpread(options: Node): boolean {
  const it = bare(options);
  return it.type === 'ObjectExpression' && it.properties.some((own) => own.type !== 'Property');
}

function hasOption(options: Node, name: RegExp): boolean {
  const it = bare(options);
  return (
    it.type === 'ObjectExpression' &&
    it.properties.some((own) => own.type === 'Property' && name.test(propertyName(own) ?? ''))
  );
}

/** The value of a placeholder at the statement's end: `pool.query('… LIMIT $2', [state, BATCH])`. */
function boundLimit(file: FileFacts, call: TSESTree.CallExpression): Quantity | undefined {
  const index = /\blimit\s+\$(\d+)[\s;]*$/i.exec(sqlOf(file, call) ?? '')?.[1];
  return index === undefined ? undefined : placeholderValue(file, call, Number(index) - 1);
}

/** The value of the placeholder `index`, from 0, in the list that a call passes next to its statement. */
function placeholderValue(file: FileFacts, call: Call, index: number): Quantity | undefined {
  const value = placeholderAt(call, index);
  return value && quantityOf(file, value);
}

/** The expression for that placeholder. */
export function placeholderAt(call: Call, index: number): Node | undefined {
  const [, given] = argumentsOf(call);
  const values = given && bare(given);
  if (values?.type !== 'ArrayExpression') return undefined;
  const upTo = values.elements.slice(0, index + 1);
  return upTo.every((it) => it?.type !== 'SpreadElement') ? (upTo[index] ?? undefined) : undefined;
}

/** The call that a list is the result of: a constant's, or that of its `rows`. */
function callFor(file: FileFacts, list: Node, depth = 0): TSESTree.CallExpression | undefined {
  if (depth > 4) return undefined;
  const it = bare(list);
  switch (it.type) {
    case 'AwaitExpression':
      return callFor(file, it.argument, depth + 1);
    case 'MemberExpression':
      return propertyName(it) === 'rows' ? callFor(file, it.object, depth + 1) : undefined;
    case 'Identifier': {
      const init = answerNamed(file, it);
      return init && callFor(file, init, depth + 1);
    }
    case 'CallExpression':
      return it;
    default:
      return undefined;
  }
}

/** `limit` of other calls says how many run at once, or anything else. */
function isQuery(file: FileFacts, call: TSESTree.CallExpression): boolean {
  const value = valueOf(file, call);
  const isBuilder = value.kind === 'library' && value.type.role === 'builder';
  return isBuilder || libraryCallOf(file, call)?.signature.effect?.env === 'db';
}

/** What a constant is, or what it is the rows of, if no others are added to these: `const { rows } = …`, `const [rows] = …`. */
function answerNamed(file: FileFacts, name: TSESTree.Identifier): Node | undefined {
  const variable = file.variableOf(name);
  const [definition] = variable?.defs ?? [];
  if (definition?.type !== 'Variable' || definition.parent?.kind !== 'const') return undefined;
  if (isGrown(variable!.references.map((it) => it.identifier as Node))) return undefined;
  const { id, init } = definition.node;
  const rows =
    id.type === 'ObjectPattern'
      ? id.properties.find((it) => it.type === 'Property' && propertyName(it) === 'rows')?.value
      : id.type === 'ArrayPattern'
        ? id.elements[0]
        : id;
  return rows === definition.name ? (init ?? undefined) : undefined;
}

function limitIn(file: FileFacts, call: TSESTree.CallExpression): number | undefined {
  const text = sqlOf(file, call);
  const stated = text && /\blimit\s+(\d+)(?:\s+offset\s+[\w$?:]+)?[\s;]*$/i.exec(text)?.[1];
  if (stated) return Number(stated);
  for (let it: Node = call; it.type === 'CallExpression';) {
    const callee = bare(it.callee);
    if (callee.type !== 'MemberExpression') return undefined;
    const isLimit = /^(?:limit|take)$/.test(propertyName(callee) ?? '');
    for (const argument of it.arguments) {
      const size = isLimit ? argument : optionNamed(argument);
      const value = size && quantityOf(file, size).value;
      if (value !== undefined) return value;
    }
    it = bare(callee.object);
  }
  return undefined;
}

/** `{ where: …, take: 3 }` */
function optionNamed(options: Node): Node | undefined {
  const it = bare(options);
  if (it.type !== 'ObjectExpression') return undefined;
  const option = it.properties.find(
    (property) =>
      property.type === 'Property' && /^(?:limit|take)$/.test(propertyName(property) ?? ''),
  );
  return option?.type === 'Property' ? option.value : undefined;
}

/** The most elements of a list that this function creates and only adds to, one at a time: `if (owner) ids.push(owner)`. */
export function lengthFilled(file: FileFacts, name: TSESTree.Identifier): number | undefined {
  const variable = file.variableOf(name);
  const [definition] = variable?.defs ?? [];
  if (definition?.type !== 'Variable') return undefined;
  const { id, init } = definition.node;
  const list = init && bare(init);
  if (list?.type !== 'ArrayExpression') return undefined;
  let length = list.elements.length;
  if (list.elements.some((it) => it?.type === 'SpreadElement')) return undefined;
  for (const { identifier } of variable!.references) {
    // no veto: where it is made.
    if (identifier === id) continue;
    const added = addedAt(definition.node, identifier as Node);
    if (added === undefined) return undefined;
    length += added;
  }
  return length > 0 ? length : undefined;
}

/** How many elements a place adds; undefined where it may hand the list to what adds more. */
function addedAt(declaration: Node, list: Node): number | undefined {
  const { parent } = list;
  if (parent?.type === 'ForOfStatement') return parent.right === list ? 0 : undefined;
  if (parent?.type !== 'MemberExpression' || isTarget(parent)) return undefined;
  const name = propertyName(parent) ?? '';
  const call = parent.parent;
  if (!/^(?:push|unshift)$/.test(name)) return READS.test(name) ? 0 : undefined;
  if (call.type !== 'CallExpression') return undefined;
  const isOnce =
    functionAround(declaration) === functionAround(call) && !isReachedAgain(declaration, call);
  return isOnce && call.arguments.every((it) => it.type !== 'SpreadElement')
    ? call.arguments.length
    : undefined;
}

const READS = /^(?:length|map|filter|forEach|join|includes|indexOf|some|every|find|entries)$/;

/** Whether a place behind the start of something may be reached more than once for it. */
function isReachedAgain(declaration: Node, place: Node): boolean {
  let part = place;
  for (let it = part.parent; it && startsAt(it) > startsAt(declaration); it = it.parent) {
    // What a loop goes over is made once.
    if (isLoop(it) && !('right' in it && it.right === part)) return true;
    part = it;
  }
  return false;
}
