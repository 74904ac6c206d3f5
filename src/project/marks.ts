import type { EntryKind } from './files.ts';
import { folderAbove } from './folders-above.ts';

const WORKSPACE_MARKS = ['pnpm-workspace.yaml', 'lerna.json', 'rush.json', 'nx.json'];

/** The markers of the project of a directory, and its package. */
interface FolderMarks {
  /** The nearest, which counts before all others. */
  readonly checkout: string | undefined;
  /** The outermost. */
  readonly workspace: string | undefined;
  /** The outermost folder with a manifest. */
  readonly manifest: string | undefined;
  /** The outermost with a tsconfig. */
  readonly configured: string | undefined;
  /** The nearest with a manifest. */
  readonly nearest: string | undefined;
}

const NO_MARKS: FolderMarks = {
  checkout: undefined,
  workspace: undefined,
  manifest: undefined,
  configured: undefined,
  nearest: undefined,
};

/** What marks projects and packages, each folder read once until `forget`. */
export class Marks {
  readonly #list: (directory: string) => ReadonlyMap<string, EntryKind> | undefined;
  readonly #known = new Map<string, FolderMarks>();

  constructor(list: (directory: string) => ReadonlyMap<string, EntryKind> | undefined) {
    this.#list = list;
  }

  /** Where the project of a directory begins. */
  rootOf(directory: string): string | undefined {
    const { checkout, workspace, manifest, configured } = this.#at(directory);
    return checkout ?? workspace ?? manifest ?? configured;
  }

  /** The nearest folder with a manifest. */
  packageOf(directory: string): string | undefined {
    return this.#at(directory).nearest;
  }

  forget(): void {
    this.#known.clear();
  }

  #at(directory: string): FolderMarks {
    let found = this.#known.get(directory);
    if (!found) this.#known.set(directory, (found = this.#from(directory)));
    return found;
  }

  #from(directory: string): FolderMarks {
    const entries = this.#list(directory);
    const own = (isThere: boolean) => (isThere ? directory : undefined);
    const manifest = own(entries?.get('package.json') === 'file');
    // What lies above a checkout is no matter of it.
    if (entries?.has('.git')) return { ...NO_MARKS, checkout: directory, nearest: manifest };
    const parent = folderAbove(directory);
    const above = parent === undefined ? NO_MARKS : this.#at(parent);
    if (!entries) return above;
    return {
      checkout: above.checkout,
      workspace: above.workspace ?? own(WORKSPACE_MARKS.some((it) => entries.has(it))),
      manifest: above.manifest ?? manifest,
      configured: above.configured ?? own(entries.get('tsconfig.json') === 'file'),
      nearest: manifest ?? above.nearest,
    };
  }
}
