import { addDependencies, closeDependencies, ownDependencies } from './dependencies.ts';
import { NOT_CACHED, type OpenQuery, QueryTable } from './query-table.ts';
import { MAXIMUM_DEPTH, MAXIMUM_WORK, type Runtime, untracked } from './runtime.ts';

/** The subject of queries: a file. */
export interface QueryHost {
  readonly queries: QueryStore;
}

export interface QueryOptions<Host, Key, Parameters extends readonly unknown[], T> {
  /** The result for a query that asks for it while it is being computed: it adds nothing. */
  readonly whileCyclic: T;
  /**
   * For a query that follows the code to where it comes back to itself: a recursive function, two files that import each other. What such a
   * query resolves to inside a cycle is cached for the query that opened the cycle alone, so that no result depends on which
   * query came first. Where the source nests deeper than MAXIMUM_DEPTH, or a query depends on nothing but itself, this is the result.
   */
  readonly tooDeep?: (host: Host, key: Key) => T;
  /** `false` where a result is seldom equal after an edit, so that its dependants go by its own dependencies: no early cut-off. */
  readonly isCompared?: boolean;
  /** The key that distinguishes parameters: '' where the query's key determines them; without it, they are primitive values. */
  readonly keyOf?: (...parameters: Parameters) => string;
}

/** A fact about a node, a variable or another thing of a file: computed once, and again when an edit has invalidated it. */
export interface Query<Host, Key, Parameters extends readonly unknown[], T> {
  (host: Host, key: Key, ...parameters: Parameters): T;
  /** The valid result, which nothing is computed for; undefined where there is none. */
  cached(host: Host, key: Key, ...parameters: Parameters): T | undefined;
}

/**
 * Declares a query. `compute` reads code through the tracked tree alone, and its result is plain data without offsets: README.md
 * has the five laws. `name` is for people who read a profile.
 */
export function query<
  Host extends QueryHost,
  Key extends object,
  Parameters extends readonly unknown[],
  T,
>(
  name: string,
  compute: (host: Host, key: Key, ...parameters: Parameters) => T,
  options: QueryOptions<Host, Key, Parameters, NoInfer<T>>,
): Query<Host, Key, Parameters, T> {
  const { keyOf = joined } = options;
  const definition: Definition<Host, Key, Parameters, T> = { name, compute, ...options };
  const tableIn = ({ queries }: Host, parameters: Parameters) =>
    queries.tableOf(definition, parameters.length === 0 ? '' : keyOf(...parameters));
  const ask = (host: Host, key: Key, ...parameters: Parameters): T => {
    const table = tableIn(host, parameters);
    const known = table.read(key, host.queries.runtime.activeQuery);
    if (known !== NOT_CACHED) return known as T;
    return host.queries.compute(definition, table, { host, key, parameters });
  };
  return Object.assign(ask, {
    cached(host: Host, key: Key, ...parameters: Parameters): T | undefined {
      const known = tableIn(host, parameters).read(key, host.queries.runtime.activeQuery);
      return known === NOT_CACHED ? undefined : (known as T);
    },
  });
}

/** Declares a query about a whole file. */
export function queryOfFile<Host extends QueryHost & { readonly ast: object }, T>(
  name: string,
  compute: (host: Host) => T,
  options: QueryOptions<Host, object, [], NoInfer<T>>,
): (host: Host) => T {
  const ask = query(name, (host: Host, _: object) => compute(host), options);
  return (host) => ask(host, host.ast);
}

/** How primitive parameters are distinguished. */
export function joined(...parameters: readonly unknown[]): string {
  return parameters.length === 1 ? String(parameters[0]) : parameters.join('\0');
}

/** Sets the provisional result of the query that is being computed, for those that ask for it from now on. */
export function suppose<T>({ queries: { runtime } }: QueryHost, result: T): void {
  (runtime.activeQuery as OpenQuery).provisional = result;
}

interface Definition<Host, Key, Parameters extends readonly unknown[], T> extends QueryOptions<
  Host,
  Key,
  Parameters,
  T
> {
  readonly name: string;
  readonly compute: (host: Host, key: Key, ...parameters: Parameters) => T;
}

