import type { Environment } from '../model/schema.ts';
import type { Operation } from '../sql/operation.ts';

/** The declarations of a project about its packages and functions, in its configuration. */
export interface Declarations {
  /** The name of the modelled library that a package is a wrapper of, by the specifier that imports it. */
  readonly libraries: ReadonlyMap<string, string>;
  /** By module, an absolute path or a package's specifier, and then by name: `query`, `Store.query`. */
  readonly functions: ReadonlyMap<string, ReadonlyMap<string, DeclaredFunction>>;
}

/** The effect of a call of a function, in place of that of its body. */
export interface DeclaredFunction {
  /** The declared effect that it waits for. */
  readonly effect?: { readonly env: Environment; readonly op: Operation };
  /** The type of the library model that it returns, and that its caller must release: `pg.PoolClient`. */
  readonly acquires?: string;
  /** Which of its arguments it releases: an index, or a parameter's name. */
  readonly releases?: number | string;
}
