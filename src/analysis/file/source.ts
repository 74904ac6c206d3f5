import type { TSESTree } from '@typescript-eslint/utils';
import type { Declarations } from './declared.ts';
import type { Comment } from '../syntax/comments.ts';
import type { FileFacts } from './file.ts';

/**
 * One file as every host hands it over: a TS-ESTree tree and its text.
 * Offsets are UTF-16 code units, and `places.ts` reads those of a node; `loc` is not read, because oxc-parser does not make it.
 */
export interface Source {
  /**
   * Absolute where the host resolves it; the facts only compare and show it. `FileFacts.place` is the place that has a meaning
   * for the code.
   */
  readonly path: string;
  readonly text: string;
  readonly ast: TSESTree.Program;
  readonly comments: readonly Comment[];
  /** The facts of other files; undefined when the host analyses one file alone. */
  readonly modules?: Modules | undefined;
  /** The answers of a type checker, where the host has one; only undecided candidates lead to questions. */
  readonly types?: Types | undefined;
}

/** A type checker as seen from the facts: implemented in src/project/, absent in most hosts. */
export interface Types {
  /**
   * Undefined where it is unresolved, or not yet resolved: a host may record the question, and analyse again with its answer.
   */
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
 * How a file contains a name. `type`: it creates something of the type, anywhere in the repository: a class, an interface or an
 * alias of it, an object literal, a new object. `put`: it assigns to an object of a different file under the name, in the same
 * package, or declares that such an object has it. `load`: it loads a file with that name, in the same package. `model`: it
 * defines the model with that name, in the same package.
 */
export type NameKind = 'type' | 'put' | 'load' | 'model';

/** The project as seen from the facts: implemented in src/project/, absent when a host has only text. */
export interface Modules {
  /**
   * The facts of the project file that `specifier` names in `from`; undefined for packages, missing and unreadable
   * files, and for a file whose text shows that it does not export `name`.
   */
  resolve(specifier: string, from: string, name?: string): FileFacts | undefined;
  /** Whether `specifier` names the file at `path` in `from`: that reads neither. */
  leadsTo(specifier: string, from: string, path: string): boolean;
  /**
   * False where the text of the project file that `specifier` names in `from` shows that objects of its class `name` lack one
   * of `members`: this does not parse it.
   */
  mayHave?(specifier: string, from: string, name: string, members: readonly string[]): boolean;
  /**
   * The facts of the files around `from`, without tests, that contain the name. Undefined where there are too many, or one of
   * them cannot be read.
   */
  filesNaming?(kind: NameKind, name: string, from: string): readonly FileFacts[] | undefined;
  /** The declarations about packages and functions in the project's configuration, for the file at this path. */
  declarations?(path: string): Declarations | undefined;
  /** The version of an installed package for the file `from`; undefined where the project does not name it. */
  versionOf(name: string, from: string): string | undefined;
  /** Whether the file is open in an editor, so that its facts must outlast an edit; absent means no. */
  isEdited?(path: string): boolean;
  /** Whether any file is. */
  hasEdits?(): boolean;
  /** The place of a file in its project: `/scripts/seed.ts`, without the folders above the project. */
  placeOf(path: string): string;
  /** Whether the package of the file draws pages in browsers, and has nothing that a server needs. */
  runsInBrowsers(from: string): boolean;
  /** How the code of the file `from` is run, as far as the project declares it. */
  deploymentOf(from: string): Deployment;
}

/**
 * Declarations outside of the code: in scripts, Dockerfiles, compose files, and the configuration of a process manager, of the
 * server and of Prisma.
 */
export interface Deployment {
  /** UV_THREADPOOL_SIZE. */
  readonly threads: number | undefined;
  /** Processes that run the same code, each with pools of its own. */
  readonly processes: number | undefined;
  /** Whether the manifests name drivers of SQLite, and none of a database server. */
  readonly hasOnlySqlite: boolean;
  /** Whether the package lets Sequelize find the transaction of a query automatically (`useCLS`). */
  readonly usesCls: boolean;
  /** The values of `max_connections` of the servers. */
  readonly connections: Readonly<Partial<Record<'postgres' | 'mysql', number | undefined>>>;
  /** The kind of database that Prisma's schema is for: `postgresql`, `sqlite`; undefined where schemas differ. */
  readonly prisma: string | undefined;
}
