import { contains, functionAround, type Node } from '../../src/analysis/syntax/ast.ts';
import { type Condition, conditionsOn } from '../../src/analysis/syntax/conditions.ts';
import { contextOf } from '../../src/analysis/contexts/contexts.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import { isOverFields } from '../../src/patterns/writes/fields.ts';
import { isOfSeveralForms } from '../../src/patterns/writes/iteration-writes.ts';
import type { LoopedWrites, RowWrite } from '../../src/patterns/writes/looped-writes.ts';
import type { WriteKind } from '../../src/patterns/writes/row-writes.ts';
import { keepsDocuments, libraryNamed } from '../../src/analysis/model/index.ts';
import { mayRunHooks } from '../../src/analysis/effects/model-hooks.ts';
import { rangeOf } from '../../src/analysis/syntax/places.ts';
import { jointRequestOf } from '../../src/patterns/writes/joint-requests.ts';
import { isMadeOfAnswers } from '../../src/patterns/writes/made-rows.ts';
import {
  addsToRow,
  givesDocument,
  returnsRelated,
  verbOf,
  writesRelated,
} from '../../src/patterns/writes/row-writes.ts';
import type { SyncWrites } from '../../src/patterns/writes/sync-writes.ts';
import type { Loop } from '../../src/analysis/flow/loops.ts';
import { isAnswerUsed } from '../../src/analysis/flow/waits.ts';
import { openingOf } from '../../src/patterns/writes/open-lists.ts';
import { isRelaxedCommit } from '../../src/patterns/writes/scopes.ts';
import type { Evidence, Related, Severity } from '../define-rule.ts';
import { loopSize } from '../loop-size.ts';

export function messageOf(
  file: FileFacts,
  { loop, writes, commit, isIsolated, isNotAwaited }: LoopedWrites,
) {
  const { kind, effect } = writes[0];
  if (isIsolated) return isolatedMessageOf(writes[0]);
  if (commit === 'each' && isOfManyKinds(loop, writes)) return 'commitsOfKinds';
  if (kind === 'enqueue' || kind === 'redis') return kind;
  if (commit === 'each' && effect.handle === 'embedded') return 'embedded';
  if (commit === 'each' && writesRelated(effect)) return 'commitsRelated';
  if (libraryNamed(effect.library)?.commitsEach) return 'commitsAlone';
  if (commit === 'scope') return openingOfLoop(file, loop) ? 'unlimitedRows' : 'rowByRow';
  return isNotAwaited ? 'notAwaited' : 'commits';
}

function openingOfLoop(file: FileFacts, { over }: Loop) {
  return over && openingOf(file, over);
}

/** Who decides how many rows there are. */
const OPENINGS = {
  request: 'a request lists',
  file: 'a file has',
  query: 'a query without a limit returns',
} as const;

/** A library without SQL has neither savepoints nor a clause for existing rows. */
function isolatedMessageOf({ kind, effect }: RowWrite) {
  if (keepsDocuments(effect.library)) return 'isolatedDocuments';
  return kind === 'enqueue' || kind === 'redis' ? 'isolatedRequests' : 'isolated';
}

export function evidenceOf(file: FileFacts, looped: LoopedWrites): Evidence {
  const { loop, writes, commit } = looped;
  const [written] = writes;
  // The receiver determines the table at run time.
  const first = isOfSeveralForms(file, written.place)
    ? { ...written, effect: { ...written.effect, keys: [] } }
    : written;
  const { kind, effect } = first;
  const table = effect.env === 'db' ? effect.keys[0] : undefined;
  const others = alternativesTo(loop, writes);
  const opening = commit === 'scope' ? openingOfLoop(file, loop) : undefined;
  return {
    variant:
      commit === 'scope' ? 'row-in-transaction' : effect.handle === 'embedded' ? 'sqlite' : kind,
    driver: effect.library,
    what: withoutParts([first, ...others].map(whatOf)).join(' or '),
    remedy: others.length > 0 ? ofEachKind(effect) : remedyFor(file, looped, first),
    writes: writes.length,
    ...(opening ? { opening: OPENINGS[opening] } : {}),
    ...(table === undefined ? {} : { table }),
    ...loopSize('rows', file, loop),
    context: contextOf(file, loop.body),
  };
}

