import type { Place } from '../../analysis/file/place.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import {
  bare,
  calledName,
  contains,
  functionAround,
  isFunction,
  type Node,
  rootOf,
  walk,
} from '../../analysis/syntax/ast.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { lentIn, type LiveScope } from '../pools/live-scopes.ts';
import { libraryNamed } from '../../analysis/model/index.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import type { Definition } from '../../analysis/syntax/scopes.ts';
import { startsAt } from '../../analysis/syntax/places.ts';
import { poolOf } from '../../analysis/effects/pool-origins.ts';
import { isInMemory } from './sync-writes.ts';
import { isInTransaction } from '../../analysis/effects/transaction-scopes.ts';
import { alternativesOf, handlesOf, type LibraryValue } from '../../analysis/file/value.ts';

/** 'each': every write is a commit; 'scope': a transaction around the loop commits; 'none': nothing is made durable. */
export type Commit = 'each' | 'scope' | 'none' | 'unknown';

/** When a write of the loop becomes durable, as far as the code proves it. */
export function commitOf(
  file: FileFacts,
  loop: Loop,
  { effect, place }: { readonly effect: Effect; readonly place: Node },
): Commit {
  if (effect.env !== 'db') return 'none';
  // veto: the caller passes options that can name a transaction
  if ((effect.passedOptions ?? []).length > 0) return 'unknown';
  switch (effect.handle) {
    case 'pool':
    case 'embedded':
      // Queries on the pool beside a transaction are another matter.
      // veto: the loop is in a transaction scope or after a `BEGIN`, which can include these writes
      if (isInTransaction(file, loop.node) || isBegunAround(file, loop)) return 'unknown';
      // A driver's pool knows of no transaction that another function has begun; a mapper may.
      // veto: the write is in a transaction scope, which the mapper can apply without a name for it
      return isInTransaction(file, place) && poolOf(effect)?.type.role !== 'pool'
        ? 'unknown'
        : 'each';
    case 'serial':
      return onConnection(file, loop, effect, place);
    default:
      return 'unknown';
  }
}

function onConnection(file: FileFacts, loop: Loop, effect: Effect, place: Node): Commit {
  const receivers = receiversOf(file, effect, place);
  const roles = new Set(receivers.map((it) => it.type.role));
  if (roles.size !== 1) return 'unknown';
  // veto: the connection is to a database in memory, where a commit costs microseconds
  if (receivers.some(isInMemory)) return 'unknown';
  if (roles.has('transaction')) return 'scope';
  // An option names the transaction.
  if (!roles.has('connection') && !roles.has('client')) return 'scope';
  if (isBegunAround(file, loop) || isLentInTransaction(file, loop, place)) return 'scope';
  // veto: the connection comes in an object from the caller, which can have begun a transaction
  if (isGivenInObject(file, place)) return 'unknown';
  // Who has the connection, too, may have begun.
  // veto: the loop is in a transaction scope, or the code that acquired the connection can have begun one
  if (isInTransaction(file, loop.node) || mayBeBegun(file, loop, receivers)) return 'unknown';
  const { commitsIf } = libraryNamed(effect.library) ?? {};
  return !commitsIf || effect.at.file.says(commitsIf) ? 'each' : 'scope';
}

/** The connections or transactions that the write is given or called on. */
function receiversOf(file: FileFacts, { at }: Effect, place: Node): readonly LibraryValue[] {
  const call = bare(at.node.type === 'AwaitExpression' ? at.node.argument : at.node);
  const receiver = isCall(call) ? libraryCallOf(at.file, call)?.callee.receiver : undefined;
  const own = receiver ? handlesOf(receiver) : [];
  const isKnown = receiver !== undefined && !own.some((it) => it.parameter);
  if (isKnown || !isCall(place) || place === call) return own;
  return argumentsOf(place).flatMap((it) =>
    alternativesOf(valueOf(file, it)).filter(
      (value) =>
        value.kind === 'library' &&
        /^(?:connection|transaction|client)$/.test(value.type.role ?? ''),
    ),
  ) as LibraryValue[];
}

/** `inTransaction(async (client) => { for (…) await client.query(…) })`, of a function of the project that begins before it calls that. */
function isLentInTransaction(file: FileFacts, loop: Loop, place: Node): boolean {
  const lent: LiveScope[] = [];
  for (let it: Node | undefined = loop.node; it; it = it.parent) lent.push(...lentIn(file, it));
  return lent.some(({ call, names }) => {
    // no veto: rows on another connection are committed one by one.
    if (!connectionsIn(place).some((it) => names.some((name) => name === variableOf(file, it))))
      return false;
    const lender = valueOf(file, calleeOf(call));
    return lender.kind === 'function' && begins(lender.file, lender.node, Infinity);
  });
}

function variableOf(file: FileFacts, node: Node): Variable | undefined {
  return node.type === 'Identifier' ? file.variableOf(node) : undefined;
}

/** What a call is called on, and what it is given. */
function connectionsIn(place: Node): readonly Node[] {
  const call = bare(place.type === 'AwaitExpression' ? place.argument : place);
  if (!isCall(call)) return [];
  const callee = bare(calleeOf(call));
  return [
    ...(callee.type === 'MemberExpression' ? [bare(callee.object)] : []),
    ...argumentsOf(call),
  ];
}

