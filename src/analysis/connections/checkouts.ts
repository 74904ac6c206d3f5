import { valueOf } from '../provenance/value-of.ts';
import { query, queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { Variable } from '../syntax/names.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { acquisitionCandidates } from '../ownership/acquisition-candidates.ts';
import { type Acquisition, acquisitionAt } from '../ownership/acquisitions.ts';
import {
  bare,
  contains,
  isFunction,
  isLoop,
  isNamed,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { libraryMember } from '../provenance/library-values.ts';
import { loopAround } from '../flow/loops.ts';
import type { Signature } from '../model/schema.ts';
import { statementOf } from '../sql/sql.ts';
import { sqlOf } from '../provenance/sql-text.ts';
import type { LibraryValue } from '../file/value.ts';
import { groupsOf } from '../syntax/grouped.ts';

/** A connection that one function acquires from a pool, uses for one query and releases. */
export interface Checkout {
  readonly file: FileFacts;
  readonly call: Call;
  readonly acquisition: Acquisition;
  /** Undefined for a pool that the module keeps to itself. */
  readonly pool: LibraryValue | undefined;
  readonly variable: Variable;
  readonly query: Call;
  /** `query`, `execute`; empty for a template's tag. */
  readonly method: string;
  /** Statements before the query that set the session up. */
  readonly setUp: readonly Call[];
  /** The statements that begin and end a transaction around the query, where there is one. */
  readonly controls: readonly Call[];
  readonly releases: readonly Node[];
}

/** Every checkout of a file for one query and no transaction, in source order. */
export const checkoutsOf = queryOfFile(
  'checkouts for one query',
  (file: FileFacts): readonly Checkout[] =>
    allCheckoutsOf(file).filter((it) => it.controls.length === 0),
  { whileCyclic: [] },
);

/** The checkout for this query. */
export function checkoutFor(file: FileFacts, query: Node): Checkout | undefined {
  return checkoutsByQuery(file).get(query)?.[0];
}

const checkoutsByQuery = groupsOf(
  'checkouts by query',
  (file: FileFacts) => checkoutsOf(file),
  (it): Node => it.query,
);

/** Whether a call only sets up the session of one of those. */
export function setsUp(file: FileFacts, call: Node): boolean {
  return setUps(file).has(call);
}

const setUps = queryOfFile(
  'set-ups',
  (file: FileFacts): ReadonlySet<Node> => new Set(checkoutsOf(file).flatMap((it) => it.setUp)),
  { whileCyclic: new Set() },
);

export const allCheckoutsOf = queryOfFile(
  'checkouts',
  (file: FileFacts): readonly Checkout[] =>
    acquisitionCandidates(file).flatMap((it) => checkoutAt(file, it) ?? []),
  { whileCyclic: [] },
);

const checkoutAt = query(
  'checkout',
  (file: FileFacts, call: Call): Checkout | undefined => found(file, call),
  { whileCyclic: undefined, isCompared: false },
);

function found(file: FileFacts, call: Call): Checkout | undefined {
  const acquisition = acquisitionAt(file, call);
  if (acquisition?.kind !== 'connection' || !isPooled(acquisition)) return undefined;
  const variable = variableOf(acquisition);
  const uses = variable && usesOf(acquisition, variable);
  if (!uses) return undefined;
  const asked = uses.flatMap((it) => (it.kind === 'query' ? [it] : []));
  const controls = asked.filter((it) => isControl(file, it.call));
  const queries = asked.filter((it) => !controls.includes(it));
  const releases = uses.flatMap((it) => (it.kind === 'release' ? [it.node] : []));
  const query = queries.at(-1);
  const setUp = queries.slice(0, -1).map((it) => it.call);
  if (!query || releases.length + releasersOf(acquisition).length === 0) return undefined;
  // veto: the connection runs several queries, or only statements that set up the session
  if (!setUp.every((it) => isSetUp(file, it)) || isSetUp(file, query.call)) return undefined;
  // veto: the code begins a transaction on the connection and never commits it
  if (controls.length > 0 && !controls.some((it) => isControl(file, it.call, COMMIT)))
    return undefined;
  // veto: the query is a cursor, a stream or a lock, or a loop repeats it on the connection
  if (!isPlainQuery(file, query.call) || isLoopedWithin(file, query.call, call)) return undefined;
  const pool = acquisition.source?.type.role ? acquisition.source : undefined;
  const { method } = query;
  return {
    file,
    call,
    acquisition,
    pool,
    variable,
    query: query.call,
    method,
    setUp,
    controls: controls.map((it) => it.call),
    releases,
  };
}

/** From a pool that the code names, or from that of the module. */
export function isPooled({ file, source, subject, call }: Acquisition): boolean {
  if (source?.type.role) return source.type.role === 'pool';
  // `oracledb.getConnection({ user, … })` makes a connection of its own.
  const isOwn = argumentsOf(call).some((it) => valueOf(file, it).kind === 'object');
  return subject.handle.type.role === 'connection' && !isOwn;
}

/** The variable that holds the connection, and nothing else ever. */
export function variableOf({ file, call, isCallback, start }: Acquisition): Variable | undefined {
  if (isCallback) return [...start.aliases].find(([, alias]) => alias === 'handle')?.[0];
  let it: Node = call;
  while (it.parent && (bare(it.parent) === bare(it) || it.parent.type === 'AwaitExpression')) {
    it = it.parent;
  }
  const { parent } = it;
  const parameter = parent?.type === 'MemberExpression' ? firstOfThen(parent) : undefined;
  if (parameter) return file.variableOf(parameter);
  const name =
    parent?.type === 'VariableDeclarator'
      ? parent.id
      : parent?.type === 'AssignmentExpression'
        ? parent.left
        : undefined;
  const variable = name?.type === 'Identifier' ? file.variableOf(name) : undefined;
  const writes = variable?.references.filter((ref) => ref.isWrite() && !isNothing(ref.writeExpr));
  return writes?.length === 1 ? variable : undefined;
}

/** `client` in `pool.connect().then((client) => …)`. */
function firstOfThen(member: TSESTree.MemberExpression): TSESTree.Identifier | undefined {
  const then = member.parent;
  if (then.type !== 'CallExpression') return undefined;
  const [callback] = then.arguments;
  const [parameter] = callback && isFunction(callback) ? callback.params : [];
  return parameter?.type === 'Identifier' ? parameter : undefined;
}

function isNothing(node: Node | null | undefined): boolean {
  return node?.type === 'Literal' || isNamed(node, 'undefined');
}

/** `done` of pg's callback. */
function releasersOf({ start }: Acquisition): readonly Variable[] {
  return [...start.aliases]
    .filter(([it, alias]) => alias === 'releaser' && it.references.length > 0)
    .map(([it]) => it);
}

export type Use =
  | { readonly kind: 'lent'; readonly call: TSESTree.CallExpression }
  | { readonly kind: 'query'; readonly call: Call; readonly method: string }
  | { readonly kind: 'release'; readonly node: Node }
  | { readonly kind: 'test' };

/** Whether a loop, or a callback that runs once per element, acquires the connection in each iteration. */
export function isInLoop({ file, call }: Checkout): boolean {
  const loop = loopAround(file, call);
  return loop !== undefined && loop.kind !== 'consumer';
}

/** Undefined as soon as one use is anything else: the connection may be needed for that. */
export function usesOf(
  acquisition: Acquisition,
  variable: Variable,
  otherUse?: (acquisition: Acquisition, name: Node) => Use | undefined,
): readonly Use[] | undefined {
  const uses: Use[] = [];
  for (const reference of variable.references) {
    if (reference.isWrite()) continue;
    const name = reference.identifier as Node;
    const use = useOf(acquisition, name) ?? otherUse?.(acquisition, name);
    // veto: the code uses the connection for more than queries and its release
    if (!use) return undefined;
    uses.push(use);
  }
  return uses;
}

function useOf(acquisition: Acquisition, name: Node): Use | undefined {
  let node = name;
  while (node.parent && bare(node.parent) === name) node = node.parent;
  const { parent } = node;
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node ? memberUse(acquisition, parent) : undefined;
    case 'TaggedTemplateExpression':
      return parent.tag === node ? { kind: 'query', call: parent, method: '' } : undefined;
    case 'CallExpression':
      return isReleasedBy(acquisition.file, parent, node)
        ? { kind: 'release', node: parent }
        : undefined;
    case 'IfStatement':
    case 'ConditionalExpression':
      return parent.test === node ? { kind: 'test' } : undefined;
    case 'UnaryExpression':
    case 'LogicalExpression':
    case 'BinaryExpression':
      return isTest(parent) ? { kind: 'test' } : undefined;
    default:
      return undefined;
  }
}

/** `!client`, `client && client.release()`, `client !== undefined`: looked at, not kept. */
function isTest(node: Node): boolean {
  if (node.type === 'UnaryExpression') return node.operator === '!';
  if (node.type === 'LogicalExpression') return node.parent.type === 'ExpressionStatement';
  return node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator);
}

