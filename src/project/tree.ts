import { basename, dirname, extname, join, sep } from 'node:path';
import { type EntryKind, type Files, isEntry, type Listing, within } from './files.ts';
import { folderAbove } from './folders-above.ts';
import { field, jsonOf, type Json } from './json.ts';

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
  /** What was left out so far. */
  leftOut(): readonly LeftOut[];
  forget(): void;
}

/** The unread part of a file other than code: a sentence without its subject, which is the path. */
export interface LeftOut {
  readonly path: string;
  readonly message: string;
}

const CODE_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
const PROBED = [...CODE_EXTENSIONS, '.d.ts', '.d.mts', '.d.cts'];

/** Of code or a declaration. */
const EXTENSION = /(?:\.d)?\.[cm]?[jt]sx?$/;

/** What an output extension is written as in TypeScript: the source is preferred where both files exist. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js', '.jsx', '.d.ts'],
  '.jsx': ['.tsx', '.jsx', '.d.ts'],
  '.mjs': ['.mts', '.mjs', '.d.mts'],
  '.cjs': ['.cts', '.cjs', '.d.cts'],
};

export function treeOf(files: Files, fallbackRoot: string | undefined): Tree {
  const lists = new Map<string, Listing | undefined>();
  const documents = new Map<string, Json | undefined>();
  const marks = new Map<string, Marks>();
  const realFolders = new Map<string, string>();
  const insideFolders = new Map<string, boolean>();
  const capitals = new Map<string, ReadonlyMap<string, Spelled>>();
  const leftOut = new Map<string, LeftOut>();

  const tree: Tree = {
    list: (directory) => listingOf(directory)?.kinds,
    kindOf: (path) => tree.list(dirname(path))?.get(basename(path)),
    json(path) {
      if (!documents.has(path)) {
        const isThere = tree.kindOf(path) === 'file' && tree.isInside(path);
        documents.set(path, isThere ? jsonOf(textAt(path)) : undefined);
      }
      return documents.get(path);
    },
    rootOf(directory) {
      return tree.markedRootOf(directory) ?? directory;
    },
    markedRootOf(directory) {
      const { checkout, workspace, manifest, configured } = marksAt(directory);
      const marked = checkout ?? workspace ?? manifest ?? configured;
      if (marked !== undefined) return marked;
      return fallbackRoot !== undefined && contains(fallbackRoot, directory)
        ? fallbackRoot
        : undefined;
    },
    real: (path, root) => (path === root ? realFolder(root, root) : realBelow(path, root)),
    isInside(path) {
      const folder = dirname(path);
      const root = tree.rootOf(folder);
      if (!contains(root, path)) return false;
      const listing = contains(root, folder) ? listingOf(folder) : undefined;
      return isEntry(listing, basename(path))
        ? isFolderInside(folder, root)
        : contains(realFolder(root, root), files.real(path));
    },
    packageOf(directory) {
      const { nearest } = marksAt(directory);
      return nearest !== undefined && contains(tree.rootOf(directory), nearest)
        ? nearest
        : undefined;
    },
    codeAt(path) {
      const exact = codeAt(tree, path, 0);
      if (exact !== undefined && isListed(dirname(exact))) return exact;
      const spelled = inOtherCapitals(path);
      return (spelled === undefined ? undefined : codeAt(tree, spelled, 0)) ?? exact;
    },
    leaveOut: (path, message) => void leftOut.set(`${path} ${message}`, { path, message }),
    leftOut: () => [...leftOut.values()],
    forget() {
      lists.clear();
      capitals.clear();
      leftOut.clear();
      documents.clear();
      marks.clear();
      realFolders.clear();
      insideFolders.clear();
    },
  };
  return tree;

  function textAt(path: string): string | undefined {
    const text = files.read(path);
    if (text === undefined) tree.leaveOut(path, 'cannot be read, or is larger than 20 MB');
    return text;
  }

  /** Of a directory and those above it, each of which is read once. */
  function marksAt(directory: string): Marks {
    let found = marks.get(directory);
    if (!found) marks.set(directory, (found = marksFrom(directory)));
    return found;
  }

  function marksFrom(directory: string): Marks {
    const entries = tree.list(directory);
    const own = (isThere: boolean) => (isThere ? directory : undefined);
    const manifest = own(entries?.get('package.json') === 'file');
    // What lies above a checkout is no matter of it.
    if (entries?.has('.git')) return { ...NO_MARKS, checkout: directory, nearest: manifest };
    const parent = folderAbove(directory);
    const above = parent === undefined ? NO_MARKS : marksAt(parent);
    if (!entries) return above;
    return {
      checkout: above.checkout,
      workspace: above.workspace ?? own(WORKSPACE_MARKS.some((it) => entries.has(it))),
      manifest: above.manifest ?? manifest,
      configured: above.configured ?? own(entries.get('tsconfig.json') === 'file'),
      nearest: manifest ?? above.nearest,
    };
  }

  function listingOf(directory: string): Listing | undefined {
    if (!lists.has(directory)) {
      // A directory is listed only where its parent names it: most probes end at a missing parent.
      const parent = dirname(directory);
      const known = parent === directory ? undefined : lists.get(parent)?.kinds;
      const isThere = !known || known.get(basename(directory)) === 'directory';
      lists.set(directory, isThere ? files.list(directory) : undefined);
    }
    return lists.get(directory);
  }

  function realFolder(folder: string, root: string): string {
    let real = realFolders.get(folder);
    if (real === undefined) realFolders.set(folder, (real = realBelow(folder, root)));
    return real;
  }

  function realBelow(path: string, root: string): string {
    const folder = dirname(path);
    const name = basename(path);
    // Files above the repository do not affect it, and listing a folder depends on all of its entries.
    const listing = contains(root, folder) ? listingOf(folder) : undefined;
    // The entries of a folder exist, unless one is a link: asking the disk for each path takes long.
    return isEntry(listing, name) ? within(realFolder(folder, root), name) : files.real(path);
  }

  function isFolderInside(folder: string, root: string): boolean {
    let isInside = insideFolders.get(folder);
    if (isInside === undefined) {
      isInside = contains(realFolder(root, root), realFolder(folder, root));
      insideFolders.set(folder, isInside);
    }
    return isInside;
  }

  /** Whether the folders up to the repository's root are spelled as those above list them. */
  function isListed(directory: string): boolean {
    const root = tree.rootOf(directory);
    for (let it = directory; it !== root && it !== dirname(it); it = dirname(it)) {
      if (tree.list(dirname(it))?.has(basename(it)) === false) return false;
    }
    return true;
  }

  /** The path as its folders list it, for a file system that ignores case; undefined where it does not. */
  function inOtherCapitals(path: string): string | undefined {
    const root = tree.rootOf(dirname(path));
    if (!contains(root, path)) return undefined;
    let found = root;
    const segments = path.slice(root.length).split(sep).filter(Boolean);
    for (const [i, segment] of segments.entries()) {
      const entries = tree.list(found);
      if (!entries) return undefined;
      // An import may leave an extension out, or write another than the source has.
      const stem = i < segments.length - 1 ? segment : segment.replace(EXTENSION, '');
      const wanted = [segment.toLowerCase(), stem.toLowerCase()];
      const listed = entries.has(segment) ? segment : firstSpelled(found, entries, wanted);
      if (listed === undefined || !isSame(found, listed, segment, entries)) return undefined;
      found = join(found, listed.slice(0, stem.length) + segment.slice(stem.length));
    }
    return found === path ? undefined : found;
  }

  /** The first entry of a folder that is one of these names in lower case, with its extension or without. */
  function firstSpelled(
    folder: string,
    entries: ReadonlyMap<string, EntryKind>,
    wanted: readonly string[],
  ): string | undefined {
    let its = capitals.get(folder);
    if (!its) capitals.set(folder, (its = spelledIn(entries)));
    const found = wanted.map((it) => its.get(it)).filter((it) => it !== undefined);
    return found.sort((a, b) => a.order - b.order)[0]?.name;
  }

  /** Whether an entry is there by another name as well, which its folder does not list. */
  function isSame(
    folder: string,
    listed: string,
    name: string,
    entries: ReadonlyMap<string, EntryKind>,
  ): boolean {
    if (listed === name) return true;
    const upper = listed.toUpperCase();
    const other = upper === listed ? listed.toLowerCase() : upper;
    return !entries.has(other) && files.stamp(join(folder, other)) !== undefined;
  }
}

