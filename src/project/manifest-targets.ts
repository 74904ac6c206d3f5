import { join } from 'node:path';
import { entriesOf, field, type Json } from './json.ts';
import { MOST_PATTERNS, patternMatch, TOO_MANY_PATTERNS } from './patterns.ts';
import type { Tree } from './tree.ts';

/** `exports` or `imports` of a manifest: read once, looked up for every import. */
interface Table {
  /** Whether its keys are subpaths or names; conditions otherwise. */
  readonly isOfNames: boolean;
  /** Those with a star, or a slash at the end: the longest first. */
  readonly patterns: readonly (readonly [pattern: string, target: Json])[];
  readonly isCut: boolean;
}

/** By the object itself, which is a new one once the manifest is read again. */
const tables = new WeakMap<object, Table>();

/** What the manifest in a directory names for a subpath (`.`, `./db`) or for an import of its own (`#db`), best first. */
export function manifestTargets(
  tree: Tree,
  directory: string,
  name: 'exports' | 'imports',
  key: string,
): readonly string[] {
  const path = join(directory, 'package.json');
  const json = field(tree.json(path), name);
  const { isOfNames, patterns, isCut } = tableOf(json);
  if (isCut) tree.leaveOut(path, TOO_MANY_PATTERNS);
  const leavesOf = (it: Json | undefined) =>
    leaves(it, () => tree.leaveOut(path, TOO_MANY_TARGETS));
  if (!isOfNames) return key === '.' ? leavesOf(json) : [];
  const exact = field(json, key);
  if (exact !== undefined) return leavesOf(exact);
  for (const [pattern, target] of patterns) {
    const star = starOf(pattern, key);
    if (star === undefined) continue;
    return leavesOf(target).map((it) =>
      pattern.endsWith('/') ? it + star : it.replaceAll('*', () => star),
    );
  }
  return [];
}

function tableOf(json: Json | undefined): Table {
  const isObject = typeof json === 'object' && json !== null;
  let table = isObject ? tables.get(json) : undefined;
  if (table) return table;
  const entries = entriesOf(json);
  const patterns = entries.filter(([name]) => name.includes('*') || name.endsWith('/'));
  table = {
    isOfNames: entries.some(([name]) => name.startsWith('.') || name.startsWith('#')),
    patterns: patterns.slice(0, MOST_PATTERNS).sort(([a], [b]) => b.length - a.length),
    isCut: patterns.length > MOST_PATTERNS,
  };
  if (isObject) tables.set(json, table);
  return table;
}

/** Node.js lets the star be no less than one character. */
function starOf(pattern: string, key: string): string | undefined {
  if (pattern.endsWith('/')) return key.startsWith(pattern) ? key.slice(pattern.length) : undefined;
  return key.length < pattern.length ? undefined : patternMatch(pattern, key);
}

/** Conditions that lead to what people wrote come first; those of other platforms come last. */
const FIRST = ['source', 'development', 'node', 'import', 'require', 'default', 'types'];
const LAST = ['browser', 'react-native', 'worker', 'workerd', 'edge-light', 'deno'];

/** Conditions and paths of one name, however they are nested. */
const MOST_LEAVES = 200;
const TOO_MANY_TARGETS = `has over ${MOST_LEAVES} targets for one name: the rest is ignored`;

function leaves(target: Json | undefined, onTooMany: () => void): readonly string[] {
  const found: string[] = [];
  // Not called by itself: nothing but its length bounds how deeply a manifest is nested.
  const open = [target];
  for (let looks = 0; open.length > 0; looks++) {
    if (looks === MOST_LEAVES) {
      onTooMany();
      break;
    }
    const it = open.pop();
    if (typeof it === 'string') found.push(it);
    // One more than the limit shows that there are too many.
    const inside = Array.isArray(it) ? it : byCondition(it);
    open.push(...inside.slice(0, MOST_LEAVES + 1).reverse());
  }
  return found;
}

function byCondition(target: Json | undefined): readonly Json[] {
  return entriesOf(target)
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([, it]) => it);
}

function rank(name: string): number {
  if (name.endsWith('source') || name.startsWith('@')) return -1;
  if (LAST.includes(name)) return FIRST.length + 1;
  return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
}