function isReleasedBy(file: FileFacts, call: TSESTree.CallExpression, argument: Node): boolean {
  const released = libraryCallOf(file, call)?.signature.releases;
  return typeof released === 'number' && call.arguments[released] === argument;
}

function memberUse(
  { file, subject }: Acquisition,
  member: TSESTree.MemberExpression,
): Use | undefined {
  const name = propertyName(member) ?? '';
  const called = libraryMember(subject.handle, name, { file, node: member });
  if (called.kind !== 'callable') return undefined;
  const { signature } = called;
  // Also handed on: `.finally(client.release)`.
  if (signature.releases === 'this') return { kind: 'release', node: member };
  const call = member.parent;
  if (call.type !== 'CallExpression' || call.callee !== member) return undefined;
  const isAsked = isQuery(signature) || CONTROLS.test(name);
  return isAsked ? { kind: 'query', call, method: name } : undefined;
}

function isQuery({ effect }: Signature): boolean {
  return effect?.env === 'db' && /^(?:sql|builder|read|write)$/.test(effect.op);
}

const SET_UP =
  /^\s*(?:set\s+(?!local\b|transaction\b|constraints\b)|use\s|select\s+set_config\b|deallocate\s|discard\s)/i;

function isSetUp(file: FileFacts, call: Call): boolean {
  const text = sqlOf(file, call);
  return text !== undefined && SET_UP.test(text);
}

