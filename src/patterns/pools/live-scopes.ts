import { valueOf } from '../../analysis/provenance/value-of.ts';
import { collect } from '../../engine/regions.ts';
import { query, queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  functionAround,
  type FunctionNode,
  isFunction,
  type Node,
  targetsIn,
  walkOwn,
} from '../../analysis/syntax/ast.ts';
import { isAwaited } from '../../analysis/flow/awaited.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import { callsNamedLikeConnectionsIn } from '../../analysis/provenance/connection-names.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { referredValue } from '../../analysis/provenance/library-values.ts';
import type { Callback } from '../../analysis/model/schema.ts';
import { mentions, variablesIn } from '../../analysis/syntax/mentions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { type Ownership, ownershipsOf } from '../../analysis/ownership/ownership.ts';
import { begunBy, transactionsOf } from './session-transactions.ts';
import { startsAt } from '../../analysis/syntax/places.ts';
import { poolGiven, poolOfCall } from '../../analysis/effects/pool-origins.ts';
import { type FunctionValue, isOneSession, type LibraryValue } from '../../analysis/file/value.ts';
import { groupsOf } from '../../analysis/syntax/grouped.ts';

/** A stretch of code that runs while it holds one connection or transaction of a database. */
export interface LiveScope {
  readonly file: FileFacts;
  /** 'manual' ends where the code releases it; the function that opens a 'callback' scope also ends it. */
  readonly kind: 'manual' | 'callback';
  readonly isTransaction: boolean;
  readonly handle: LibraryValue;
  /** What the code calls the handle; several names for one that is passed on under another. */
  readonly names: readonly Variable[];
  /** The names stand for an object of the project around the handle: `new UnitOfWork(client)`. */
  readonly isWrapped: boolean;
  readonly pool: LibraryValue | undefined;
  /** Acquires the connection, begins the transaction of a session, or runs the function with one. */
  readonly call: Call;
  /** The function (or module) in which all of it happens. */
  readonly root: FunctionNode | TSESTree.Program;
  /** What is waited for meanwhile: single awaits, or the whole body of a callback. */
  readonly places: readonly Node[];
  /** How the handle is released, where the code itself does that. */
  readonly ownership: Ownership | undefined;
}

/**
 * The scopes of a file in source order: checked out by hand, borrowed by a callback, or borrowed from a function of the
 * project.
 */
export const liveScopesOf = queryOfFile(
  'live scopes',
  (file: FileFacts): readonly LiveScope[] => {
    const all = [...heldScopesOf(file), ...givenSessionScopes(file), ...lentScopesOf(file)];
    return all.sort((a, b) => startsAt(a.call) - startsAt(b.call));
  },
  { whileCyclic: [] },
);

const lentScopesOf = collect('borrowed scopes', (file: FileFacts, region): readonly LiveScope[] =>
  callsNamedLikeConnectionsIn(file, region).flatMap((it) => lentScope(file, it) ?? []),
);

/** Those of them in which the function, or its alias, borrows a connection. */
export function lentIn(file: FileFacts, root: Node): readonly LiveScope[] {
  return lentScopesByRoot(file).get(root) ?? [];
}

const lentScopesByRoot = groupsOf(
  'borrowed scopes by root',
  (file: FileFacts) => liveScopesOf(file).filter(({ kind }) => kind === 'callback'),
  (it): Node => it.root,
);

/** Apart from what is lent: a function that lends asks for these, also for a call of it in the same file. */
const heldScopesOf = queryOfFile(
  'held scopes',
  (file: FileFacts): readonly LiveScope[] => ownershipsOf(file).flatMap(heldScopes),
  { whileCyclic: [] },
);

function heldScopes(ownership: Ownership): readonly LiveScope[] {
  const { acquisition, heldAt, names } = ownership;
  const { file, call, root, source, subject, kind, start } = acquisition;
  const { handle } = subject;
  // A connection of its own keeps nobody else from one, and other things are no connections.
  if (!isDatabase(handle) || handle.type.role === 'client') return [];
  const all = [
    ...names,
    ...[...start.aliases].flatMap(([it, alias]) => (alias === 'handle' ? it : [])),
  ];
  const places = [...heldAt].filter(
    // What is still held beyond its block is lost, which is another matter.
    (it) => !isLeftAlone(file, it, { root, names: all }) && isInReach(it, all),
  );
  const scope: LiveScope = {
    file,
    kind: 'manual',
    isTransaction: kind === 'transaction' || kind === 'session',
    handle,
    names: all,
    isWrapped: subject.keeper !== undefined,
    pool: source,
    call,
    root,
    places,
    ownership,
  };
  if (kind !== 'session') return [scope];
  // A session takes connections for its calls only; what it can hold open is a transaction.
  return transactionsOf(file, root, all, places).map((it) => ({
    ...scope,
    call: it.begun,
    places: it.places,
  }));
}

