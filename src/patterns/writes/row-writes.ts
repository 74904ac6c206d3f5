import { valueOf } from '../../analysis/provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { keepsDocuments, libraryNamed } from '../../analysis/model/index.ts';
import { bare, isNamed, type Node, propertyName, walk } from '../../analysis/syntax/ast.ts';
import { argumentsOf, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import { chainOf } from '../../analysis/syntax/call-chains.ts';
import { type Effect, sqlAt } from '../../analysis/effects/effects.ts';
import { jointRequestOf } from './joint-requests.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isWrittenOut } from '../../analysis/flow/loop-bounds.ts';
import type { Verb } from '../../analysis/sql/sql.ts';
import { quantityOf } from '../../analysis/values/values.ts';

/** Methods that write one row, or one row at a time, by what they do to it. */
const VERBS: readonly (readonly [Verb, RegExp])[] = [
  [
    'many',
    /^(?:createMany(?:AndReturn)?|insertMany|bulk[A-Z]\w*|\w+Bulk|batch[A-Z]\w*|\w+Batch|truncate)$/,
  ],
  ['insert', /^(?:insert(?:Into|One|AndFetch)?|create|replaceInto|findOrCreate)$/],
  ['save', /^(?:save|upsert|merge(?:Into)?)$/],
  [
    'update',
    /^(?:update(?:Table|One|Many)?|(?:patch|update)(?:AndFetch(?:ById)?)?|replaceOne|findOneAnd(?:Update|Replace)|findByIdAndUpdate|increment|decrement|restore|recover)$/,
  ],
  [
    'delete',
    /^(?:delete(?:From|One|Many|ById)?|del|destroy|remove|soft(?:Delete|Remove)|find(?:OneAnd|ByIdAnd)(?:Delete|Remove))$/,
  ],
];

/** The effect of a write on rows: by its statement, else by the methods of its chain; 'other' where neither shows it. */
export function verbOf({ verb, at }: Effect): Verb {
  if (verb) return verb;
  const calls = chainOf(at.node);
  if (calls.some((it) => givesMany(at.file, it) || asksForMany(at.file, it))) return 'many';
  for (const call of calls.toReversed()) {
    const name = nameOf(call);
    const found = VERBS.find(([, pattern]) => pattern.test(name));
    if (found) return found[0];
  }
  return 'other';
}

const RELATED =
  /^(?:connect(?:OrCreate)?|disconnect|create(?:Many)?|update(?:Many)?|upsert|delete(?:Many)?)$/;

/** `data: { tags: { connect: … } }`: rows of other tables are written with it, which no statement for many rows does. */
export function writesRelated({ library, at }: Effect): boolean {
  if (!libraryNamed(library)?.nestsRelated) return false;
  const [call] = chainOf(at.node);
  return fieldsOf(call?.arguments[0])
    .filter((it) => /^(?:data|create|update)$/.test(propertyName(it) ?? ''))
    .flatMap((it) => fieldsOf(it.value))
    .flatMap((it) => fieldsOf(it.value))
    .some((it) => RELATED.test(propertyName(it) ?? '') || setsRows(it));
}

/** `{ set: [{ id }] }`: rows, where columns are set to what is no object; an empty list may be either. */
function setsRows(field: TSESTree.Property): boolean {
  const { value } = field;
  // no veto: another operation.
  if (propertyName(field) !== 'set') return false;
  const values = value.type === 'ArrayExpression' ? value.elements : [value];
  return values.length === 0 || values.some((it) => it?.type === 'ObjectExpression');
}

/** `findOneAndUpdate`, `findByIdAndDelete`: each returns its document. */
export function givesDocument({ at }: Effect): boolean {
  return chainOf(at.node).some((it) => /^find(?:One|ById)And/.test(nameOf(it)));
}

/** `{ data, include: { author: true } }`: rows of other tables come back with it, where the library nests those. */
export function returnsRelated({ at }: Effect): boolean {
  const [call] = chainOf(at.node);
  const fields = fieldsOf(call?.arguments[0]);
  const selected = fields.filter((it) => propertyName(it) === 'select');
  return (
    fields.some((it) => propertyName(it) === 'include') ||
    selected.flatMap((it) => fieldsOf(it.value)).some((it) => it.value.type === 'ObjectExpression')
  );
}

const ADDS = /\b(\w{1,60})"? ?= ?"?\1"? ?[-+|]/i;

/** `SET stock = stock - $2`, `data: { stock: { decrement: 2 } }`: what it writes rests on what is there. */
export function addsToRow(effect: Effect): boolean {
  if (ADDS.test(sqlAt(effect) ?? '')) return true;
  return chainOf(effect.at.node)
    .flatMap((it) => fieldsOf(it.arguments[0]))
    .filter((it) => propertyName(it) === 'data')
    .flatMap((it) => fieldsOf(it.value))
    .flatMap((it) => fieldsOf(it.value))
    .some((it) => /^(?:increment|decrement)$/.test(propertyName(it) ?? ''));
}

function fieldsOf(node: Node | undefined): readonly TSESTree.Property[] {
  const it = node && bare(node);
  return it?.type === 'ObjectExpression'
    ? it.properties.filter((field) => field.type === 'Property')
    : [];
}

function nameOf({ callee }: TSESTree.CallExpression): string {
  const it = bare(callee);
  return it.type === 'MemberExpression' ? (propertyName(it) ?? '') : '';
}

/** `where: { id: { in: ids } }`, `.whereIn('id', ids)`, `.in('id', ids)`: all rows that a list names, where the list is not written out. */
function asksForMany(file: FileFacts, call: TSESTree.CallExpression): boolean {
  if (/^(?:(?:and|or)?whereIn|in)$/i.test(nameOf(call)))
    return isListOfData(file, call.arguments.at(-1));
  let asks = false;
  for (const argument of argumentsOf(call)) {
    walk(argument, (it) => {
      asks ||= it.type === 'Property' && isMembership(it.key) && isListOfData(file, it.value);
      asks ||= isCall(it) && isNamed(calleeOf(it), 'In') && isListOfData(file, argumentsOf(it)[0]);
      return !asks;
    });
  }
  return asks;
}

/** `in`, `$in`, `[Op.in]`, `[Sequelize.Op.in]`. */
function isMembership(key: Node): boolean {
  const name = key.type === 'MemberExpression' ? key.property : key;
  return name.type === 'Identifier' && /^\$?in$/.test(name.name);
}

function isListOfData(file: FileFacts, list: Node | undefined): boolean {
  return list !== undefined && !isWrittenOut(file, list);
}

/** A list of rows, spelled out or made on the spot. */
function givesMany(file: FileFacts, call: TSESTree.CallExpression): boolean {
  return argumentsOf(call).some((it) => {
    const argument = bare(it);
    if (argument.type === 'ArrayExpression')
      return argument.elements.length !== 1 && !areNames(argument);
    if (valueOf(file, argument).kind === 'array') return true;
    let maps = false;
    walk(argument, (inner) => {
      maps ||= isCall(inner) && inner.type === 'CallExpression' && nameOf(inner) === 'map';
    });
    return maps;
  });
}

/** `upsert(row, ['region', 'year'])`, `.onConflict(['device', 'at'])`: columns, by which the row is told from others. */
function areNames({ elements }: TSESTree.ArrayExpression): boolean {
  return (
    elements.length > 0 &&
    elements.every((it) => it?.type === 'Literal' && typeof it.value === 'string')
  );
}

/** `{ w: 0 }`, `{ writeConcern: { w: 0 } }`: MongoDB sends no response to wait for. */
export function isUnanswered({ library, at }: Effect): boolean {
  // no veto: others know no such option.
  if (!keepsDocuments(library)) return false;
  return chainOf(at.node).some((call) => call.arguments.some((it) => asksForNone(at.file, it)));
}

function asksForNone(file: FileFacts, options: Node): boolean {
  const it = bare(options);
  if (it.type !== 'ObjectExpression') return false;
  return it.properties.some((property) => {
    if (property.type !== 'Property') return false;
    const name = propertyName(property);
    if (name === 'w') return quantityOf(file, property.value).value === 0;
    return name === 'writeConcern' && asksForNone(file, property.value);
  });
}

export type WriteKind = 'insert' | 'update' | 'delete' | 'enqueue' | 'redis';

/** What a write does with its row; undefined for what is no write of one row. */
export function kindOf(effect: Effect): WriteKind | undefined {
  switch (effect.env) {
    case 'db':
      return rowKind(verbOf(effect));
    case 'queue':
      return /^(?:add|send|publish(?:Message|JSON)?)$/.test(effect.method) ? 'enqueue' : undefined;
    case 'redis':
      return /^(?:m|exec|publish)/i.test(effect.method) ? undefined : 'redis';
    default:
      return jointRequestOf(effect) && 'enqueue';
  }
}

export function isRowKind(kind: WriteKind): kind is 'insert' | 'update' | 'delete' {
  return kind === 'insert' || kind === 'update' || kind === 'delete';
}

function rowKind(verb: Verb): WriteKind | undefined {
  if (verb === 'many' || verb === 'other') return undefined;
  return verb === 'save' ? 'update' : verb;
}