const CONTROLS = /^(?:beginTransaction|startTransaction|commit|rollback)$/;
const CONTROL =
  /^\s*(?:begin|start\s+transaction|commit|rollback|end)(?:\s+(?:work|transaction))?[\s;]*$/i;

const COMMIT = /^\s*(?:commit|end)\b/i;

/** Begins a transaction, or ends one. */
function isControl(file: FileFacts, call: Call, which = /^/): boolean {
  const callee = bare(calleeOf(call));
  const name = callee.type === 'MemberExpression' ? (propertyName(callee) ?? '') : '';
  const text = sqlOf(file, call) ?? '';
  return (CONTROLS.test(name) && which.test(name)) || (CONTROL.test(text) && which.test(text));
}

/** No cursor, no stream, no lock that lives as long as the connection. */
function isPlainQuery(file: FileFacts, call: Call): boolean {
  const [statement] = argumentsOf(call);
  if (statement?.type === 'NewExpression') return false;
  const { parent } = call;
  if (parent.type === 'MemberExpression' && parent.object === call) {
    return /^(?:then|catch|finally)$/.test(propertyName(parent) ?? '');
  }
  const text = sqlOf(file, call);
  return text === undefined || statementOf(text).op !== 'sync';
}

/** The query runs any number of times for one checkout: that is a connection held for a loop. */
function isLoopedWithin(file: FileFacts, query: Node, acquire: Node): boolean {
  for (let it: Node | undefined = query; it && !contains(it, acquire); it = it.parent) {
    if (isLoop(it)) return true;
    if (isFunction(it) && (isCalledPerElement(it) || isLoopBody(file, bodyOf(it)!))) return true;
  }
  return false;
}

/** `eachSeries(ids, async (id) => …)`, a function that calls itself. */
function isLoopBody(file: FileFacts, body: Node): boolean {
  return loopAround(file, body)?.body === body;
}

function isCalledPerElement({ parent }: Node): boolean {
  if (parent?.type !== 'CallExpression') return false;
  const callee = bare(parent.callee);
  return (
    callee.type === 'MemberExpression' &&
    /^(?:forEach|map|filter|reduce|flatMap|some|every|each|eachSeries)$/.test(
      propertyName(callee) ?? '',
    )
  );
}
