import { basename, dirname, extname, join, sep } from 'node:path';
import { contains, type EntryKind } from './files.ts';
import { field, type Json } from './json.ts';

const CODE_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
const PROBED = [...CODE_EXTENSIONS, '.d.ts', '.d.mts', '.d.cts'];

/** What an output extension is written as in TypeScript: the source is preferred where both files exist. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js', '.jsx', '.d.ts'],
  '.jsx': ['.tsx', '.jsx', '.d.ts'],
  '.mjs': ['.mts', '.mjs', '.d.mts'],
  '.cjs': ['.cts', '.cjs', '.d.cts'],
};

/** The searched part of a tree. */
interface Searched {
  list(directory: string): ReadonlyMap<string, EntryKind> | undefined;
  json(path: string): Json | undefined;
  rootOf(directory: string): string;
}

/** The source file that an import of `path` reaches, with the capitals of the path. */
export function sourceAt(tree: Searched, path: string, depth = 0): string | undefined {
  if (!isProjectPath(tree, path)) return undefined;
  const entries = tree.list(dirname(path));
  if (!entries) return undefined;
  const name = basename(path);
  const found = codeName(entries, name);
  if (found !== undefined) return join(dirname(path), found);
  if (entries.get(name) !== 'directory' || depth > 2) return undefined;

  const main = field(tree.json(join(path, 'package.json')), 'main');
  return (
    (typeof main === 'string' ? sourceAt(tree, join(path, main), depth + 1) : undefined) ??
    sourceAt(tree, join(path, 'index'), 3)
  );
}

/** Packages that were installed are not the project's. */
function isProjectPath(tree: Searched, path: string): boolean {
  const root = tree.rootOf(dirname(path));
  return contains(root, path) && !path.slice(root.length).split(sep).includes('node_modules');
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
