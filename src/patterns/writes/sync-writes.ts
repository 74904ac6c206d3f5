import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  calledName,
  dottedName,
  functionAround,
  hasPause,
  type Node,
  propertyName,
  walk,
  walkOwn,
} from '../../analysis/syntax/ast.ts';
import { conditionsOn } from '../../analysis/syntax/conditions.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { argumentsOf, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isLoopOfItems, isOfFew } from '../../analysis/loops/item-loops.ts';
import { type Loop, loopAround, loopsOf } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { nameOfFunction } from '../../analysis/syntax/function-names.ts';
import { statementOf } from '../../analysis/sql/sql.ts';
import { sqlTextOf } from '../../analysis/provenance/sql-text.ts';
import { isGivenTransaction, isInTransaction } from '../../analysis/effects/transaction-scopes.ts';
import type { LibraryValue } from '../../analysis/file/value.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';
import { isBegunAround } from './scopes.ts';

/** A loop that runs a synchronous SQLite statement for each element, outside a transaction. */
export interface SyncWrites {
  readonly loop: Loop;
  readonly place: TSESTree.CallExpression;
  readonly library: string;
  /** `insert.run()`. */
  readonly call: string;
  readonly table: string | undefined;
  /** A pragma makes commits wait for less of the disk than by default. */
  readonly isRelaxed: boolean;
  /** The database as written, where it has `transaction()` and can be named at the loop. */
  readonly database: string | undefined;
  /** The loop as a statement that nothing leaves but by its end. */
  readonly statement: Node | undefined;
}