/** Whether the code there has a name for it. */
function isInReach(place: Node, names: readonly Variable[]): boolean {
  return names.some((it) => contains(it.scope, place));
}

/** A transaction that a function begins on a session which its caller has opened. */
function givenSessionScopes(file: FileFacts): readonly LiveScope[] {
  const sessions = new Map<
    Variable,
    { readonly root: FunctionNode; readonly handle: LibraryValue }
  >();
  for (const call of file.nodes.called('startTransaction')) {
    const variable = begunBy(file, call);
    const [definition] = variable?.defs ?? [];
    const root = functionAround(call);
    // no veto: a session of the function's own is held from where it takes it.
    if (!variable || definition?.type !== 'Parameter' || definition.node !== root) continue;
    const handle = valueOf(file, definition.name);
    if (handle.kind === 'library' && handle.type.role === 'session') {
      sessions.set(variable, { root, handle });
    }
  }
  return [...sessions].flatMap(([variable, { root, handle }]) => {
    const names = [variable];
    const awaits = awaitsOf(root).filter((it) => !isLeftAlone(file, it, { root, names }));
    return transactionsOf(file, root, names, awaits).map(({ begun, places }) => ({
      ...{ file, handle, names, root, places, call: begun },
      ...{ kind: 'manual' as const, isTransaction: true, pool: undefined, ownership: undefined },
      isWrapped: false,
    }));
  });
}

function awaitsOf(fn: FunctionNode): readonly Node[] {
  const body = bodyOf(fn);
  const found: Node[] = [];
  if (body) {
    walkOwn(body, (it) => {
      if (it.type === 'AwaitExpression') found.push(it);
    });
  }
  return found;
}

/** `(async () => { await report(id); })().catch(log);`: runs on after the connection is given back, and works without it. */
function isLeftAlone(
  file: FileFacts,
  node: Node,
  { root, names }: Pick<LiveScope, 'root' | 'names'>,
): boolean {
  for (let fn = functionAround(node); fn && fn !== root; fn = functionAround(fn)) {
    const call = calledOnTheSpot(fn);
    // veto: the code starts a function without an await, and that function does not use the connection
    if (call && !isAwaited(file, call) && !mentions(file, fn, new Set(names))) return true;
  }
  return false;
}

function calledOnTheSpot(fn: FunctionNode): Call | undefined {
  const { parent } = fn;
  return parent.type === 'CallExpression' && parent.callee === fn ? parent : undefined;
}

/** `db.transaction(async (tx) => …)`, `withClient(async (client) => …)`. */
function lentScope(file: FileFacts, call: Call): LiveScope | undefined {
  const lender = lenderAt(file, call);
  const fn = lender && functionOf(file, lender.argument);
  if (!fn) return undefined;
  const parameter = lender.handleAt === undefined ? undefined : fn.params[lender.handleAt];
  return {
    file,
    kind: 'callback',
    isTransaction: lender.isTransaction,
    handle: lender.handle,
    // Parts of it, too: `async ({ ship, voyage }) => …`.
    names: parameter ? targetsIn(parameter).flatMap((it) => variablesIn(file, it)) : [],
    isWrapped: lender.isWrapped,
    pool: lender.pool,
    call,
    root: fn,
    places: [bodyOf(fn)],
    ownership: undefined,
  };
}

function functionOf(file: FileFacts, argument: Node): FunctionNode | undefined {
  const value = valueOf(file, argument);
  return value.kind === 'function' && value.file === file ? value.node : undefined;
}

/** Who runs the function at `argument` while a connection is held for it. */
interface Lender extends Pick<LiveScope, 'isTransaction' | 'handle' | 'pool' | 'isWrapped'> {
  readonly argument: Node;
  /** Which parameter of that function is the handle. */
  readonly handleAt: number | undefined;
}

function lenderAt(file: FileFacts, call: Call): Lender | undefined {
  const library = libraryCallOf(file, call);
  const callback = library?.signature.callback;
  if (!library) return projectLender(file, call);
  const argument = callback && scopeArgument(call, callback);
  if (!argument) return undefined;
  const { callee } = library;
  const role = callee.receiver?.type.role;
  // A savepoint, or a transaction on the connection of a task, takes no further one.
  if (role === 'transaction' || role === 'connection') return undefined;
  const handle = referredValue(callee.library, callback.params[0], { file, node: argument });
  if (handle.kind !== 'library' || !isDatabase(handle)) return undefined;
  const isTransaction = callback.scope === 'transaction';
  const pool = poolOfCall(library, { file, node: call });
  return { argument, handleAt: 0, isTransaction, handle, pool, isWrapped: false };
}

