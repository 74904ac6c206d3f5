import type { Variable } from '../syntax/names.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Node } from '../syntax/ast.ts';
import { variableKey } from '../syntax/bindings.ts';
import type { FileFacts } from '../file/file.ts';
import type { Flow, Step } from '../flow/graph.ts';
import type { Terms } from './terms.ts';
import type { LibraryValue } from '../file/value.ts';

/** The meaning of a name: the resource itself, an object created around it, or the function that releases it. */
export type Alias = 'handle' | 'wrapper' | 'releaser';

/** The facts about a value. `truthy` and `falsy` mean no more than that. */
export type Truth = 'true' | 'false' | 'nullish' | 'truthy' | 'falsy';

/**
 * `none`: not acquired yet; `failed`: the attempt to acquire it was rejected; `lazy`: created, but not acquired before its
 * first use; `gone`: other code must release it.
 */
export type Phase = 'none' | 'failed' | 'lazy' | 'held' | 'released' | 'gone';

/**
 * How the path came to its exceptions: `control`: only a BEGIN, COMMIT or ROLLBACK that fails, or a guard inside a
 * callee, leads this way.
 */
export type Failure = 'none' | 'rejection' | 'control';

/** The state of one obligation at one point of one path. */
export interface State {
  readonly phase: Phase;
  readonly aliases: ReadonlyMap<Variable, Alias>;
  /** By the keys of keyOf, and by `.name` for the handle's own properties. */
  readonly facts: ReadonlyMap<string, Truth>;
  readonly failure: Failure;
  /** A `throw` of the function itself began the exceptions of the path. */
  readonly isThrown: boolean;
  /** The path took the branch of a callback's error. */
  readonly sawError: boolean;
}

/**
 * An object of the project that keeps one connection until one of its own methods releases it: `new UnitOfWork(client)`, whose
 * `commit()` releases the client, or `{ client, async release() { … } }`. The owner of the object owns the connection.
 */
export interface Keeper {
  /** Members that are the connection: its field, a getter of that; none where only its methods have it. */
  readonly fields: ReadonlySet<string>;
  /** Members that work on the connection: `get manager() { return this.runner.manager; }`. */
  readonly parts: ReadonlySet<string>;
  /** Methods that release it, or may: on some path, or by what they pass it to. */
  readonly releases: ReadonlySet<string>;
  /** Methods that only work with it. */
  readonly uses: ReadonlySet<string>;
  /** Methods that acquire the connection where it was made lazily. */
  readonly begins: ReadonlySet<string>;
  /** Members that hold data, and what they are while it has the connection: `acquired` of `{ acquired: true, release() { … } }`. */
  readonly data: ReadonlyMap<string, Truth | undefined>;
}

/** One resource to release, as the exploration sees it. */
export interface Subject {
  readonly handle: LibraryValue;
  /** The object of the project that keeps the handle, where the code only has that. */
  readonly keeper?: Keeper | undefined;
  /** The expressions whose value it is, before it has a name: the call, the await around it. */
  readonly made: ReadonlySet<Node>;
  /** Where the obligation starts: the step of this kind of this node. */
  readonly begins: Node | undefined;
  readonly beginsAt: 'expression' | 'settle';
  /** Nothing is taken where it is made, only at its first use. */
  readonly isLazy: boolean;
}

/** The state of one exploration. */
export interface Tour {
  readonly file: FileFacts;
  readonly root: Node;
  readonly subject: Subject;
  readonly terms: Terms;
  /** Facts worth to be remembered: tested more than once, or set and tested. */
  readonly keys: ReadonlySet<string>;
  /** Without facts: visits all code that is reachable without the handle, too. */
  readonly isBlind: boolean;
  /** Parameters of callbacks that receive an error. */
  readonly errors: ReadonlySet<Variable>;
  readonly depth: number;
  /** The root is a generator that a caller leaves before its end. */
  readonly isAbandoned: boolean;
  readonly budget: { states: number };
  /** Calls whose exceptions have been followed into the callee: awaiting them adds none. */
  readonly followed: Set<Node>;
  readonly notes: Notes;
  /** Follows the obligation into a callee: explore.ts, which takes the steps that ask for that. */
  readonly follow: (tour: Tour, flow: Flow, start: State) => readonly Visit[] | undefined;
}

