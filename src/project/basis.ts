import type { ExternalDependency } from '../engine/dependencies.ts';
import type { NameKey } from './text-names.ts';

/** What the findings of one file rest on beside its own text. */
export type FileRead = Extract<
  ExternalDependency,
  { readonly kind: 'file' | 'refused' | 'naming' | 'lacking' }
>;

export type FileReads = readonly FileRead[];

/** What was answered when the facts of one file were drawn. */
export interface Basis {
  /** What was asked for in this file, and the path that answered. */
  readonly asked: ReadonlyMap<string, string | undefined>;
  /** Names, and the files that say them (text-index.ts); undefined where not all files could be asked. */
  readonly naming: ReadonlyMap<NameKey, readonly string[] | undefined>;
  /** The versions of packages. */
  readonly versions: ReadonlyMap<string, string | undefined>;
  /** Of its project; undefined where nobody has asked. */
  readonly root: string | undefined;
  /** How the project is run, as JSON; undefined where nobody has asked. */
  readonly deployment: string | undefined;
  /** Whether only browsers run its package; undefined where nobody has asked. */
  readonly runsInBrowsers: boolean | undefined;
  /** Whether it may be read for an importer; undefined where no importer wanted it. */
  readonly isReadable: boolean | undefined;
}
