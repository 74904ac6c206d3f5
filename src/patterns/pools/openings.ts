import { valueOf } from '../../analysis/provenance/value-of.ts';
import { collect } from '../../engine/regions.ts';
import { query, queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import {
  bare,
  contains,
  functionAround,
  type FunctionNode,
  isNamed,
  type Node,
  propertyName,
  walk,
} from '../../analysis/syntax/ast.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { argumentsOf, type Call, isCall } from '../../analysis/syntax/calls.ts';
import {
  callsNamedLikeConnectionsIn,
  isNamedLikeConnection,
} from '../../analysis/provenance/connection-names.ts';
import type { HotContext } from '../../analysis/contexts/contexts.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isMadeOnce } from '../../analysis/contexts/made-once.ts';
import { makesRequestContext } from '../../analysis/contexts/request-contexts.ts';
import { nameOfFunction } from '../../analysis/syntax/function-names.ts';
import { opensNothing } from '../../analysis/values/pool-limits.ts';
import { heatByCallers, heatOf } from './opening-heat.ts';
import { callAround } from '../../analysis/flow/waits.ts';
import {
  alternativesOf,
  awaited,
  type FunctionValue,
  type LibraryValue,
} from '../../analysis/file/value.ts';
import { type Given, isOneServer } from './one-server.ts';
import { groupedBy } from '../../analysis/syntax/grouped.ts';

/** A place that runs once per element, job or request, and opens a connection, or makes a pool, of its own each time. */
export interface Opening {
  readonly kind: 'connection' | 'pool';
  /** In this file: what opens it, or the call of a helper that does. */
  readonly at: Node;
  readonly context: HotContext;
  readonly made: { readonly file: FileFacts; readonly call: Call };
  readonly handle: LibraryValue;
}

/** One for each place that opens, however many places of the file lead there. */
export const openingsOf = queryOfFile(
  'openings',
  (file: FileFacts): readonly Opening[] => {
    return [...groupedBy(openingsOfRegions(file), (it) => it.made.call).values()].map(
      ([first]) => first!,
    );
  },
  { whileCyclic: [] },
);

const openingsOfRegions = collect('openings of regions', (file: FileFacts, region) =>
  callsNamedLikeConnectionsIn(file, region).flatMap((it) => openingsAt(file, it)),
);

function openingsAt(file: FileFacts, call: Call): readonly Opening[] {
  // no veto: a template asks a connection that is there.
  if (call.type === 'TaggedTemplateExpression') return [];
  // How often a call runs is asked of this file; what it opens, of others.
  const own = heatOf(file, call);
  // Its callers leave it to a call whose name says what it gives.
  const opened = own || isNamedLikeConnection(call) ? openedAt(file, call) : openedHere(file, call);
  // Asked of what opens only: it reads all that a run may set.
  // no veto: spares the question.
  if (opened.length === 0) return [];
  if (isMadeOnce(file, call)) return [];
  const context = own ?? heatByCallers(file, call);
  if (!context) return [];
  return opened.map((it) => ({
    ...it,
    kind: isPool(it.handle) ? 'pool' : 'connection',
    at: call,
    context,
  }));
}

type Opened = Pick<Opening, 'made' | 'handle'>;

/** By the call itself, of which other files say how often it runs. */
function openedHere(file: FileFacts, call: Call): readonly Opened[] {
  const own = openedBy(file, call);
  return own && isUsedUp(file, call, own.handle) ? [own] : [];
}

/** By the call itself, or by a function of another file that it calls and that closes what it opens. */
function openedAt(file: FileFacts, call: Call): readonly Opened[] {
  const own = openedBy(file, call);
  if (own) return isUsedUp(file, call, own.handle) ? [own] : [];
  if (call.type !== 'CallExpression') return [];
  return alternativesOf(valueOf(file, call.callee)).flatMap((it) =>
    it.kind === 'function' && it.file !== file ? openedWithin(it) : [],
  );
}

/** Functions are followed this far from the place that runs them. */
const FARTHEST = 3;

function openedWithin({ file, node }: FunctionValue, distance = 0): readonly Opened[] {
  return openedIn(file, node, distance);
}

const openedIn = query(
  'opened within',
  (file: FileFacts, node: FunctionNode, distance: number): readonly Opened[] => {
    const found: Opened[] = [];
    if (!bodyOf(node)) return found;
    walk(bodyOf(node), (call) => {
      if (!isCall(call) || !runsWith(file, call, node)) return;
      for (const it of openedByRun(file, call, distance)) {
        if (isMadeOnce(file, call)) return;
        found.push(it);
      }
    });
    return found;
  },
  { whileCyclic: [], keyOf: () => '' },
);

function openedByRun(file: FileFacts, call: Call, distance: number): readonly Opened[] {
  const own = openedBy(file, call);
  const closed = own && isUsedUp(file, call, own.handle) ? [own] : [];
  // no veto: beyond it would read half the project.
  if (distance >= FARTHEST) return closed;
  const callees = call.type === 'CallExpression' ? alternativesOf(valueOf(file, call.callee)) : [];
  return [
    ...closed,
    ...callees.flatMap((it) => (it.kind === 'function' ? openedWithin(it, distance + 1) : [])),
  ];
}

/** The connection that a call makes, or that a function of the project makes and hands on. */
function openedBy(file: FileFacts, call: Call): Opened | undefined {
  const handle = awaited(valueOf(file, call));
  if (handle.kind !== 'library') return undefined;
  if (libraryCallOf(file, call)) {
    return isOpened(file, call, handle) ? { made: { file, call }, handle } : undefined;
  }
  const { origin } = handle;
  if (call.type !== 'CallExpression' || !origin || !isCall(origin.node)) return undefined;
  const made = { file: origin.file, call: origin.node };
  const maker = valueOf(file, call.callee);
  if (maker.kind !== 'function') return undefined;
  const isMaker = maker.file === made.file && functionAround(made.call) === maker.node;
  const given = { file, call, fn: maker.node };
  return isMaker && isOpened(made.file, made.call, handle) && isHandedOn(made, given)
    ? { made, handle }
    : undefined;
}

/** A pool, or a client with a pool inside: made once a process. */
function isPool({ type }: LibraryValue): boolean {
  return type.role === 'pool' || type.isWhole === true;
}

/** No pool lends it, and it is not the one that everybody gets. */
function isOpened(file: FileFacts, call: Call, handle: LibraryValue): boolean {
  const { type } = handle;
  const { callee, signature } = libraryCallOf(file, call) ?? {};
  // veto: what it gives is no new connection
  if (callee?.receiver?.type.role) return false;
  // veto: the one of the module
  if (signature?.isShared) return false;
  // veto: it only writes statements
  if (opensNothing(handle)) return false;
  // veto: nobody answers when a file is opened
  if (type.isFile) return false;
  // veto: it is to be gone with the request
  if (type.isBrief) return false;
  // veto: it uses the connection that it is given
  if (type.isConnected && argumentsOf(call).some((it) => holdsHandle(file, it))) return false;
  if (type.role === 'client' || type.isConnected || isPool(handle)) return true;
  return (
    type.role === 'connection' &&
    signature?.opensWithOptions === true &&
    argumentsOf(call).some((it) => valueOf(file, it).kind === 'object')
  );
}

/** `{ connection: redis }` */
function holdsHandle(file: FileFacts, argument: Node): boolean {
  if (argument.type === 'ObjectExpression')
    return argument.properties.some((it) => it.type === 'Property' && holdsHandle(file, it.value));
  const given = valueOf(file, argument);
  return given.kind === 'library' && given.type.role !== undefined;
}

/** The function makes it afresh each time, for the same server as far as its caller says, and returns it. */
function isHandedOn({ file, call }: Opening['made'], given: Given): boolean {
  const { fn } = given;
  // veto: helper for other servers, or with a session of its own
  if (!isOneServer(file, call, fn, given) || isDedicated(file, fn)) return false;
  const { parent } = wholeOf(file, call);
  if (parent?.type === 'ReturnStatement' || parent === fn) return true;
  const variable = variableOf(file, call);
  if (!variable || !isLocalTo(fn, variable)) return false;
  const uses = variable.references.filter((it) => it.isRead()).map((it) => it.identifier as Node);
  return uses.every(
    (it) => it.parent?.type === 'ReturnStatement' || isPassing(file, it, fn, variable),
  );
}

/** The call with the `await` and the type around it, and with what gives the same pool: `createPool(…).promise()`. */
function wholeOf(file: FileFacts, call: Node): Node {
  let it = call;
  for (;;) {
    const { parent } = it;
    if (!parent) return it;
    const next: Node =
      parent.type === 'MemberExpression' && parent.object === it ? parent.parent : parent;
    const isSame =
      next === parent
        ? bare(parent) === bare(it) || parent.type === 'AwaitExpression'
        : next.type === 'CallExpression' && isSamePool(file, next);
    if (!isSame) return it;
    it = next;
  }
}

function isSamePool(file: FileFacts, call: Call): boolean {
  const given = awaited(valueOf(file, call));
  const receiver = libraryCallOf(file, call)?.callee.receiver;
  return given.kind === 'library' && !!receiver && isPool(given) && isPool(receiver);
}

/** Made for this run alone: held by one local name, connected, never kept, and no session that has to be its own. */
function isUsedUp(file: FileFacts, call: Call, handle: LibraryValue): boolean {
  const fn = functionAround(call);
  if (!fn) return false;
  // veto: other servers, own sessions, trials
  if (!isOneServer(file, call, fn) || isDedicated(file, fn) || isOneShot(file, fn)) return false;
  const uses = ownUsesOf(file, call, fn);
  return uses !== undefined && (isPool(handle) || uses.some((it) => isMethodCall(it)));
}

/** What is done with it in the run that makes it, by its one name or on the spot; undefined where somebody else owns it. */
function ownUsesOf(file: FileFacts, call: Call, fn: FunctionNode): readonly Node[] | undefined {
  const variable = variableOf(file, call);
  if (!variable) return isUsedOnTheSpot(file, wholeOf(file, call), fn) ? [call] : undefined;
  // veto: kept
  if (!isLocalTo(fn, variable)) return undefined;
  const uses = variable.references.filter((it) => it.isRead()).map((it) => it.identifier as Node);
  const isOwn = (it: Node) => isPassing(file, it, fn, variable) || isOfContext(file, it, fn);
  // veto: owned by somebody else
  return uses.every(isOwn) ? uses : undefined;
}

/** `getDb().query(…)`, `drizzle(new Pool())` that is used up itself, `return { db: new Pool() }` of a request's context. */
function isUsedOnTheSpot(file: FileFacts, made: Node, fn: FunctionNode): boolean {
  const { parent } = made;
  if (parent?.type === 'MemberExpression') return parent.object === made && isMethodCall(made);
  if (parent?.type === 'CallExpression' && parent.callee !== made) {
    const wrapper = valueOf(file, parent);
    return wrapper.kind === 'library' && ownUsesOf(file, parent, fn) !== undefined;
  }
  return isOfContext(file, made, fn);
}

/** What the context of a request is made of ends with that. */
function isOfContext(file: FileFacts, part: Node, fn: FunctionNode): boolean {
  const { parent } = part;
  const isReturned = parent?.type === 'Property' || parent?.type === 'ReturnStatement';
  return isReturned && makesRequestContext(file, fn);
}

/** The one name that the connection ever has. */
function variableOf(file: FileFacts, call: Call): Variable | undefined {
  const { parent } = wholeOf(file, call);
  const name =
    parent?.type === 'VariableDeclarator'
      ? parent.id
      : parent?.type === 'AssignmentExpression' && parent.operator === '='
        ? parent.left
        : undefined;
  const variable = name?.type === 'Identifier' ? file.variableOf(name) : undefined;
  const writes = variable?.references.filter((ref) => {
    const value = ref.writeExpr;
    return ref.isWrite() && value?.type !== 'Literal' && !isNamed(value, 'undefined');
  });
  return writes?.length === 1 ? variable : undefined;
}

function isLocalTo(fn: FunctionNode, variable: Variable): boolean {
  return variable.defs.every((it) => contains(fn, it.name as Node) && it.type === 'Variable');
}

/** Sessions that cannot be shared: notifications, blocking reads, consumers, locks, databases made and dropped. */
const DEDICATED =
  /\b(?:LISTEN\s+["'\w$]|pg_(?:try_)?advisory|GET_LOCK\s*\(|LOCK\s+TABLES|START_REPLICATION|(?:CREATE|DROP|ALTER)\s+(?:DATABASE|SCHEMA|ROLE|USER)\b|pg_terminate_backend)|['"](?:notification|message|pmessage)['"]|\.(?:[ps]?subscribe|[pS]Subscribe|b[lr]pop(?:lpush)?|b[lr]Pop|blmove|xread(?:group)?|xRead(?:Group)?|monitor|consume|watch|prefetch)\s*\(/i;

function isDedicated(file: FileFacts, fn: FunctionNode): boolean {
  return DEDICATED.test(file.textOf(fn));
}

const TRYING =
  /\b(?:test|check|verify|validate|probe|ping|health|diagnos\w*|migrat\w*|seed|setup|install|backup|restore|dump)\b/;

/** The process ends with it, or the connection itself is what is tried. */
function isOneShot(file: FileFacts, fn: FunctionNode): boolean {
  const name = nameOfFunction(fn)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return TRYING.test(name) || /\bprocess\.exit\s*\(/.test(file.textOf(fn));
}

/** The function goes on with it, hands it to another for a while, or runs what is called with it; nobody keeps it. */
function isPassing(file: FileFacts, use: Node, fn: FunctionNode, variable: Variable): boolean {
  for (let around = functionAround(use); around && around !== fn; around = functionAround(around)) {
    // veto: used at another time
    if (!isRunBy(file, around, variable)) return false;
  }
  let node = use;
  while (node.parent && bare(node.parent) === use) node = node.parent;
  const { parent } = node;
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node;
    case 'CallExpression':
      // Knex is a function.
      return parent.callee === node || isLent(file, parent);
    case 'IfStatement':
    case 'UnaryExpression':
    case 'LogicalExpression':
    case 'BinaryExpression':
      return parent.type !== 'LogicalExpression' || parent.parent.type === 'ExpressionStatement';
    case 'TaggedTemplateExpression':
      return true;
    default:
      return false;
  }
}

/** A function that runs while `fn` does: a callback of the connection, a link of a promise chain, an executor. */
function isRunBy(file: FileFacts, inner: FunctionNode, variable: Variable): boolean {
  const { parent } = inner;
  if (parent.type === 'NewExpression') return file.textOf(parent.callee) === 'Promise';
  if (parent.type !== 'CallExpression') return false;
  const callee = bare(parent.callee);
  if (callee.type !== 'MemberExpression') return (callee as Node) === inner;
  if (/^(?:then|catch|finally|map|forEach)$/.test(propertyName(callee) ?? '')) return true;
  const name = propertyName(callee) ?? '';
  const isListener = /^(?:on|once|addListener)$/.test(name);
  const root = bare(callee.object);
  return !isListener && root.type === 'Identifier' && file.variableOf(root) === variable;
}

/** To a function of the project or the driver, or to the one that the caller has asked to be run with it. */
function isLent(file: FileFacts, call: Call): boolean {
  if (call.type !== 'CallExpression') return false;
  const callee = bare(call.callee);
  const { kind } = valueOf(file, callee);
  if (kind === 'function' || kind === 'callable') return true;
  return callee.type === 'Identifier' && file.variableOf(callee)?.defs[0]?.type === 'Parameter';
}

function isMethodCall(use: Node): boolean {
  return use.parent?.type === 'MemberExpression' && use.parent.parent.type === 'CallExpression';
}

/** Whether the call runs whenever `fn` does, in `fn` itself or in what runs inline there. */
function runsWith(file: FileFacts, call: Node, fn: FunctionNode): boolean {
  for (let it = functionAround(call); it && it !== fn; it = functionAround(it)) {
    // veto: runs at another time
    if (!callAround(file, it)) return false;
  }
  return true;
}
