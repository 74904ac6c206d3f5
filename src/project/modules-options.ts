import type { Modules, Source } from '../analysis/file/source.ts';
import type { Basis } from './basis.ts';
import type { Files } from './files.ts';
import type { NameKey } from './text-names.ts';

/** Where modules.ts reads files, and what it is told of them. */
export interface ModulesOptions {
  /** undefined for broken source. `modules` is to be the source's own; for `previous` see `previousOf`. */
  readonly parse: (
    text: string,
    path: string,
    modules: Modules,
    previous: Source | undefined,
  ) => Source | undefined;
  readonly files?: Files;
  /** For what is read beside the code (manifests, folders, configurations), where a host tells that apart. */
  readonly around?: Files | undefined;
  /** The repository's root for files that lie in no checkout and no package. */
  readonly root?: string;
  /** How much text may be held parsed, in UTF-16 code units: a tree takes some 14 bytes for each. */
  readonly maximumText?: number;
  /** Whether somebody asks for `readsOf`: to note it takes a twentieth of an analysis. */
  readonly notesReads?: boolean | undefined;
  /** What is known of a text that is still the same, and need not be read for its names. */
  readonly knownNames?: ((path: string) => ReadonlySet<NameKey> | undefined) | undefined;
  /** What an earlier run was answered for a file and still holds; only for hosts that are told of no changes. */
  readonly earlier?: ((path: string) => Basis | undefined) | undefined;
}
