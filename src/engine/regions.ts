import {
  addDependency,
  addExternals,
  addDependencies,
  closeDependencies,
  isComplete,
  isValid,
  ownDependencies,
  type ActiveQuery,
  type DependencySet,
} from './dependencies.ts';
import { joined, query, type QueryHost, type QueryStore } from './query.ts';
import type { Runtime } from './runtime.ts';
import type { Node, Tree } from './tree.ts';

/** A part of a file that an edit changes by itself: a member of a class, the head of one, or a statement. Together they are the whole file. */
export interface Region {
  /** It identifies the region. */
  readonly node: Node;
  /** Its nodes of these types, in source order. */
  readonly all: Tree['all'];
}

interface RegionResult {
  readonly list: readonly unknown[];
  readonly dependencies: DependencySet | undefined;
}

/** The results of some neighbours together, while all of them are valid: most edits touch those of one block. */
interface Block {
  readonly keys: readonly object[];
  readonly list: readonly unknown[];
  readonly dependencies: DependencySet;
}

const PER_BLOCK = 8;

/** A file whose regions queries ask. */
export interface RegionHost extends QueryHost {
  /** It identifies the file. */
  readonly ast: object;
  /** In source order. */
  regions(): readonly Region[];
}

/** Declares what the regions of a file have of something: an edit recomputes the result of its own region, and of those that depend on it. */
export function collect<Host extends RegionHost, T>(
  name: string,
  resultOf: (host: Host, region: Region) => readonly T[],
): (host: Host) => readonly T[] {
  return collectFrom(name, (host: Host) => host.regions(), resultOf, { identify: (it) => it.node });
}

interface CollectOptions<From, Parameters extends readonly unknown[]> {
  /** What of an element outlasts an edit; the element itself where it is left out. */
  readonly identify?: (it: From) => object;
  /** As in `QueryOptions`. */
  readonly keyOf?: (...parameters: Parameters) => string;
}

/** As `collect`, of other things of a file that outlast an edit, such as its loops. */
export function collectFrom<
  Host extends RegionHost,
  From extends object,
  Parameters extends readonly unknown[],
  T,
>(
  name: string,
  allOf: (host: Host) => readonly From[],
  resultOf: (host: Host, it: From, ...parameters: Parameters) => T | readonly T[],
  { identify = (it) => it, ...options }: CollectOptions<From, Parameters> = {},
): (host: Host, ...parameters: Parameters) => readonly T[] {
  // The list is put together after each edit, which takes no more than to check each result. So it depends on there being no edit, and
  // not on all that each result depends on.
  const listOf = query(
    name,
    (host: Host, _: object, ...parameters: Parameters): readonly T[] => {
      const { runtime, isEdited } = host.queries;
      const from = allOf(host);
      if (!isEdited) return from.flatMap((it) => resultOf(host, it, ...parameters));
      const results = resultsOf(host, ...parameters);
      const all: T[] = [];
      for (const [i, keys] of blocksOf(from, identify).entries()) {
        for (const one of results.of(keys, (j) =>
          resultOf(host, from[i * PER_BLOCK + j]!, ...parameters),
        ))
          all.push(one as T);
      }
      addDependency(runtime.activeQuery, runtime.noEdit);
      return all;
    },
    { whileCyclic: [], ...options },
  );
  const stores = new WeakMap<QueryStore, Map<string, ReturnType<typeof resultsOfOne>>>();
  const resultsOf = ({ queries }: Host, ...parameters: Parameters) => {
    let stored = stores.get(queries);
    if (!stored) stores.set(queries, (stored = new Map()));
    const key = (options.keyOf ?? joined)(...parameters);
    let results = stored.get(key);
    if (!results) stored.set(key, (results = resultsOfOne(queries.runtime)));
    return results;
  };
  return (host, ...parameters) => listOf(host, host.ast, ...parameters);
}

/** Of each row: it is never changed, and asked about with one kind of keys. */
const knownBlocks = new WeakMap<readonly unknown[], readonly (readonly object[])[]>();

function blocksOf<From>(
  from: readonly From[],
  keyOf: (it: From) => object,
): readonly (readonly object[])[] {
  let blocks = knownBlocks.get(from);
  if (!blocks) knownBlocks.set(from, (blocks = cut(from.map(keyOf))));
  return blocks;
}

function cut(keys: readonly object[]): readonly (readonly object[])[] {
  const blocks: (readonly object[])[] = [];
  for (let i = 0; i < keys.length; i += PER_BLOCK) blocks.push(keys.slice(i, i + PER_BLOCK));
  return blocks;
}

function resultsOfOne(runtime: Runtime) {
  const byKey = new Map<object, RegionResult>();
  const blocks = new Map<object, Block>();
  return {
    /** Those of neighbours. */
    of(keys: readonly object[], resultOf: (index: number) => unknown): readonly unknown[] {
      const [first] = keys;
      const block = blocks.get(first!);
      if (block && areSameKeys(block.keys, keys) && isValid(block.dependencies, runtime.revision)) {
        addExternals(runtime.activeQuery, block.dependencies);
        return block.list;
      }
      let isMade = false;
      const results = keys.map((key, i) => {
        let result = byKey.get(key);
        if (!result || (result.dependencies && !isValid(result.dependencies, runtime.revision))) {
          byKey.set(key, (result = computed(runtime, () => resultOf(i))));
          isMade = true;
        }
        addExternals(runtime.activeQuery, result.dependencies);
        return result;
      });
      const list = results.flatMap((it) => it.list);
      const dependencies = isMade ? undefined : dependenciesOfAll(results);
      if (dependencies) blocks.set(first!, { keys, list, dependencies });
      else blocks.delete(first!);
      return list;
    },
  };
}

function areSameKeys(a: readonly object[], b: readonly object[]): boolean {
  // no veto: what outlasts an edit is compared with facts computed from scratch in test/edited-facts.test.ts.
  return a === b || (a.length === b.length && a.every((it, i) => it === b[i]));
}

/** Undefined where not all of that is known yet. */
function dependenciesOfAll(results: readonly RegionResult[]): DependencySet | undefined {
  // no veto: such results are checked one by one.
  if (!results.every(({ dependencies }) => !dependencies || isComplete(dependencies)))
    return undefined;
  const all: ActiveQuery = { dependencies: ownDependencies({ dependencies: undefined }) };
  for (const { dependencies } of results) addDependencies(all, dependencies);
  closeDependencies(all);
  return all.dependencies;
}

function computed(runtime: Runtime, make: () => unknown): RegionResult {
  const { activeQuery: query } = runtime;
  const own: ActiveQuery = { dependencies: undefined };
  runtime.activeQuery = own;
  try {
    const list = [make()].flat();
    closeDependencies(own);
    return { list, dependencies: own.dependencies };
  } finally {
    runtime.activeQuery = query;
  }
}
