import { basename, dirname } from 'node:path';
import { Capitals } from './capitals.ts';
import { sourceAt } from './code-at.ts';
import { contains, type EntryKind, type Files } from './files.ts';
import { Folders } from './folders.ts';
import { jsonOf, type Json } from './json.ts';
import { Marks } from './marks.ts';

export { contains };

/** The directories of one or more repositories, every look-up kept until `forget`. */
export interface Tree {
  kindOf(path: string): EntryKind | undefined;
  list(directory: string): ReadonlyMap<string, EntryKind> | undefined;
  json(path: string): Json | undefined;
  /** The repository that a directory belongs to: nothing outside it is read. */
  rootOf(directory: string): string;
  /** The same, and undefined where nothing marks the beginning of the project. */
  markedRootOf(directory: string): string | undefined;
  /** The path without links, of a file or folder of the repository at `root`. */
  real(path: string, root: string): string;
  /** Whether a file lies in its repository once links are followed. */
  isInside(path: string): boolean;
  /** The nearest directory, up to the repository's root, with a manifest. */
  packageOf(directory: string): string | undefined;
  /** The source file that an import of `path` reaches: extensions, TypeScript's `.js` for `.ts`, index files. */
  codeAt(path: string): string | undefined;
  /** Reports a file that has more than Deadtime reads: `message` follows its path. */
  leaveOut(path: string, message: string): void;
  /** The parts ignored so far. */
  leftOut(): readonly LeftOut[];
  forget(): void;
}

/** The unread part of a file other than code: a sentence without its subject, which is the path. */
export interface LeftOut {
  readonly path: string;
  readonly message: string;
}

export function treeOf(files: Files, fallbackRoot: string | undefined): Tree {
  return new TreeOfFiles(files, fallbackRoot);
}

class TreeOfFiles implements Tree {
  readonly #files: Files;
  readonly #fallbackRoot: string | undefined;
  readonly #folders: Folders;
  readonly #capitals: Capitals;
  readonly #marks: Marks;
  readonly #documents = new Map<string, Json | undefined>();
  readonly #leftOut = new Map<string, LeftOut>();

  constructor(files: Files, fallbackRoot: string | undefined) {
    this.#files = files;
    this.#fallbackRoot = fallbackRoot;
    this.#folders = new Folders(files);
    this.#capitals = new Capitals(this.#folders, files);
    this.#marks = new Marks((it) => this.list(it));
  }

  list(directory: string): ReadonlyMap<string, EntryKind> | undefined {
    return this.#folders.listing(directory)?.kinds;
  }

  kindOf(path: string): EntryKind | undefined {
    return this.list(dirname(path))?.get(basename(path));
  }

  json(path: string): Json | undefined {
    if (!this.#documents.has(path)) {
      const isThere = this.kindOf(path) === 'file' && this.isInside(path);
      this.#documents.set(path, isThere ? jsonOf(this.#textAt(path)) : undefined);
    }
    return this.#documents.get(path);
  }

  #textAt(path: string): string | undefined {
    const text = this.#files.read(path);
    if (text === undefined) this.leaveOut(path, 'cannot be read, or is larger than 20 MB');
    return text;
  }

  rootOf(directory: string): string {
    return this.markedRootOf(directory) ?? directory;
  }

  markedRootOf(directory: string): string | undefined {
    const marked = this.#marks.rootOf(directory);
    if (marked !== undefined) return marked;
    const root = this.#fallbackRoot;
    return root !== undefined && contains(root, directory) ? root : undefined;
  }

  real(path: string, root: string): string {
    return this.#folders.real(path, root);
  }

  isInside(path: string): boolean {
    return this.#folders.isInside(path, this.rootOf(dirname(path)));
  }

  packageOf(directory: string): string | undefined {
    const nearest = this.#marks.packageOf(directory);
    return nearest !== undefined && contains(this.rootOf(directory), nearest) ? nearest : undefined;
  }

  codeAt(path: string): string | undefined {
    const exact = sourceAt(this, path);
    if (exact !== undefined && this.#isListed(dirname(exact))) return exact;
    const spelled = this.#capitals.spelled(path, this.rootOf(dirname(path)));
    return (spelled === undefined ? undefined : sourceAt(this, spelled)) ?? exact;
  }

  #isListed(directory: string): boolean {
    return this.#capitals.isListed(directory, this.rootOf(directory));
  }

  leaveOut(path: string, message: string): void {
    this.#leftOut.set(`${path} ${message}`, { path, message });
  }

  leftOut(): readonly LeftOut[] {
    return [...this.#leftOut.values()];
  }

  forget(): void {
    this.#folders.forget();
    this.#capitals.forget();
    this.#leftOut.clear();
    this.#documents.clear();
    this.#marks.forget();
  }
}
