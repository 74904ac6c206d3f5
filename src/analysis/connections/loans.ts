import { valueOf } from '../provenance/value-of.ts';
import { queryOfFile } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { acquisitionCandidates } from '../ownership/acquisition-candidates.ts';
import { type Acquisition, acquisitionAt } from '../ownership/acquisitions.ts';
import { isAwaited } from '../flow/awaited.ts';
import { allCheckoutsOf, isPooled, type Use, usesOf, variableOf } from './checkouts.ts';
import { bare, contains, functionAround, type FunctionNode, type Node } from '../syntax/ast.ts';
import type { Call } from '../syntax/calls.ts';
import type { Effect } from '../effects/effects.ts';
import type { FileFacts } from '../file/file.ts';
import { handleOf } from '../effects/handles.ts';
import type { LibraryValue } from '../file/value.ts';
import { mentions, variablesIn } from '../syntax/mentions.ts';
import { parameterCalled } from '../effects/parameter-calls.ts';
import { endsAt, firstIndex, startsAt } from '../syntax/places.ts';

/**
 * What a function does for its callers: a query with its own checkout runs on any connection of the pool, and acquiring and
 * releasing that one is part of the query. So is a transaction that contains nothing else.
 */
export function seenFromOutside(
  file: FileFacts,
  fn: Node,
  effects: readonly Effect[],
): readonly Effect[] {
  const checkoutWith = finderOf(takenIn(fn, allCheckoutsOf(file)), (it) => [
    ...[it.query, ...it.setUp, ...it.controls],
  ]);
  const loanWith = finderOf(takenIn(fn, loansOf(file)), () => []);
  return effects.flatMap((effect) => {
    const { node } = effect.at;
    const own = checkoutWith(node);
    if (own) return own.query === node ? { ...effect, handle: handleOf(own.pool) } : [];
    return loanWith(node) ? [] : effect;
  });
}

type Taken = Pick<Loan, 'call' | 'releases'>;

/** Those of a function, out of all of its file in source order. */
function takenIn<T extends Taken>(fn: Node, all: readonly T[]): readonly T[] {
  const from = (offset: number) => firstIndex(all.length, (i) => startsAt(all[i]!.call) >= offset);
  return all.slice(from(startsAt(fn)), from(endsAt(fn)));
}

/** Finds the one that a node is part of, or gives back in it. */
function finderOf<T extends Taken>(
  all: readonly T[],
  partsOf: (it: T) => readonly Node[],
): (node: Node) => T | undefined {
  const byPart = new Map<Node, T>();
  for (const it of all) for (const part of [it.call, ...partsOf(it)]) byPart.set(part, it);
  const releases = all
    .flatMap((of) => of.releases.map((node) => ({ of, node })))
    .sort((a, b) => startsAt(a.node) - startsAt(b.node));
  return (node) => {
    const own = byPart.get(node);
    if (own) return own;
    const i = firstIndex(releases.length, (at) => startsAt(releases[at]!.node) >= startsAt(node));
    const release = releases[i];
    return release && contains(node, release.node) ? release.of : undefined;
  };
}

/**
 * A function that acquires a connection, passes it to its argument, and releases it afterwards: `withClient(async (client) =>
 * …)`.
 */
export interface Loan {
  readonly call: Call;
  readonly releases: readonly Node[];
  /** Undefined for a pool that the module keeps to itself. */
  readonly pool: LibraryValue | undefined;
  /** The call that is given the connection. */
  readonly lends: TSESTree.CallExpression;
}

/** An effect on a connection that a function around it borrows, for the callers of `root`, where the loan is inside of that. */
export function onLoan(
  file: FileFacts,
  root: Node,
  effect: Effect,
  call: Node | undefined,
): Effect {
  if (effect.handle !== 'serial') return effect;
  const node = call ?? (effect.at.file === file ? effect.at.node : undefined);
  for (let fn = node && functionAround(node); fn && contains(root, fn.parent);) {
    const [connection] = fn.params[0] ? variablesIn(file, fn.params[0]) : [];
    const loan = connection && mentions(file, node!, new Set([connection])) && loanTo(file, fn);
    if (loan) return { ...effect, handle: handleOf(loan.pool) };
    fn = functionAround(fn);
  }
  return effect;
}

/** By the function of the project that `fn` is passed to. */
function loanTo(file: FileFacts, fn: FunctionNode): Loan | undefined {
  const { parent } = fn;
  if (parent.type !== 'CallExpression') return undefined;
  const lender = valueOf(file, parent.callee);
  // veto: the function that receives the callback is unresolved, or is one of several
  if (lender.kind !== 'function') return undefined;
  const index = parent.arguments.indexOf(fn as TSESTree.Expression);
  return loansOf(lender.file).find(
    ({ lends }) => parameterCalled(lender.file, lends, lender.node)?.index === index,
  );
}

const loansOf = queryOfFile(
  'loans',
  (file: FileFacts): readonly Loan[] =>
    acquisitionCandidates(file).flatMap((it) => loanAt(file, it) ?? []),
  { whileCyclic: [] },
);

function loanAt(file: FileFacts, call: Call): Loan | undefined {
  const acquisition = acquisitionAt(file, call);
  // no veto: who takes something else lends no connection of a pool.
  if (acquisition?.kind !== 'connection' || !isPooled(acquisition)) return undefined;
  const variable = variableOf(acquisition);
  const uses = variable && usesOf(acquisition, variable, lentUse);
  // no veto: what it asks by itself is on one connection, as the question says.
  if (!uses || uses.some((it) => it.kind === 'query')) return undefined;
  const lent = uses.flatMap((it) => (it.kind === 'lent' ? [it.call] : []));
  const [lends] = lent;
  const releases = uses.flatMap((it) => (it.kind === 'release' ? [it.node] : []));
  // no veto: it is lent to nobody.
  if (!lends) return undefined;
  // veto: the connection is acquired outside the function that passes it on, so all callers share it
  if (functionAround(lends) !== functionAround(call)) return undefined;
  // veto: the function also uses its callback elsewhere, such as on an existing connection
  if (!isGivenOnlyBy(file, lends, lent)) return undefined;
  return { call, pool: acquisition.source, releases, lends };
}

/** Whether nothing but these calls runs or passes on what the function is given: no `if (tx) return work(tx)`. */
function isGivenOnlyBy(
  file: FileFacts,
  { callee }: TSESTree.CallExpression,
  calls: readonly TSESTree.CallExpression[],
): boolean {
  const it = bare(callee);
  const name = it.type === 'MemberExpression' ? bare(it.object) : it;
  const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
  const references = variable?.references ?? [];
  return references.every(({ identifier }) =>
    calls.some((call) => contains(call.callee, identifier as Node)),
  );
}

/** `await work(client)` of a parameter. */
function lentUse({ file }: Acquisition, name: Node): Use | undefined {
  const { parent } = name;
  const fn = functionAround(name);
  const isWork =
    fn &&
    parent?.type === 'CallExpression' &&
    parent.callee !== name &&
    isAwaited(file, parent) &&
    parameterCalled(file, parent, fn) !== undefined;
  return isWork ? { kind: 'lent', call: parent } : undefined;
}
