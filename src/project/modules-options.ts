import type { Modules, Source } from '../analysis/file/source.ts';
import type { Basis } from './basis.ts';
import type { DeclarationsOptions } from './declarations.ts';
import type { Files } from './files.ts';
import type { NameKey } from './text-names.ts';

/** Where modules.ts reads files, and its options. */
export interface ModulesOptions extends DeclarationsOptions {
  /** undefined for broken source. `modules` is to be the source's own; for `previous` see `previousOf`. */
  readonly parse: (
    text: string,
    path: string,
    modules: Modules,
    previous: Source | undefined,
  ) => Source | undefined;
  readonly files?: Files;
  /** For reads other than code (manifests, folders, configurations), where a host separates them. */
  readonly around?: Files | undefined;
  /** The repository's root for files that lie in no checkout and no package. */
  readonly root?: string;
  /** How much text may be held parsed, in UTF-16 code units: a tree takes some 14 bytes for each. */
  readonly maximumText?: number;
  /** Whether the host asks for `readsOf`: recording it takes a twentieth of an analysis. */
  readonly notesReads?: boolean | undefined;
  /** The facts of an unchanged text, which need not be read for its names. */
  readonly knownNames?: ((path: string) => ReadonlySet<NameKey> | undefined) | undefined;
  /** The dependencies of a file in an earlier run that are still valid; only for hosts without notifications of changes. */
  readonly earlier?: ((path: string) => Basis | undefined) | undefined;
}