/** An entry, and how many its folder lists before it. */
interface Spelled {
  readonly name: string;
  readonly order: number;
}

/** By their names in lower case, with their extensions and without; of several the first. */
function spelledIn(entries: ReadonlyMap<string, EntryKind>): ReadonlyMap<string, Spelled> {
  const spelled = new Map<string, Spelled>();
  for (const name of entries.keys()) {
    const lower = name.toLowerCase();
    const order = spelled.size;
    for (const it of [lower, lower.replace(EXTENSION, '')]) {
      if (!spelled.has(it)) spelled.set(it, { name, order });
    }
  }
  return spelled;
}

export function contains(directory: string, path: string): boolean {
  return (
    path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
  );
}

const WORKSPACE_MARKS = ['pnpm-workspace.yaml', 'lerna.json', 'rush.json', 'nx.json'];

/** The markers of the project of a directory, and its package. */
interface Marks {
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

const NO_MARKS: Marks = {
  checkout: undefined,
  workspace: undefined,
  manifest: undefined,
  configured: undefined,
  nearest: undefined,
};

/** Packages that were installed are not the project's. */
function isProjectPath(tree: Tree, path: string): boolean {
  const root = tree.rootOf(dirname(path));
  return contains(root, path) && !path.slice(root.length).split(sep).includes('node_modules');
}

function codeAt(tree: Tree, path: string, depth: number): string | undefined {
  if (!isProjectPath(tree, path)) return undefined;
  const entries = tree.list(dirname(path));
  if (!entries) return undefined;
  const name = basename(path);
  const found = codeName(entries, name);
  if (found !== undefined) return join(dirname(path), found);
  if (entries.get(name) !== 'directory' || depth > 2) return undefined;

  const main = field(tree.json(join(path, 'package.json')), 'main');
  return (
    (typeof main === 'string' ? codeAt(tree, join(path, main), depth + 1) : undefined) ??
    codeAt(tree, join(path, 'index'), 3)
  );
}

function codeName(entries: ReadonlyMap<string, EntryKind>, name: string): string | undefined {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  const spelled = WRITTEN_AS[extension]?.map((it) => stem + it) ?? (isCode(name) ? [name] : []);
  for (const it of spelled) if (entries.get(it) === 'file') return it;
  for (const it of PROBED) if (entries.get(name + it) === 'file') return name + it;
  return undefined;
}

function isCode(name: string): boolean {
  return CODE_EXTENSIONS.some((it) => name.endsWith(it));
}