/** Events anywhere on the path. */
export interface Notes {
  discharged: boolean;
  readonly transfers: Set<Transfer>;
  readonly again: Map<'double' | 'use' | 'ungated', Node>;
  /** Names that have been given the handle on some path. */
  readonly names: Set<Variable>;
  /** Names of what leads to the handle without being it: see parts.ts. */
  readonly parts: Set<Variable>;
  /** The first use of a lazy resource. */
  firstUse: Node | undefined;
  /** Where its connection is closed while the pool continues to count it. */
  closed: Node | undefined;
  /** The stream whose end alone releases it. */
  stream: Node | undefined;
  /** A function that runs some other time works with it. */
  isUsedLater: boolean;
  /** How the function was left while it was held by a promise that may yet reject for the caller. */
  readonly rejected: State[];
  /** The fields of `this` that have been given it. */
  readonly fields: Set<FieldTarget>;
  /** What `new` made to keep it. */
  readonly keepers: Map<TSESTree.NewExpression, Keeper>;
  /** The code that runs while it is held and nothing has failed. */
  readonly heldAt: Set<Step>;
  /** The same after the obligation to release it has passed to other code. */
  readonly goneAt: Set<Step>;
  /** The code that runs while it is not acquired yet, or has been released, and nothing has failed. */
  readonly freeAt: Set<Step>;
}

/**
 * `ending`: only the listener of a stream's end has it, whom an error does not reach; `field`: a field of this object
 * has it; `kept`: an object around it has it, one of whose methods releases it.
 */
export type Transfer =
  'returned' | 'resolved' | 'passed' | 'stored' | 'captured' | 'ending' | 'field' | 'kept';

/** `this.connection = …` or `connection = …` in a class. */
export type FieldTarget = TSESTree.MemberExpression | TSESTree.PropertyDefinition;

/** The fact that the connection is closed, and its place in the pool still taken. */
export const CLOSED = '.closed';

export function keyOfState(state: State): string {
  const aliases = [...state.aliases].map(([it, alias]) => `${variableKey(it)}${alias[0]}`).sort();
  const facts = [...state.facts].map(([key, truth]) => `${key}=${truth}`).sort();
  const flags = [state.sawError ? 'e' : '', state.isThrown ? 't' : ''].join('');
  return [state.phase, state.failure, flags, aliases, facts].join('|');
}

export function isTaken(state: State): boolean {
  return state.phase === 'held' || state.phase === 'lazy';
}

export function withAlias(state: State, variable: Variable, alias: Alias | undefined): State {
  if (state.aliases.get(variable) === alias) return state;
  const aliases = new Map(state.aliases);
  if (alias) aliases.set(variable, alias);
  else aliases.delete(variable);
  return { ...state, aliases };
}

export function withFact(
  tour: Tour,
  state: State,
  key: string | undefined,
  truth: Truth | undefined,
): State {
  if (key === undefined || (!tour.keys.has(key) && !key.startsWith('.'))) return state;
  if (state.facts.get(key) === truth) return state;
  const facts = new Map(state.facts);
  if (truth) facts.set(key, truth);
  else facts.delete(key);
  return { ...state, facts };
}

/** A name that gets a new value: the facts about it, its members and its equals become invalid. */
export function forgotten(state: State, key: string): State {
  const stale = [...state.facts.keys()].filter(
    (it) => it === key || it.startsWith(`${key}.`) || it.startsWith(`${key}=`),
  );
  if (stale.length === 0) return state;
  const facts = new Map(state.facts);
  for (const it of stale) facts.delete(it);
  return { ...state, facts };
}

export function given(tour: Tour, state: State, transfer: Transfer): State {
  tour.notes.transfers.add(transfer);
  return { ...state, phase: 'gone' };
}

export function blankNotes(): Notes {
  return {
    discharged: false,
    transfers: new Set(),
    again: new Map(),
    names: new Set(),
    parts: new Set(),
    firstUse: undefined,
    closed: undefined,
    stream: undefined,
    isUsedLater: false,
    rejected: [],
    fields: new Set(),
    keepers: new Map(),
    heldAt: new Set(),
    goneAt: new Set(),
    freeAt: new Set(),
  };
}

/** One point of the exploration, and how it was reached. */
export interface Visit {
  readonly step: Step;
  readonly state: State;
  readonly before: Visit | undefined;
}

/** The effect of a step on the state, apart from the choice of an edge. */
export interface Effect {
  readonly next: readonly State[];
  readonly thrown: readonly State[];
}
