import type { Entry } from './entry.ts';
import { spelledExports, type SpelledExports } from './exported-names.ts';
import type { ExternalDependency } from '../engine/dependencies.ts';
import type { ExternalDependencies } from './external-dependencies.ts';
import { MAXIMUM_FILE } from './text-names.ts';

/** What a file offers together with the files behind its `export *`, read off their texts. */
export interface Offered {
  readonly names: ReadonlySet<string>;
  /** The file itself, and those behind it. */
  readonly by: ReadonlySet<Entry>;
}

type EntryBehind = (specifier: string, from: string) => Entry | undefined;

/** More files than these behind a barrel are asked one at a time, until one has the name. */
const MOST_BEHIND = 1_000;

/**
 * The files whose texts show that `entry` does not export a name: it, and those behind its `export *`. Undefined where one may.
 * Reading is cheap, parsing is not: behind a barrel of a hundred others, one exports the name. `entryBehind` reads the file that
 * an import of another leads to; without it, only files that hand nothing on are refused.
 */
export function refusedBy(
  entry: Entry,
  name: string | undefined,
  entryBehind: EntryBehind | undefined,
): ReadonlySet<Entry> | undefined {
  if (name === undefined || !/^(?!(?:default|require)$)[\w$]+$/.test(name)) return undefined;
  const offered = (entry.offered ??= offeredBy(entry, entryBehind) ?? 'any');
  return offered === 'any' || offered.names.has(name) ? undefined : offered.by;
}

/** The record of a name that files do not export: files that re-export also list their sources. */
export function refusalBy(
  by: ReadonlySet<Entry>,
  name: string,
  external: ExternalDependencies,
): readonly ExternalDependency[] {
  const barrels = [...by].filter((it) => spelledBy(it)?.everythingFrom.length !== 0);
  return [external.refused(name), ...barrels.map((it) => external.file(it.path))];
}

function offeredBy(entry: Entry, entryBehind: EntryBehind | undefined): Offered | undefined {
  const own = spelledBy(entry);
  if (own === undefined) return undefined;
  const by = new Set([entry]);
  if (own.everythingFrom.length === 0) return { names: own.names, by };
  const names = new Set<string>();
  for (const it of by) {
    const spelled = spelledBy(it);
    if (!spelled || by.size > MOST_BEHIND) return undefined;
    for (const name of spelled.names) names.add(name);
    for (const source of spelled.everythingFrom) {
      // Others may lead to a library.
      const behind = /^\.\.?(?:\/|$)/.test(source) ? entryBehind?.(source, it.path) : undefined;
      if (!behind) return undefined;
      by.add(behind);
    }
  }
  return { names, by };
}

function spelledBy(entry: Entry): SpelledExports | undefined {
  const { text } = entry;
  // What is too long is refused before it is parsed.
  if (text === undefined || text.length > MAXIMUM_FILE) return undefined;
  entry.spelled ??= spelledExports(text) ?? 'nothing tells';
  return entry.spelled === 'nothing tells' ? undefined : entry.spelled;
}
