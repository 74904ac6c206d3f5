import { type ActiveQuery, type Dependency, newDependency } from './dependencies.ts';

/** Shared by all files that ask each other: depth and cycles cross them. */
export interface Runtime {
  depth: number;
  /** The lowest depth of an active query that the current one has come back to. */
  lowestOpen: number;
  /** Results computed since the outermost query. */
  work: number;
  /** The innermost query that is being computed. */
  activeQuery: ActiveQuery;
  /** Counts the edits of all files: results of one may depend on another. */
  revision: number;
  /** Invalid from the next edit on. */
  noEdit: Dependency;
}

/** Deeper than this a result is `tooDeep`: it bounds the stack (some five frames a query) on any source. */
export const MAXIMUM_DEPTH = 200;
/** Beyond this, results inside cycles are cached immediately: it bounds the time on cycles of cycles. */
export const MAXIMUM_WORK = 10_000;

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
        revision: 0,
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
