import type { NameKey } from './text-names.ts';

/** The text of a file shows that objects of a class that it exports lack a member: see lacking.ts. */
export interface Lacking {
  readonly path: string;
  /** The class, and one of the members that were asked for. */
  readonly names: readonly string[];
}

/** What the findings of one file rest on beside its own text. */
export interface FileReads {
  /** The paths of files that were parsed, or would have been if they could be read. */
  readonly files: readonly string[];
  /** Names that files were asked for whose texts do not export them: nothing else was read of those files. */
  readonly refused: readonly string[];
  /** What was seen of texts that were not parsed. */
  readonly lacking: readonly Lacking[];
  /** Names of which it was asked which files say them: what other files say of the name counts, too. */
  readonly naming: readonly NameKey[];
}

export const noReads: FileReads = { files: [], refused: [], lacking: [], naming: [] };

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
