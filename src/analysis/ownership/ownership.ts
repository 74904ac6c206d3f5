import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { acquisitionCandidates } from './acquisition-candidates.ts';
import { type Acquisition, acquisitionAt } from './acquisitions.ts';
import { bare, isFunction, isLoop, type Node } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import type { Flow } from '../flow/graph.ts';
import { flowOf } from '../flow/flow.ts';
import { isLeftEarly } from '../provenance/generators.ts';
import type { Variable } from '../syntax/names.ts';
import { explored } from './explore.ts';
import {
  blankNotes,
  CLOSED,
  type Failure,
  type FieldTarget,
  type Keeper,
  type Tour,
  type Transfer,
  type Visit,
} from './state.ts';
import { isNeverGivenBack } from './fields.ts';
import { alwaysHeldAwaits, heldAwaits } from './held.ts';
import { isBeginning, successorsOf } from './steps.ts';
import { keyOfTerms, NO_TERMS, type Terms } from './terms.ts';
import { errorNames, keysWorthKeeping } from './tests.ts';

/** The outcome of one acquisition in its function. */
export interface Ownership {
  readonly acquisition: Acquisition;
  /** The worst way in which it leaks, or is released wrongly. */
  readonly loss: Loss | undefined;
  /** How the obligation to release it passes to other code. */
  readonly transfers: ReadonlySet<Transfer>;
  /** A lazy resource was used here: from here on there is something to release. */
  readonly isBegun: boolean;
  /** The awaits while it is held and nothing has failed. */
  readonly heldAt: ReadonlySet<TSESTree.AwaitExpression>;
  /** The code that a path reaches without it, and nothing has failed: before it is acquired, or after its release. */
  readonly freeAt: ReadonlySet<Node>;
  /** The names of the resource on the path. */
  readonly names: ReadonlySet<Variable>;
  /** The objects that are made to keep it. */
  readonly keepers: ReadonlyMap<TSESTree.NewExpression, Keeper>;
}

/**
 * `never`: no path releases it; `branch`: a path without exceptions does not; `callback-err`: the branch of a callback's error
 * does not; `reconnect`: the next one overwrites its only name; `throw`: an exception leaves before; `closed`: it is closed,
 * but stays on the pool's list; `field`: a class stores it in a field and never releases it.
 */
export type Variant =
  | 'never'
  | 'branch'
  | 'callback-err'
  | 'reconnect'
  | 'throw'
  | 'closed'
  | 'field'
  | 'double-release'
  | 'use-after-release'
  | 'ungated';

export interface Loss {
  readonly variant: Variant;
  /** Whether the path needs a BEGIN, COMMIT or ROLLBACK to fail, or a guard in a callee. */
  readonly failure: Failure;
  /** The statement or call that leaves: the rejecting call, the return, the second release. */
  readonly leaves: Node | undefined;
  /** Where a lazy resource acquires its connection. */
  readonly begins: Node | undefined;
  /** The field that has it. */
  readonly field?: FieldTarget;
}

/** Each acquisition is followed through its whole function: one with more steps for all of them is generated code. */
const MAXIMUM_STEPS_IN_ALL = 500_000;

/** Every acquisition of a file that stays in its function's hands, or leaves them. */
export function ownershipsOf(file: FileFacts, terms = NO_TERMS): readonly Ownership[] {
  return ownershipsIn(file, file.ast, terms);
}

const ownershipsIn = query(
  'ownerships',
  (file: FileFacts, _: TSESTree.Program, terms: Terms): readonly Ownership[] => {
    const acquisitions = acquisitionCandidates(file, terms)
      .map((it) => acquisitionAt(file, it))
      .filter((it) => it !== undefined)
      .filter((it) => it.kind !== 'body' || terms.bodies);
    return inRoots(acquisitions)
      .map((it) => ownershipOf(it, terms))
      .filter((it) => it !== undefined);
  },
  { whileCyclic: [], keyOf: keyOfTerms },
);

/** Those of functions that are not too large for as many. */
function inRoots(acquisitions: readonly Acquisition[]): readonly Acquisition[] {
  const counts = new Map<Node, number>();
  for (const { root } of acquisitions) counts.set(root, (counts.get(root) ?? 0) + 1);
  return acquisitions.filter(({ file, root }) => {
    const steps = flowOf(file, root)?.steps.length ?? 0;
    return steps * counts.get(root)! <= MAXIMUM_STEPS_IN_ALL;
  });
}

/** Undefined when the function is too large to be followed. */
export function ownershipOf(
  acquisition: Acquisition,
  terms: Terms = NO_TERMS,
): Ownership | undefined {
  return ownershipIn(acquisition.file, acquisition, terms);
}