/** Document databases have no statement for several documents, and one request for writes of all kinds. */
function ofEachKind({ library }: RowWrite['effect']): string {
  const own = libraryNamed(library)?.remedies?.batch;
  if (own) return own;
  return keepsDocuments(library)
    ? 'Write all documents with one `bulkWrite`'
    : 'Send the rows of each kind with one statement where their order does not matter';
}

/** `INSERT or UPDATE or UPDATE of orders`: the first part includes the second. */
function withoutParts(kinds: readonly string[]): readonly string[] {
  const PART = /^(?:INSERT|UPDATE)(?= of |$)/;
  const isPart = (it: string) =>
    PART.test(it) &&
    kinds.some((all) => all === 'INSERT or UPDATE' || all === it.replace(PART, 'INSERT or UPDATE'));
  return kinds.filter((it) => !isPart(it));
}

/** `if (gone) await rows.delete(id); else await rows.update(id)`: what an element gets in place of the first write. */
function alternativesTo(loop: Loop, [first, ...rest]: LoopedWrites['writes']): readonly RowWrite[] {
  const others = rest.filter((it) => whatOf(it) !== whatOf(first) && isInPlaceOf(first, it, loop));
  return others.filter((it, i) => others.findIndex((other) => whatOf(other) === whatOf(it)) === i);
}

/** From this number on, one statement per kind is no clear remedy, because their order is open. */
const MANY_KINDS = 4;

/** `switch (change.type)` with a write in each case: the elements determine the order of the writes. */
function isOfManyKinds(loop: Loop, [first, ...rest]: LoopedWrites['writes']): boolean {
  const others = rest.filter((it) => isInPlaceOf(first, it, loop)).map(whatOf);
  return new Set([whatOf(first), ...others]).size >= MANY_KINDS;
}

/**
 * No element gets both writes: they are in different branches, or a path before the second leaves; here, or in the called
 * function.
 */
function isInPlaceOf(a: RowWrite, b: RowWrite, { body }: Loop): boolean {
  if (a.place !== b.place) return areExclusive(a.place, b.place, body);
  const [one, other] = [a.effect.at.node, b.effect.at.node];
  const called = functionAround(one);
  return called !== undefined && contains(called, other) && areExclusive(one, other, called);
}

function areExclusive(a: Node, b: Node, root: Node): boolean {
  const [one, other] = [conditionsOn(a, root), conditionsOn(b, root)];
  return one.some((it) => other.some((that) => isOtherSide(it, that)));
}

function isOtherSide(a: Condition, b: Condition): boolean {
  if (a.kind !== 'case' || b.kind !== 'case') return a.node === b.node && a.holds !== b.holds;
  return a.node !== b.node && a.node.parent === b.node.parent;
}

function whatOf({ kind, effect }: RowWrite): string {
  if (kind === 'enqueue') {
    return jointRequestOf(effect)?.name ?? `${effect.library} ${effect.method}()`;
  }
  if (kind === 'redis') return `Redis ${effect.method.toUpperCase()}`;
  const [table] = effect.keys;
  const verb = verbOf(effect) === 'save' ? 'INSERT or UPDATE' : kind.toUpperCase();
  return verb + (table ? ` of ${table}` : '');
}

/** Document databases have no statement for several documents. */
const OF_DOCUMENTS: Partial<Readonly<Record<WriteKind, string>>> = {
  update: 'Update all documents with one `bulkWrite`',
  delete: 'Delete all documents with one `deleteMany`',
};

const ONE_BY_ONE = 'Send them concurrently, a few at a time (a `bulkWrite` returns no documents)';

/** Libraries without SQL. */
const OF_REQUESTS: Partial<Readonly<Record<WriteKind, string>>> = {
  update: 'Update all rows with one request (`in` with all keys)',
  delete: 'Delete all rows with one request (`in` with all keys)',
};

const BY_HOOKS = 'Insert all rows with one statement if no row needs its own hooks';

/** The second of two that need the same row finds that of the first. */
const MISSING_ONES =
  'Where no two elements can need the same row, query all of them first, and insert the missing rows with one statement';

