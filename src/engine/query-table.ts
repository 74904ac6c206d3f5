import {
  addCompared,
  addDependencies,
  isValid,
  type ActiveQuery,
  type ComparedResult,
  type DependencySet,
} from './dependencies.ts';
import { equal } from './cutoff.ts';

/** There is no valid result. */
export const NOT_CACHED: unique symbol = Symbol('not cached');

/** A result with dependencies: most of a scan have none, and are cached as they are. */
class CachedResult {
  readonly value: unknown;
  readonly dependencies: DependencySet;
  readonly compared: ComparedResult | undefined;

  constructor(value: unknown, dependencies: DependencySet, compared: ComparedResult | undefined) {
    this.value = value;
    this.dependencies = dependencies;
    this.compared = compared;
  }
}

/** A query that is being computed. */
export interface OpenQuery extends ActiveQuery {
  readonly depth: number;
  /** Its provisional result for queries that ask meanwhile. */
  provisional: unknown;
}

/** The results of one query in one file, by key. */
export class QueryTable {
  readonly #results = new Map<object, unknown>();
  #compared: Map<object, { readonly value: unknown; readonly result: ComparedResult }> | undefined;
  /** The queries that are being computed, by key. */
  open: Map<object, OpenQuery> | undefined;
  /** The present revision; undefined where nothing is edited, so that each result stays valid. */
  readonly #runtime: { readonly revision: number } | undefined;

  constructor(runtime: { readonly revision: number } | undefined) {
    this.#runtime = runtime;
  }

  opened(): Map<object, OpenQuery> {
    return (this.open ??= new Map());
  }

  /** The valid result, which becomes a dependency of `reader`. */
  read(key: object, reader: ActiveQuery): unknown {
    const known = this.#results.get(key);
    if (known === undefined && !this.#results.has(key)) return NOT_CACHED;
    if (!(known instanceof CachedResult)) return known;
    const { value, dependencies, compared } = known;
    if (this.#runtime && !isValid(dependencies, this.#runtime.revision)) {
      // The check may have recomputed it.
      if (this.#results.get(key) !== known) return this.read(key, reader);
      this.#results.delete(key);
      return NOT_CACHED;
    }
    if (compared) addCompared(reader, compared);
    else addDependencies(reader, dependencies);
    return value;
  }

  /**
   * Returns the cached result: the one before, where it is compared and equal. `again` recomputes it, and returns whether it can;
   * undefined for a result that is not compared.
   */
  keep<T>(
    key: object,
    value: T,
    dependencies: DependencySet | undefined,
    again: (() => boolean) | undefined,
  ): T {
    if (!this.#runtime || !dependencies) {
      this.#results.set(
        key,
        dependencies ? new CachedResult(value, dependencies, undefined) : value,
      );
      this.#invalidateCompared(key);
      return value;
    }
    const kept = again ? this.#compare(key, value, again) : { value, result: undefined };
    if (!again) this.#invalidateCompared(key);
    this.#results.set(key, new CachedResult(kept.value, dependencies, kept.result));
    return kept.value;
  }

  #invalidateCompared(key: object): void {
    const before = this.#compared?.get(key);
    // no veto: nothing depends on it.
    if (!before) return;
    before.result.isInvalid = true;
    this.#compared?.delete(key);
  }

  #compare<T>(key: object, value: T, again: () => boolean) {
    const before = this.#compared?.get(key);
    if (before && !before.result.isInvalid && equal(before.value, value))
      return { value: before.value as T, result: before.result };
    this.#invalidateCompared(key);
    const results = this.#results;
    const result: ComparedResult = {
      isInvalid: false,
      refresh() {
        // no veto: what outlasts an edit is compared with facts computed from scratch in test/edited-facts.test.ts.
        if (!again()) return false;
        if (!results.has(key)) result.isInvalid = true;
        return true;
      },
    };
    (this.#compared ??= new Map()).set(key, { value, result });
    return { value, result };
  }
}