function scopeArgument(call: Call, { scope, at }: Callback): Node | undefined {
  if (scope !== 'connection' && scope !== 'transaction') return undefined;
  return at === 'last' ? argumentsOf(call).at(-1) : argumentsOf(call)[at];
}

/** A function of the project that runs its parameter between taking a connection and giving it back. */
function projectLender(
  file: FileFacts,
  call: Call,
  isUser: (argument: Node) => boolean = (it) => functionOf(file, it) !== undefined,
): Lender | undefined {
  const args = argumentsOf(call);
  const callee = valueOf(file, calleeOf(call));
  if (callee.kind !== 'function') return undefined;
  for (const [i, argument] of args.entries()) {
    const lent = isUser(argument) ? lentBy(callee, i) : undefined;
    if (lent) return { ...lent, argument, pool: poolGiven(file, args, callee.node, lent.pool) };
  }
  return undefined;
}

function lentBy(fn: FunctionValue, index: number): Omit<Lender, 'argument'> | undefined {
  return lentTo(fn.file, fn.node, index);
}

const lentTo = query(
  'lent to',
  (file: FileFacts, node: FunctionNode, index: number): Omit<Lender, 'argument'> | undefined => {
    const parameter = node.params[index];
    const variable = parameter?.type === 'Identifier' ? file.variableOf(parameter) : undefined;
    for (const { identifier } of variable?.references ?? []) {
      const use = (identifier as Node).parent;
      // no veto: only calls lend.
      if (!use || !isCall(use)) continue;
      // Passed on to what lends: `return prisma.$transaction(work)`, `return await attempt(work)`.
      const isPassed = (argument: Node) => bare(argument) === identifier;
      const passed =
        calleeOf(use) === identifier
          ? undefined
          : (lenderAt(file, use) ?? projectLender(file, use, isPassed));
      if (passed && isPassed(passed.argument)) return passed;
      const around = calleeOf(use) === identifier ? scopeAround(file, use) : undefined;
      if (!around) continue;
      const { isTransaction, pool, names } = around;
      const args = argumentsOf(use);
      const handleAt = args.findIndex((it) => isOnHandle(file, it, names));
      const given = handleAt === -1 ? undefined : valueOf(file, args[handleAt]!);
      return {
        isTransaction,
        handle: given?.kind === 'library' ? given : around.handle,
        pool,
        handleAt: handleAt === -1 ? undefined : handleAt,
        isWrapped: given?.kind !== 'library',
      };
    }
    return undefined;
  },
  { whileCyclic: undefined },
);

/**
 * `work(client)`, `work(runner.manager)`, `work({ orders: new Orders(client) })`, `work(ordersOn(client))`: the handle, or what is on
 * its connection.
 */
function isOnHandle(file: FileFacts, argument: Node, names: readonly Variable[]): boolean {
  const it = bare(argument);
  if (it.type === 'Identifier') return names.includes(file.variableOf(it)!);
  if (it.type === 'NewExpression') return it.arguments.some((of) => isOnHandle(file, of, names));
  if (it.type === 'ObjectExpression')
    return it.properties.some((of) => of.type === 'Property' && isOnHandle(file, of.value, names));
  if (it.type === 'CallExpression' && /^(?:instance|object)$/.test(valueOf(file, it).kind))
    return it.arguments.some((of) => isOnHandle(file, of, names));
  if (isFunction(it)) return mentions(file, it, new Set(names));
  return (
    it.type === 'MemberExpression' &&
    isOneSession(valueOf(file, it)) &&
    isOnHandle(file, it.object, names)
  );
}

function scopeAround(file: FileFacts, node: Node): LiveScope | undefined {
  const held = heldAround(file, node);
  if (held) return held;
  for (let it = node.parent; it; it = it.parent) {
    const lent = isCall(it) ? lentScope(file, it) : undefined;
    if (lent?.places.some((place) => contains(place, node))) return lent;
  }
  return undefined;
}

const heldScopesByPlace = groupsOf(
  'held scopes by place',
  (file: FileFacts) =>
    heldScopesOf(file).flatMap((scope, i) => scope.places.map((place) => ({ place, scope, i }))),
  (it) => it.place,
);

/** The first of those that are held there. */
function heldAround(file: FileFacts, node: Node): LiveScope | undefined {
  const byPlace = heldScopesByPlace(file);
  let first: { readonly scope: LiveScope; readonly i: number } | undefined;
  for (let it: Node | undefined = node; it; it = it.parent) {
    const [held] = byPlace.get(it) ?? [];
    if (held && !(first && first.i < held.i)) first = held;
  }
  return first?.scope;
}

/** One of its methods asks a database, or what it gives does: no browser of a pool of browsers. */
function isDatabase({ type }: LibraryValue): boolean {
  return Object.values(type.members ?? {}).some(
    (it) => (it.withCallback ?? it).effect?.env === 'db' || it.effect?.env === 'db',
  );
}