interface Asked<Host, Key, Parameters> {
  readonly host: Host;
  readonly key: Key;
  readonly parameters: Parameters;
}

type StoreOptions = Partial<Pick<QueryStore, 'isEdited' | 'isValidated'>>;

/** The results of all queries about one file. */
export class QueryStore {
  readonly runtime: Runtime;
  /** Whether its file is edited, so that its parts come and go. */
  readonly isEdited: boolean;
  /** Whether an edit of any file may invalidate a result: each is validated before it is used again. */
  readonly isValidated: boolean;
  readonly #tables = new Map<object, QueryTable>();
  readonly #tablesByParameters = new Map<object, Map<string, QueryTable>>();

  constructor(runtime: Runtime, { isEdited = false, isValidated = isEdited }: StoreOptions) {
    this.runtime = runtime;
    this.isEdited = isEdited;
    this.isValidated = isValidated;
  }

  tableOf(definition: object, parameters: string): QueryTable {
    if (parameters === '') return tableAt(this.#tables, definition, this);
    let tables = this.#tablesByParameters.get(definition);
    if (!tables) this.#tablesByParameters.set(definition, (tables = new Map()));
    return tableAt(tables, parameters, this);
  }

  /** The result, for a query without a valid one. */
  compute<Host, Key extends object, Parameters extends readonly unknown[], T>(
    definition: Definition<Host, Key, Parameters, T>,
    table: QueryTable,
    asked: Asked<Host, Key, Parameters>,
  ): T {
    const { runtime } = this;
    const { host, key, parameters } = asked;
    const { tooDeep, whileCyclic, isCompared = true } = definition;
    const { depth, lowestOpen, activeQuery: reader } = runtime;
    const cyclic = table.open?.get(key);
    if (cyclic) {
      if (tooDeep) runtime.lowestOpen = Math.min(lowestOpen, cyclic.depth);
      addDependencies(reader, ownDependencies(cyclic));
      return cyclic.provisional as T;
    }
    if (tooDeep) {
      if (depth >= MAXIMUM_DEPTH) {
        runtime.lowestOpen = 0;
        return tooDeep(host, key);
      }
      if (depth === 0) runtime.work = 0;
      runtime.work++;
      runtime.depth = depth + 1;
      runtime.lowestOpen = Number.POSITIVE_INFINITY;
    }
    const own: OpenQuery = { depth, provisional: whileCyclic, dependencies: undefined };
    runtime.activeQuery = own;
    table.opened().set(key, own);
    let result: T;
    let isFinal = true;
    try {
      result = definition.compute(host, key, ...parameters);
      if (tooDeep) {
        // A query that depends on nothing but itself has no result.
        if (runtime.lowestOpen === depth && result === whileCyclic) result = tooDeep(host, key);
        isFinal = runtime.lowestOpen >= depth || runtime.work > MAXIMUM_WORK;
        if (isFinal) runtime.lowestOpen = Number.POSITIVE_INFINITY;
      }
    } finally {
      table.open!.delete(key);
      closeDependencies(own);
      runtime.activeQuery = reader;
      if (tooDeep) {
        runtime.depth = depth;
        runtime.lowestOpen = Math.min(runtime.lowestOpen, lowestOpen);
      }
    }
    const { dependencies } = own;
    if (isFinal) {
      const recompute = () =>
        !table.open!.has(key) &&
        untracked(runtime, () => {
          if (table.read(key, runtime.activeQuery) === NOT_CACHED)
            this.compute(definition, table, asked);
        });
      result = table.keep(key, result, dependencies, isCompared ? recompute : undefined);
    }
    // A compared result is the dependency itself.
    if (!this.isValidated || !isFinal || table.read(key, reader) === NOT_CACHED)
      addDependencies(reader, dependencies);
    return result;
  }
}

function tableAt<Key>(
  tables: Map<Key, QueryTable>,
  key: Key,
  { runtime, isValidated }: QueryStore,
): QueryTable {
  let table = tables.get(key);
  if (!table) tables.set(key, (table = new QueryTable(isValidated ? runtime : undefined)));
  return table;
}
