import {
  addDependencies,
  addCompared,
  isValid,
  type ActiveQuery,
  type DependencySet,
  type ComparedResult,
} from './dependencies.ts';
import { equal } from './equal.ts';

/** There is no valid result. */
export const NOT_CACHED: unique symbol = Symbol('not cached');

/** Results and what they depend on. */
export interface QueryCache {
  /** The valid result, which becomes a dependency of `query`. */
  read(key: object, query: ActiveQuery): unknown;
  /** Returns the cached result: the one before, where it is equal. `again` recomputes it, and returns whether it can. */
  keep<T>(key: object, value: T, dependencies: DependencySet | undefined, again: () => boolean): T;
}

/** For a file that is edited. */
export interface Edits {
  /** Counts those of all files. */
  readonly edit: number;
  /** Whether the result of a query is compared: where it depends on much, and most edits leave it equal. */
  isCompared(key: object): boolean;
}

/** A result with dependencies: most of a scan have none, and are cached as they are. */
class CachedResult {
  readonly value: unknown;
  readonly dependencies: DependencySet;
  readonly result: ComparedResult | undefined;

  constructor(value: unknown, dependencies: DependencySet, result: ComparedResult | undefined) {
    this.value = value;
    this.dependencies = dependencies;
    this.result = result;
  }
}

export function queryCache(edits?: Edits): QueryCache {
  const results = new Map<object, unknown>();
  const compared = new Map<object, { readonly value: unknown; readonly result: ComparedResult }>();
  const kept: QueryCache = {
    read(key, query) {
      const known = results.get(key);
      if (known === undefined && !results.has(key)) return NOT_CACHED;
      if (!(known instanceof CachedResult)) return known;
      const { value, dependencies, result } = known;
      if (edits && !isValid(dependencies, edits.edit)) {
        // The check may have recomputed it.
        if (results.get(key) !== known) return kept.read(key, query);
        results.delete(key);
        return NOT_CACHED;
      }
      if (result) addCompared(query, result);
      else addDependencies(query, dependencies);
      return value;
    },
    keep(key, given, dependencies, again) {
      // A primitive value is compared as well: that takes no time.
      const isCompared =
        edits && dependencies && (edits.isCompared(key) || Object(given) !== given);
      const { value, result } = isCompared ? comparedFor(key, given, again) : { value: given };
      if (!isCompared) invalidateCompared(key);
      results.set(key, dependencies ? new CachedResult(value, dependencies, result) : value);
      return value;
    },
  };
  return kept;

  function invalidateCompared(key: object): void {
    const before = compared.get(key);
    // no veto: nothing depends on it.
    if (!before) return;
    before.result.isInvalid = true;
    compared.delete(key);
  }

  function comparedFor<T>(key: object, value: T, again: () => boolean) {
    const before = compared.get(key);
    if (before && !before.result.isInvalid && equal(before.value, value)) {
      return { value: before.value as T, result: before.result };
    }
    invalidateCompared(key);
    const result: ComparedResult = {
      isInvalid: false,
      refresh() {
        // no veto: what outlasts an edit is compared with facts computed from scratch in test/edited-facts.test.ts.
        if (!again()) return false;
        if (!results.has(key)) result.isInvalid = true;
        return true;
      },
    };
    compared.set(key, { value, result });
    return { value, result };
  }
}
