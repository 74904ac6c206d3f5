import {
  addDependencies,
  closeDependencies,
  type Dependency,
  newDependency,
  ownDependencies,
  type ActiveQuery,
} from './dependencies.ts';
import { type Edits, queryCache, NOT_CACHED } from './query-cache.ts';

/**
 * Queries that may come back to themselves: a recursive function, two files that import each other.
 * While a query is active, its result is an initial value that adds nothing. A result that depends on an initial value is cached for the
 * query that opened the circle alone, so that no result depends on which query came first.
 */
export interface Queries {
  /** The cached result; undefined where there is none, or where it is undefined. */
  known(key: object): unknown;
  /**
   * The result; `tooDeep` where the source nests without end, `initial` inside a circle, or what `compute` supposes once it
   * knows more.
   */
  get<T>(key: object, compute: (suppose: Suppose<T>) => T, initial: T, tooDeep: T): T;
}

/** Sets the provisional value that queries within the circle get from now on. */
export type Suppose<T> = (initial: T) => void;

/** Shared by all files that ask each other: depth and circles cross them. */
export interface Runtime {
  depth: number;
  /** The lowest depth of an active query that the current one has come back to. */
  lowestOpen: number;
  /** Results computed since the outermost query. */
  work: number;
  /** The innermost query that is being computed. */
  activeQuery: ActiveQuery;
  /** Counts the edits of all files: results of one may depend on another. */
  edit: number;
  /** Invalid from the next edit on. */
  noEdit: Dependency;
}

/** Deeper than this a value is unknown: it bounds the stack (some five frames a query) on any source. */
const MAXIMUM_DEPTH = 200;
/** Beyond this, results inside circles are cached immediately: it bounds the time on circles of circles. */
const MAXIMUM_WORK = 10_000;

/** For reads outside of any query. */
const UNTRACKED: ActiveQuery = { dependencies: undefined, isUntracked: true };

const byOwner = new WeakMap<object, Runtime>();

/** The runtime of all that share `owner`: the project, or a file on its own. */
export function runtimeOf(owner: object): Runtime {
  let runtime = byOwner.get(owner);
  if (!runtime) {
    byOwner.set(
      owner,
      (runtime = {
        depth: 0,
        lowestOpen: Number.POSITIVE_INFINITY,
        work: 0,
        activeQuery: UNTRACKED,
        edit: 0,
        noEdit: newDependency(),
      }),
    );
  }
  return runtime;
}

/** Runs a query without adding to the active one. */
export function untracked(runtime: Runtime, ask: () => void): true {
  const { activeQuery: query, lowestOpen: lowest, work } = runtime;
  runtime.activeQuery = UNTRACKED;
  try {
    ask();
  } finally {
    Object.assign(runtime, { activeQuery: query, lowestOpen: lowest, work });
  }
  return true;
}

interface Open<T> extends ActiveQuery {
  readonly depth: number;
  initial: T;
}

export function queriesOf(runtime: Runtime, edits?: Edits): Queries {
  const kept = queryCache(edits);
  const open = new Map<object, Open<unknown>>();
  const queries: Queries = {
    known(key) {
      const known = kept.read(key, runtime.activeQuery);
      return known === NOT_CACHED ? undefined : known;
    },
    get<T>(key: object, compute: (suppose: Suppose<T>) => T, initial: T, tooDeep: T): T {
      const known = kept.read(key, runtime.activeQuery);
      if (known !== NOT_CACHED) return known as T;
      const asked = open.get(key);
      if (asked) {
        runtime.lowestOpen = Math.min(runtime.lowestOpen, asked.depth);
        addDependencies(runtime.activeQuery, ownDependencies(asked));
        return asked.initial as T;
      }
      const { depth, lowestOpen: lowest, activeQuery: query } = runtime;
      if (depth >= MAXIMUM_DEPTH) {
        runtime.lowestOpen = 0;
        return tooDeep;
      }
      if (depth === 0) runtime.work = 0;
      runtime.work++;
      runtime.depth = depth + 1;
      runtime.lowestOpen = Number.POSITIVE_INFINITY;
      const own: Open<unknown> = { depth, initial, dependencies: undefined };
      runtime.activeQuery = own;
      open.set(key, own);
      try {
        const computed = compute((it) => {
          own.initial = it;
        });
        // A query that depends on nothing but itself has no result.
        const result = runtime.lowestOpen === depth && computed === initial ? tooDeep : computed;
        if (runtime.lowestOpen < depth && runtime.work <= MAXIMUM_WORK) return result;
        runtime.lowestOpen = Number.POSITIVE_INFINITY;
        const again = () =>
          !open.has(key) && untracked(runtime, () => queries.get(key, compute, initial, tooDeep));
        return kept.keep(key, result, own.dependencies, again);
      } finally {
        open.delete(key);
        closeDependencies(own);
        runtime.activeQuery = query;
        // A compared result is the dependency itself.
        if (!edits || kept.read(key, query) === NOT_CACHED)
          addDependencies(query, own.dependencies);
        runtime.depth = depth;
        runtime.lowestOpen = Math.min(runtime.lowestOpen, lowest);
      }
    },
  };
  return queries;
}
