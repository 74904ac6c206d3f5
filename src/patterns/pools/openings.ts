import { valueOf } from '../../analysis/provenance/value-of.ts';
import { collect } from '../../engine/regions.ts';
import { query, queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { functionAround, type FunctionNode, type Node, walk } from '../../analysis/syntax/ast.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { argumentsOf, type Call, isCall } from '../../analysis/syntax/calls.ts';
import {
  callsNamedLikeConnectionsIn,
  isNamedLikeConnection,
} from '../../analysis/provenance/connection-names.ts';
import type { HotContext } from '../../analysis/contexts/contexts.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isMadeOnce } from '../../analysis/contexts/made-once.ts';
import type { Place } from '../../analysis/file/place.ts';
import { heldOpeningOf } from './held-openings.ts';
import { isOpened, isPool, type Opened, openedByLibrary } from './opened-handles.ts';
import { isDedicated, isLocalTo, isPassing, isUsedUp, variableOf, wholeOf } from './opened-uses.ts';
import { heatByCallers, heatOf } from './opening-heat.ts';
import { callAround } from '../../analysis/flow/waits.ts';
import { alternativesOf, awaited, type FunctionValue } from '../../analysis/file/value.ts';
import { type Given, isOneServer } from './one-server.ts';
import { groupedBy } from '../../analysis/syntax/grouped.ts';

/** A place that runs once per element, job or request, and opens a connection, or makes a pool, of its own each time. */
export interface Opening extends Opened {
  readonly kind: 'connection' | 'pool';
  /** In this file: what opens it, or the call of a helper that does. */
  readonly at: Node;
  readonly context: HotContext;
  /** What makes the object that holds it, where that is how it comes to be made so often. */
  readonly by?: Place;
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
  const whole = wholeOf(file, call);
  const own = heatOf(file, whole);
  // Its callers leave it to a call whose name says what it gives.
  const opened = own || isNamedLikeConnection(call) ? openedAt(file, call) : openedHere(file, call);
  // Asked of what opens only: it reads all that a run may set.
  if (opened.length === 0) return heldAt(file, call);
  if (isMadeOnce(file, whole)) return [];
  const context = own ?? heatByCallers(file, whole);
  if (!context) return [];
  return opened.map((it) => ({
    ...it,
    kind: isPool(it.handle) ? 'pool' : 'connection',
    at: call,
    context,
  }));
}

/** By the call itself, for an object of the project that is made so often. */
function heldAt(file: FileFacts, call: Call): readonly Opening[] {
  const held = heldOpeningOf(file, call);
  if (!held) return [];
  return [{ ...held, kind: isPool(held.handle) ? 'pool' : 'connection', at: call }];
}

/** By the call itself, of which other files say how often it runs. */
function openedHere(file: FileFacts, call: Call): readonly Opened[] {
  const own = openedBy(file, call);
  return own && isClosed(file, call, own) ? [own] : [];
}

function isClosed(file: FileFacts, call: Call, opened: Opened): boolean {
  return isUsedUp(file, call, opened.handle, nameIn(file, call, opened));
}

/** By the call itself, or by a function of another file that it calls and that closes what it opens. */
function openedAt(file: FileFacts, call: Call): readonly Opened[] {
  const own = openedBy(file, call);
  if (own) return isClosed(file, call, own) ? [own] : [];
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
  const closed = own && isClosed(file, call, own) ? [own] : [];
  // no veto: beyond it would read half the project.
  if (distance >= FARTHEST) return closed;
  const callees = call.type === 'CallExpression' ? alternativesOf(valueOf(file, call.callee)) : [];
  return [
    ...closed,
    ...callees.flatMap((it) => (it.kind === 'function' ? openedWithin(it, distance + 1) : [])),
  ];
}

/** Makers of makers are followed this far: `withRedis(work)` calls `openRedis()`, which calls `build()`. */
const MOST_MAKERS = 3;

/** The connection that a call makes, or that a function of the project makes and hands on. */
function openedBy(file: FileFacts, call: Call, distance = 0): Opened | undefined {
  if (libraryCallOf(file, call)) return openedByLibrary(file, call);
  const handle = awaited(valueOf(file, call));
  if (handle.kind !== 'library') return undefined;
  const { origin } = handle;
  if (call.type !== 'CallExpression' || !origin || !isCall(origin.node)) return undefined;
  const made = { file: origin.file, call: origin.node };
  const maker = valueOf(file, call.callee);
  if (maker.kind !== 'function' || !isOpened(made.file, made.call, handle)) return undefined;
  const inner = makingIn(maker, made, distance);
  const given = { file, call, fn: maker.node };
  return inner && isHandedOn(inner, given, nameIn(inner.file, inner.call, { made, handle }))
    ? { made, handle }
    : undefined;
}

/** In a function, what makes the connection: the call of the library, or of another maker. */
function makingIn(
  maker: FunctionValue,
  made: Opened['made'],
  distance: number,
): Opened['made'] | undefined {
  const { file, node } = maker;
  if (file === made.file && functionAround(wholeOf(file, made.call)) === node) return made;
  // no veto: ends makers that call each other.
  if (distance >= MOST_MAKERS || !bodyOf(node)) return undefined;
  let inner: Call | undefined;
  walk(bodyOf(node), (it) => {
    if (isCall(it) && openedBy(file, it, distance + 1)?.made.call === made.call) inner ??= it;
    return !inner;
  });
  return inner && { file, call: inner };
}

/** Which argument names a queue of the server, and no server: the first of `new Queue(name, options)`, and what becomes that. */
function nameIn(file: FileFacts, call: Call, { made, handle }: Opened): number | undefined {
  if (!handle.type.isConnected) return undefined;
  if (call === made.call) return 0;
  const [name] = argumentsOf(made.call);
  const maker = call.type === 'CallExpression' ? valueOf(file, call.callee) : undefined;
  // no veto: the parameters of the maker alone are looked at.
  if (maker?.kind !== 'function' || maker.file !== made.file || name?.type !== 'Identifier')
    return undefined;
  const [definition] = maker.file.variableOf(name)?.defs ?? [];
  const index = maker.node.params.findIndex((it) => it === definition?.name);
  return index === -1 ? undefined : index;
}

/** The function makes it afresh each time, for the same server as far as its caller says, and returns it. */
function isHandedOn(
  { file, call }: Opening['made'],
  given: Given,
  name: number | undefined,
): boolean {
  const { fn } = given;
  // veto: the helper may connect to a different server per call, or its session must be separate
  if (!isOneServer(file, call, fn, { given, name }) || isDedicated(file, fn)) return false;
  const { parent } = wholeOf(file, call);
  if (parent?.type === 'ReturnStatement' || parent === fn) return true;
  const variable = variableOf(file, call);
  if (!variable || !isLocalTo(fn, variable)) return false;
  const uses = variable.references.filter((it) => it.isRead()).map((it) => it.identifier as Node);
  return uses.every(
    (it) => it.parent?.type === 'ReturnStatement' || isPassing(file, it, fn, variable),
  );
}

/** Whether the call runs whenever `fn` does, in `fn` itself or in what runs inline there. */
function runsWith(file: FileFacts, call: Node, fn: FunctionNode): boolean {
  for (let it = functionAround(call); it && it !== fn; it = functionAround(it)) {
    // veto: the call is in an inner function that may run at a different time
    if (!callAround(file, it)) return false;
  }
  return true;
}
