import type { NameKey } from './text-names.ts';

/** The text of a file shows that objects of a class that it exports lack a member: see lacking.ts. */
export interface Lacking {
  readonly path: string;
  /** The class, and one of the members that were asked for. */
  readonly names: readonly string[];
}

/** The dependencies of the findings of one file, besides its own text. */
export interface FileReads {
  /** The paths of files that were parsed, or would have been if they could be read. */
  readonly files: readonly string[];
  /** Names that files were asked for whose texts do not export them: nothing else was read of those files. */
  readonly refused: readonly string[];
  /** What was seen of texts that were not parsed. */
  readonly lacking: readonly Lacking[];
  /** Names whose files were asked for: a further file that contains the name counts, too. */
  readonly naming: readonly NameKey[];
}

export const noReads: FileReads = { files: [], refused: [], lacking: [], naming: [] };

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