const ownershipIn = query(
  'ownership',
  (_: FileFacts, acquisition: Acquisition, terms: Terms): Ownership | undefined =>
    followed(acquisition, terms),
  { whileCyclic: undefined, isCompared: false, keyOf: keyOfTerms },
);

function followed(acquisition: Acquisition, terms: Terms): Ownership | undefined {
  const { file, call, root, subject, start } = acquisition;
  const holder = bareParentOf(call);
  if (holder?.type === 'PropertyDefinition') return inField(acquisition, holder);
  const flow = flowOf(file, root);
  // no veto: too large to be followed
  if (!flow) return undefined;
  const tourOf = (isBlind: boolean): Tour => ({
    file,
    root,
    subject,
    terms,
    isBlind,
    keys: new Set([...(isBlind ? [] : keysWorthKeeping(file, flow)), ...start.facts.keys()]),
    errors: errorNames(file, flow),
    depth: 0,
    isAbandoned: isLeftEarly(file, root),
    budget: { states: 0 },
    followed: new Set(),
    notes: blankNotes(),
    follow: explored,
  });
  const tour = tourOf(false);
  const ends = explored(tour, flow, start);
  if (!ends) return followedBlindly(acquisition, tourOf(true), flow);
  const { transfers, firstUse, names, keepers } = tour.notes;
  const heldAt = heldAwaits(tour);
  const isBegun = !subject.isLazy || firstUse !== undefined;
  const loss = lossOf(acquisition, tour, ends);
  const freeAt = freeNodes(tour);
  return { acquisition, transfers, isBegun, heldAt, freeAt, names, keepers, loss };
}

/**
 * For a function with too many paths. One that remembers no answers takes more ways than there are: what it holds the
 * connection at on all of them, the function does, too, and how it is lost nobody knows.
 */
function followedBlindly(acquisition: Acquisition, tour: Tour, flow: Flow): Ownership | undefined {
  // no veto: too many paths even so
  if (!explored(tour, flow, acquisition.start)) return undefined;
  const { names, keepers } = tour.notes;
  const heldAt = alwaysHeldAwaits(tour);
  return {
    ...{
      acquisition,
      transfers: new Set(),
      isBegun: true,
      heldAt,
      freeAt: freeNodes(tour),
      names,
      keepers,
    },
    loss: undefined,
  };
}

function freeNodes({ notes }: Tour): ReadonlySet<Node> {
  return new Set([...notes.freeAt].flatMap(({ node }) => node ?? []));
}

/** `runner = source.createQueryRunner()` in the body of a class. */
function inField(acquisition: Acquisition, field: FieldTarget): Ownership {
  return {
    acquisition,
    transfers: new Set(['field']),
    isBegun: !acquisition.subject.isLazy,
    heldAt: new Set(),
    freeAt: new Set(),
    names: new Set(),
    keepers: new Map(),
    loss: fieldLoss(acquisition, field),
  };
}

function fieldLoss({ file, subject }: Acquisition, field: FieldTarget): Loss | undefined {
  // One that belongs to nobody's pool starves nobody while it is open.
  if (subject.handle.type.role === 'client') return undefined;
  return isNeverGivenBack(file, field, subject)
    ? { variant: 'field', failure: 'none', leaves: undefined, begins: undefined, field }
    : undefined;
}

function bareParentOf(node: Node): Node | undefined {
  let it = node.parent;
  while (it && bare(it) !== it) it = it.parent;
  return it;
}

function lossOf(acquisition: Acquisition, tour: Tour, ends: readonly Visit[]): Loss | undefined {
  const { notes } = tour;
  const begins = notes.firstUse;
  const unreleased = ends.filter(
    ({ step, state }) =>
      state.phase === 'held' &&
      step.kind !== 'ended' &&
      !(step.kind === 'thrown' && acquisition.isCallback),
  );
  const lost = unreleased.filter(({ state }) => !state.facts.has(CLOSED));
  const isClosed = lost.length < unreleased.length;
  if (isClosed && !lost.some(({ state }) => state.failure === 'none')) {
    return { variant: 'closed', failure: 'none', leaves: notes.closed, begins };
  }
  const normal = lost.find(({ state }) => state.failure === 'none');
  const hasOwner = notes.discharged || notes.transfers.size > 0;
  // It has to live as long as what works with it.
  if (!hasOwner && notes.isUsedLater) return undefined;
  if (lost.length > 0 && !hasOwner && !(acquisition.isCallback && !normal)) {
    return { variant: 'never', failure: 'none', leaves: undefined, begins };
  }
  const isClient = tour.subject.handle.type.role === 'client';
  if (normal && isClient && !notes.discharged) return undefined;
  if (normal) return { ...normalLoss(tour, normal), begins };
  // A `throw` is written there: that a query fails is one more way to the same loss.
  const failed =
    lost.find(({ state }) => state.isThrown && state.failure === 'rejection') ??
    lost.find(({ state }) => state.failure === 'rejection') ??
    lost.find(({ state }) => state.failure === 'control');
  if (failed) {
    // A function that only makes a client of its own and hands it on: its set-up fails with the whole program's.
    const failure = isClient && !notes.discharged ? 'control' : failed.state.failure;
    return { variant: 'throw', failure, leaves: failingNode(failed), begins };
  }
  return transferLoss(acquisition, tour) ?? misuseOf(tour);
}

