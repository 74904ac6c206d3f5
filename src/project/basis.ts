import type { ExternalDependency } from '../engine/dependencies.ts';
import type { NameKey } from './text-names.ts';

/** The dependencies of the findings of one file, besides its own text. */
export type FileRead = Extract<
  ExternalDependency,
  { readonly kind: 'file' | 'refused' | 'naming' | 'lacking' }
>;

export type FileReads = readonly FileRead[];

/** What was answered when the facts of one file were drawn. */
export interface Basis {
  /** What was asked for in this file, and the path that answered. */
  readonly asked: ReadonlyMap<string, string | undefined>;
  /** Names, and the files that contain them (text-index.ts); undefined where not all files could be searched. */
  readonly naming: ReadonlyMap<NameKey, readonly string[] | undefined>;
  /** The versions of packages. */
  readonly versions: ReadonlyMap<string, string | undefined>;
  /** Of its project; undefined without a question. */
  readonly root: string | undefined;
  /** How the project is run, as JSON; undefined without a question. */
  readonly deployment: string | undefined;
  /** Whether only browsers run its package; undefined without a question. */
  readonly runsInBrowsers: boolean | undefined;
  /** Whether it may be read for an importer; undefined where no importer wanted it. */
  readonly isReadable: boolean | undefined;
}