const SQLITE = /sqlite/i;
const RUN = /\.(?:run|exec)\b/;
const RELAXED = /\bjournal_mode\b|\bsynchronous\s*[=(]\s*\w/i;
const WAL = /\bjournal_mode\W{1,4}wal\b/i;
const OFF = /\bsynchronous\W{1,4}(?:off|0)\b/i;
const NORMAL = /\bsynchronous\W{1,4}(?:normal|1)\b/i;
const FULL = /\bsynchronous\W{1,4}(?:full|extra|[23])\b/i;

export function syncWritesOf(file: FileFacts): readonly SyncWrites[] {
  // no veto: spares most files the question.
  if (!file.says(SQLITE) && !file.says(RUN)) return [];
  return loopsOf(file).flatMap((it) => found(file, it) ?? []);
}

function found(file: FileFacts, loop: Loop): SyncWrites | undefined {
  // veto: the loop polls, retries, handles batches, or only runs a function that callers pass
  if (!isLoopOfItems(file, loop)) return undefined;
  const place = firstWrite(file, loop);
  const receiver = place && libraryCallOf(file, place)?.callee.receiver;
  // no veto: nothing is written.
  if (!receiver) return undefined;
  // veto: the loop has at most three iterations
  if (isOfFew(loop)) return undefined;
  const database = databaseOf(receiver);
  // veto: the database is unresolved, or comes from the caller, which can have begun a transaction
  if (!database || database.parameter) return undefined;
  // veto: the loop is inside a transaction, or after a `BEGIN`
  if (isInTransaction(file, loop.node) || isBegunAround(file, loop)) return undefined;
  // veto: the function with the loop is run in a transaction, or receives one
  if (isPassedToTransaction(file, loop) || isGivenTransaction(file, loop.node)) return undefined;
  // veto: an iteration awaits or yields, so one synchronous transaction cannot contain the loop
  if (hasPause(loop.body)) return undefined;
  const files = database.origin ? [file, database.origin.file] : [file];
  // veto: the SQLite database is in memory, or its settings make no commit wait for the disk
  if (isInMemory(database) || isWithoutDisk(database, files)) return undefined;
  return {
    loop,
    place,
    library: receiver.library.name,
    call: `${dottedName(place.callee) ?? 'run'}()`,
    table: receiver.built?.table,
    isRelaxed: files.some((it) => it.says(RELAXED)),
    database: nameOf(file, database),
    statement: statementIn(loop),
  };
}

/** `new Database(':memory:')`, `open({ filename: ':memory:' })` */
export function isInMemory({ origin }: LibraryValue): boolean {
  // no veto: a database that is made elsewhere shows no file.
  if (!origin || !isCall(origin.node)) return false;
  const [given] = argumentsOf(origin.node);
  const option = given?.type === 'ObjectExpression' ? given.properties.find(isFileName) : undefined;
  const name = option?.type === 'Property' ? option.value : given;
  return name?.type === 'Literal' && name.value === ':memory:';
}

function isFileName(option: TSESTree.ObjectLiteralElement): boolean {
  return option.type === 'Property' && propertyName(option) === 'filename';
}

/** Commits are written, and the disk is waited for at checkpoints: as the pragmas say, or with a log as the driver is built. */
function isWithoutDisk({ type }: LibraryValue, files: readonly FileFacts[]): boolean {
  const said = (pattern: RegExp) => files.some((it) => it.says(pattern));
  // veto: the pragma `synchronous = OFF` makes no commit wait for the disk
  if (said(OFF)) return true;
  // veto of an exclusion: the database has no write-ahead log, so each commit waits for the disk
  if (!said(WAL)) return false;
  // veto: the driver is built with `SQLITE_DEFAULT_WAL_SYNCHRONOUS=1`, so no commit waits for the disk
  const isBuiltSo = type.hasRelaxedLog === true && !said(FULL);
  return isBuiltSo || said(NORMAL);
}

/** The first statement of an iteration that writes, and differs from one element to the next. */
function firstWrite(file: FileFacts, loop: Loop): TSESTree.CallExpression | undefined {
  let first: TSESTree.CallExpression | undefined;
  walk(loop.body, (it) => {
    if (it.type !== 'CallExpression' || !isWrite(file, it)) return true;
    const isFailing = conditionsOn(it, loop.body).some(({ kind }) => kind === 'catch');
    // veto: the statement is in an inner loop, or in a `catch` that runs only after a failure
    if (loopAround(file, it) !== loop || isFailing) return true;
    if (mentions(file, it, variantsOf(file, loop))) first ??= it;
    return true;
  });
  return first;
}

function isWrite(file: FileFacts, call: TSESTree.CallExpression): boolean {
  const library = libraryCallOf(file, call);
  const effect = library?.signature.effect;
  if (!effect?.sync) return false;
  if (effect.op === 'write')
    return /^(?:write|unknown)$/.test(library!.callee.receiver?.built?.op ?? 'unknown');
  const [text] = argumentsOf(call);
  const statement = effect.op === 'sql' && text ? sqlTextOf(file, text) : undefined;
  return (
    statement?.kind === 'text' &&
    /^(?:insert|update|delete)$/.test(statementOf(statement.text).verb ?? '')
  );
}

/** What a prepared statement belongs to. */
function databaseOf(value: LibraryValue): LibraryValue | undefined {
  if (value.type.role === 'client') return value;
  const { origin } = value;
  if (origin?.node.type !== 'CallExpression') return undefined;
  const receiver = libraryCallOf(origin.file, origin.node)?.callee.receiver;
  return receiver && databaseOf(receiver);
}

/** The database's variable in this file, where the database has a method for transactions. */
function nameOf(file: FileFacts, { type, origin }: LibraryValue): string | undefined {
  if (!type.members?.['transaction'] || origin?.file !== file) return undefined;
  const { parent } = origin.node;
  return parent?.type === 'VariableDeclarator' &&
    parent.id.type === 'Identifier' &&
    !functionAround(parent)
    ? parent.id.name
    : undefined;
}

function isPassedToTransaction(file: FileFacts, { node }: Loop): boolean {
  const fn = functionAround(node);
  const name = fn ? nameOfFunction(fn) : '';
  return file.nodes.all('CallExpression').some((call) => {
    if (calledName(call.callee) === 'transaction')
      return call.arguments.some((it) => nameOfGiven(it) === name);
    if (calledName(calleeOf(call)) !== name) return false;
    return isInTransaction(file, call) || isBegunAround(file, { node: call });
  });
}

/** `saveAll`, `this.saveAll`, `this.saveAll.bind(this)`. */
function nameOfGiven(node: Node): string | undefined {
  const it = bare(node);
  if (it.type !== 'CallExpression') return calledName(it);
  const callee = bare(it.callee);
  return callee.type === 'MemberExpression' && propertyName(callee) === 'bind'
    ? calledName(callee.object)
    : undefined;
}

/** A loop statement that neither returns nor jumps out. */
function statementIn({ node, body }: Loop): Node | undefined {
  let leaves = false;
  walkOwn(body, (it) => {
    leaves ||=
      it.type === 'ReturnStatement' ||
      ('label' in it && it.label !== null && it.type !== 'LabeledStatement');
  });
  const statement = node.type === 'CallExpression' ? node.parent : node;
  return leaves || !/Statement$/.test(statement.type) ? undefined : statement;
}