/** Handed to somebody who does not give it back either. */
function transferLoss(acquisition: Acquisition, { notes }: Tour): Loss | undefined {
  const [transfer, ...others] = notes.transfers;
  if (others.length > 0) return undefined;
  const begins = notes.firstUse;
  if (transfer === 'ending') {
    return { variant: 'throw', failure: 'rejection', leaves: notes.stream, begins };
  }
  // no veto: nothing is in a field
  if (transfer !== 'field') return undefined;
  const losses = [...notes.fields].map((it) => fieldLoss(acquisition, it));
  return losses.every((it) => it !== undefined) ? losses[0] : undefined;
}

function misuseOf({ notes }: Tour): Loss | undefined {
  for (const [kind, variant] of [
    ['double', 'double-release'],
    ['use', 'use-after-release'],
    ['ungated', 'ungated'],
  ] as const) {
    const leaves = notes.again.get(kind);
    if (leaves) return { variant, failure: 'none', leaves, begins: notes.firstUse };
  }
  return undefined;
}

function normalLoss(tour: Tour, end: Visit): Pick<Loss, 'variant' | 'failure' | 'leaves'> {
  const variant =
    isBeginning(tour, end.step) && isKeptInName(tour, end)
      ? 'reconnect'
      : end.state.sawError
        ? 'callback-err'
        : 'branch';
  return {
    variant,
    failure: 'none',
    leaves: variant === 'reconnect' ? undefined : leavingNode(tour, end),
  };
}

/** The name outlives a round of the loop, so the next connection takes the place of this one. */
function isKeptInName(tour: Tour, end: Visit): boolean {
  const parent = tour.subject.begins?.parent;
  return parent?.type === 'AssignmentExpression' && end.state.aliases.size > 0;
}

/** The `return`, or the last decision that led past the release: a call decides that gives it back, or away, on some paths. */
function leavingNode(tour: Tour, end: Visit): Node | undefined {
  let loop: Node | undefined;
  for (let it: Visit | undefined = end; it && it.state.phase === 'held'; it = it.before) {
    const { kind, node } = it.step;
    if (isAbandonment(it)) return it.before?.step.node;
    if (node && endsElsewhere(tour, it)) return node;
    if (kind !== 'return' && (kind !== 'test' || !node)) continue;
    if (!node || !isLoop(node)) return node;
    // A round that is left early comes by the loop's head, too.
    loop ??= node;
  }
  return loop;
}

function endsElsewhere(tour: Tour, { step, state }: Visit): boolean {
  return successorsOf(tour, step, state).some(
    ({ edge, state: after }) => edge.kind !== 'throw' && after.phase !== 'held',
  );
}

/** The path came here from a `yield` after which nobody asked for more. */
function isAbandonment({ step, before }: Visit): boolean {
  return before?.step.edges.some((it) => it.kind === 'abandon' && it.to === step) ?? false;
}

/** The wait or throw at which the path leaves the ordinary way for good; in `finally` that is the last of those that fail. */
function failingNode(end: Visit): Node | undefined {
  let found: Node | undefined;
  for (let it: Visit | undefined = end; it?.before; it = it.before) {
    const { step, state } = it.before;
    if (it.state.failure === 'none') continue;
    const isLast = found === undefined && step.node && isFinalizing(step.node);
    if (isLast && leavesByException(it)) return step.node;
    if (state.failure === 'none') found = step.node;
  }
  return found;
}

function leavesByException({ step, before }: Visit): boolean {
  return before!.step.edges.some((it) => it.kind === 'throw' && it.to === step);
}

function isFinalizing(node: Node): boolean {
  for (let it = node; it.parent && !isFunction(it); it = it.parent) {
    if (it.parent.type === 'TryStatement' && it.parent.finalizer === it) return true;
  }
  return false;
}
