import type { Environment, Library } from '../model/schema.ts';
import type { Operation } from '../sql/operation.ts';

/** The declarations of a project about its packages and functions, in its configuration and in its recorded facts. */
export interface Declarations {
  /** The name of the modelled library that a package is a wrapper of, by the specifier that imports it. */
  readonly libraries: ReadonlyMap<string, string>;
  /** By the absolute path of a file, and then by name: `query`, `Store.query`. */
  readonly functions: ReadonlyMap<string, ReadonlyMap<string, DeclaredFunction>>;
  /** By a package's specifier. Where `verifiedWith` is not empty, it applies to that version of the package alone. */
  readonly packages: ReadonlyMap<string, readonly Library[]>;
  /** Whether some of them are recorded facts that are not confirmed. */
  readonly hasAssumptions: boolean;
}

/** The effect of a call of a function, in place of that of its body. */
export interface DeclaredFunction {
  /** The declared effect that it waits for; `none`: it waits for nothing outside of the process. */
  readonly effect?: DeclaredEffect | 'none';
  /** The type of the library model that it returns, and that its caller must release: `pg.PoolClient`. */
  readonly acquires?: string;
  /** Which of its arguments it releases: an index, or a parameter's name. */
  readonly releases?: number | string;
  /** The id of a recorded fact that is not confirmed: findings name it as their assumption. */
  readonly assumed?: string;
  /** Of a recorded fact: the text of the function that it is about. With another text, it does not apply. */
  readonly about?: FunctionText;
}

export interface DeclaredEffect {
  readonly env: Environment;
  readonly op: Operation;
}

/** A text by its hash. */
export interface FunctionText {
  readonly hash: string;
  readonly matches: (text: string) => boolean;
}
