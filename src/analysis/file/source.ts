import type { TSESTree } from '@typescript-eslint/utils';
import type { Declarations } from './declared.ts';
import type { Comment } from '../syntax/comments.ts';
import type { FileFacts } from './file.ts';

/**
 * One file as every host hands it over: a TS-ESTree tree and its text.
 * Offsets are UTF-16 code units, and `places.ts` reads those of a node; `loc` is not read, because oxc-parser does not make it.
 */
export interface Source {
  /** Absolute where the host knows it; the facts only compare and show it. What it says of the code is in `FileFacts.place`. */
  readonly path: string;
  readonly text: string;
  readonly ast: TSESTree.Program;
  readonly comments: readonly Comment[];
  /** What other files say; undefined when the host looks at one file alone. */
  readonly modules?: Modules | undefined;
  /** What a type checker says, where the host has one; it is asked for undecided candidates only. */
  readonly types?: Types | undefined;
}

/** A type checker as seen from the facts: implemented in src/project/, absent in most hosts. */
export interface Types {
  /** Undefined where it is not known, or not yet: a host may note the question, and analyse again with its answer. */
  typeOf(node: TSESTree.Node): CheckedType | undefined;
}

/** A type as far as it leads to a library. */
export type CheckedType =
  | {
      readonly kind: 'object';
      /** Specifiers of the declaring module, the most specific first: `mysql2/promise`, `mysql2`. */
      readonly modules: readonly string[];
      readonly name: string;
    }
  | { readonly kind: 'promise' | 'array'; readonly of: CheckedType }
  | { readonly kind: 'union'; readonly of: readonly CheckedType[] };

/**
 * How a file says a name. `type`: it makes something of the type, anywhere in the repository: a class, an interface or an alias
 * of it, a value written out, a new object. `put`: it puts something on another's object under the name, in the same package,
 * or declares that such an object has it. `load`: it loads a file that is called so, in the same package.
 * `model`: it makes the model of that name, in the same package.
 */
export type NameKind = 'type' | 'put' | 'load' | 'model';

/** The project as seen from the facts: implemented in src/project/, absent when a host has only text. */
export interface Modules {
  /**
   * The facts of the project file that `specifier` names in `from`; undefined for packages, missing and unreadable
   * files, and for a file whose text shows that it does not export `name`.
   */
  resolve(specifier: string, from: string, name?: string): FileFacts | undefined;
  /**
   * False where the text of the project file that `specifier` names in `from` shows that objects of its class `name` lack one of
   * `members`: it is not parsed to know that.
   */
  mayHave?(specifier: string, from: string, name: string, members: readonly string[]): boolean;
  /**
   * The facts of the files around `from`, without tests, that say the name. Undefined where there are too many, or one of them
   * cannot be read.
   */
  filesNaming?(kind: NameKind, name: string, from: string): readonly FileFacts[] | undefined;
  /** What the project's configuration says of packages and functions, for the file at this path. */
  declarations?(path: string): Declarations | undefined;
  /** The version of an installed package as the file `from` gets it; undefined where the project does not say. */
  versionOf(name: string, from: string): string | undefined;
  /** Whether somebody is editing the file, so that its facts are to outlast an edit; absent means no. */
  isEdited?(path: string): boolean;
  /** Where a file lies in its project: `/scripts/seed.ts`, whatever folders lie above. */
  placeOf(path: string): string;
  /** Whether the package of the file draws pages in browsers, and has nothing that a server needs. */
  runsInBrowsers(from: string): boolean;
  /** How the code of the file `from` is run, as far as the project says it. */
  deploymentOf(from: string): Deployment;
}

/** What stands beside the code: in scripts, Dockerfiles, compose files, a process manager's, the server's and Prisma's configuration. */
export interface Deployment {
  /** UV_THREADPOOL_SIZE. */
  readonly threads: number | undefined;
  /** Processes that run the same code, each with pools of its own. */
  readonly processes: number | undefined;
  /** Whether the manifests name drivers of SQLite, and none of a database server. */
  readonly hasOnlySqlite: boolean;
  /** Whether the package tells Sequelize to find the transaction of a query by itself (`useCLS`). */
  readonly usesCls: boolean;
  /** What `max_connections` of the servers is set to. */
  readonly connections: Readonly<Partial<Record<'postgres' | 'mysql', number | undefined>>>;
  /** The kind of database that Prisma's schema is for: `postgresql`, `sqlite`; undefined where schemas differ. */
  readonly prisma: string | undefined;
}