/** Two elements may name the same row, of which one statement takes one value. */
const ADDED_UP =
  'Sum the changes of each row, and update all rows with one statement (`UPDATE … FROM (VALUES …)`)';

const BY_KIND: Readonly<Record<WriteKind, string>> = {
  insert: 'Insert all rows with one statement (several VALUES)',
  update:
    'Update all rows with one statement (`UPDATE … FROM (VALUES …)`, or one WHERE for all keys)',
  delete: 'Delete all rows with one statement (one WHERE for all keys)',
  enqueue: 'Send them in batches',
  redis: 'Send one pipeline',
};

/** A statement for all rows takes what they are made of for all of them. */
function remedyFor(file: FileFacts, { loop, isLookedFor }: LoopedWrites, write: RowWrite): string {
  if (isLookedFor && write.kind === 'insert') return MISSING_ONES;
  const remedy = remedyOf(write);
  return /^(?:insert|update)$/.test(write.kind) && isMadeOfAnswers(file, loop, write)
    ? `Read what all of them need first, then ${remedy[0]!.toLowerCase()}${remedy.slice(1)}`
    : remedy;
}

function remedyOf({ kind, effect, place }: RowWrite): string {
  const { remedies = {}, answersErrors } = libraryNamed(effect.library) ?? {};
  if (remedies.related && writesRelated(effect)) return remedies.related;
  if (remedies.batch) return remedies.batch;
  if (effect.env === 'db' && verbOf(effect) === 'save') {
    return (
      remedies.saved ?? 'Write all rows with one statement (`INSERT … ON CONFLICT`, each key once)'
    );
  }
  // A method for many rows passes over the hooks that each would run.
  if (kind === 'insert' && mayRunHooks(effect)) return BY_HOOKS;
  // What is called may answer with something of its own.
  const isReturning = kind === 'insert' && isAnswerUsed(place) && isAnswerUsed(effect.at.node);
  // A method that returns the inserted rows returns few of their related rows.
  if (isReturning && remedies.related && returnsRelated(effect)) return remedies.related;
  if (isReturning && remedies.returning) return remedies.returning;
  if (remedies.missing && effect.method === 'findOrCreate') return remedies.missing;
  if (kind === 'update' && addsToRow(effect)) return ADDED_UP;
  if (givesDocument(effect) && isAnswerUsed(place)) return ONE_BY_ONE;
  const joint = jointRequestOf(effect);
  if (joint) return joint.how;
  const own = kind === 'insert' || kind === 'enqueue' ? remedies.bulk : undefined;
  const others = keepsDocuments(effect.library) ? OF_DOCUMENTS : answersErrors ? OF_REQUESTS : {};
  return own ?? others[kind] ?? BY_KIND[kind];
}

/**
 * Lower than the message's own severity: few rows as far as the code shows, or commits that do not wait for the disk according
 * to the settings.
 */
export function severityOf(
  file: FileFacts,
  { loop, writes, commit, isIsolated }: LoopedWrites,
): { readonly severity?: Severity } {
  const effects = writes.map((it) => it.effect);
  if (isOverFields(file, loop, effects)) return { severity: 'hint' };
  const isRelaxed = commit === 'each' && !isIsolated && isRelaxedCommit(file, writes[0].effect);
  return isRelaxed ? { severity: 'information' } : {};
}

/** The loop, and the writes at other places. */
export function placesOf(file: FileFacts, { loop, writes }: LoopedWrites): readonly Related[] {
  const elsewhere = writes.filter(({ effect, place }) => effect.at.node !== place).slice(0, 3);
  return [
    { path: file.path, range: loop.head, message: 'the loop' },
    ...elsewhere.map(({ effect: { at, library, method } }) => ({
      path: at.file.path,
      range: rangeOf(at.node),
      message: `written here: ${library} ${method}`,
    })),
  ];
}

export function syncEvidence(
  file: FileFacts,
  { loop, library, call, table }: SyncWrites,
): Evidence {
  return {
    variant: 'sqlite',
    driver: library,
    call,
    ...(table === undefined ? {} : { table }),
    ...loopSize('rows', file, loop),
    context: contextOf(file, loop.body),
  };
}