/** `work.client.query(…)`, `save(work.client, row)`, where `work` is what the caller gives, or the pattern in place of it. */
function isGivenInObject(file: FileFacts, place: Node): boolean {
  return connectionsIn(place).some((it) => {
    const root = rootOf(it);
    const [definition] = (root.type === 'Identifier' && file.variableOf(root)?.defs) || [];
    if (definition?.type !== 'Parameter') return false;
    const isWhole = it === root && definition.node.params.some((one) => one === definition.name);
    return !isWhole && isConnection(file, it);
  });
}

function isConnection(file: FileFacts, node: Node): boolean {
  return alternativesOf(valueOf(file, node)).some(
    (it) => it.kind === 'library' && /^(?:connection|client)$/.test(it.type.role ?? ''),
  );
}

const BEGINS = /^(?:begin\w*|start_?transaction|transaction)$/i;
const BEGIN_STATEMENT =
  /^\s*(?:begin\b|start\s+transaction\b|set\s+autocommit\s*(?:=\s*)?(?:0|off))/i;

/** Whether a function around the loop, or around what holds it, begins a transaction before it. */
export function isBegunAround(file: FileFacts, loop: Pick<Loop, 'node'>): boolean {
  for (let fn = functionAround(loop.node); fn; fn = functionAround(fn)) {
    if (begins(file, fn, startsAt(loop.node), loop.node)) return true;
  }
  return !functionAround(loop.node) && begins(file, file.ast, startsAt(loop.node), loop.node);
}

function begins(file: FileFacts, root: Node, before: number, work?: Node): boolean {
  return beginsIn(file, root).some(
    (it) => startsAt(it) < before && !(work && isOfAnother(file, it, work)),
  );
}

/** Many loops of a function may ask. */
const beginsIn = query(
  'begins',
  (file: FileFacts, root: Node): readonly Call[] => {
    const found: Call[] = [];
    walk(root, (it) => {
      if (isCall(it) && isBegin(file, it)) found.push(it);
    });
    return found;
  },
  { whileCyclic: [] },
);

/** In a function beside this work, on a connection that was taken there: `app.post('/', async () => { const client = await pool.connect(); … })`. */
function isOfAnother(file: FileFacts, begin: Call, work: Node): boolean {
  const taken = connectionsIn(begin).map((it) => variableOf(file, rootOf(it)));
  for (let fn = functionAround(begin); fn && !contains(fn, work); fn = functionAround(fn)) {
    // What is begun here is on a connection of its own.
    if (calledName(calleeOf(begin)) === 'transaction') return true;
    const isOwn = ({ type, name }: Definition) => type === 'Variable' && contains(fn!, name);
    if (taken.some((it) => it?.defs.some(isOwn))) return true;
  }
  return false;
}

function isBegin(file: FileFacts, call: Call): boolean {
  if (BEGINS.test(calledName(calleeOf(call)) ?? '')) return true;
  const [first] = call.type === 'TaggedTemplateExpression' ? [call.quasi] : call.arguments;
  if (first && BEGIN_STATEMENT.test(literalText(file, first))) return true;
  // `const begin = db.prepare('BEGIN')`, then `begin.run()`.
  const prepared = libraryCallOf(file, call)?.callee.receiver?.origin;
  const [text] = prepared && isCall(prepared.node) ? argumentsOf(prepared.node) : [];
  return !!text && BEGIN_STATEMENT.test(literalText(prepared!.file, text));
}

function literalText(file: FileFacts, node: Node): string {
  const it = bare(node);
  return it.type === 'Literal' || it.type === 'TemplateLiteral'
    ? file.textOf(it).replace(/^['"`]/, '')
    : '';
}

/** A connection that was not taken in a function around the loop: this file begins transactions somewhere, or who takes it does. */
function mayBeBegun(file: FileFacts, loop: Loop, receivers: readonly LibraryValue[]): boolean {
  const others = receivers.filter(({ origin }) => {
    const taker = origin && takerOf(origin);
    return !taker || origin.file !== file || !contains(taker, loop.node);
  });
  if (others.length === 0) return false;
  if (begins(file, file.ast, Infinity)) return true;
  // `const client = await pool.connect(); await client.query('BEGIN'); await work(client);` in another file
  return others.some(
    ({ origin }) => origin && begins(origin.file, takerOf(origin) ?? origin.file.ast, Infinity),
  );
}

/** The function that takes the connection; a callback's parameter is made where the callback is. */
function takerOf({ node }: Place): Node | undefined {
  return isFunction(node) ? node : functionAround(node);
}

const RELAXED =
  /synchronous_commit['"\s=:]*(?:off|false)|innodb_flush_log_at_trx_commit['"\s=:]*[02]\b/i;

/** Whether the settings declare that commits do not wait for the disk: in this file, or where the connection is created. */
export function isRelaxedCommit(file: FileFacts, { at }: Effect): boolean {
  const call = bare(at.node.type === 'AwaitExpression' ? at.node.argument : at.node);
  const receiver = isCall(call) ? libraryCallOf(at.file, call)?.callee.receiver : undefined;
  return [file, at.file, receiver?.origin?.file].some((it) => it?.says(RELAXED));
}
