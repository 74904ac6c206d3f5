import type { FileRead, FileReads } from '../../project/basis.ts';
import { lacks } from '../../project/lacking.ts';

/**
 * The present content of a file: its exports, and the names that it either contains now or contained before; undefined where
 * that is unresolved.
 */
export interface Names {
  readonly text: string | undefined;
  readonly exported: ReadonlySet<string> | undefined;
  readonly said: ReadonlySet<string> | undefined;
}

/** Of what the texts of some files have become. */
export interface Staleness {
  /** Whether what was found in a file rests on one of them. */
  isStale(path: string, reads: FileReads): boolean;
  /** Whether one of the names is now in different files. */
  isOther(naming: Iterable<string>): boolean;
}

/** Of `changed`. Calls `namesOf` for these, once each; `targetsOf` returns the targets of a file's imports. */
export function staleness(
  changed: ReadonlySet<string>,
  namesOf: (path: string) => Names | undefined,
  targetsOf: (path: string) => readonly string[],
): Staleness {
  let known: Told | undefined;
  const told = () => (known ??= toldBy(changed, namesOf));
  const isOther = (naming: Iterable<string>) => {
    const { said } = told();
    return !said || [...naming].some((it) => said.has(it));
  };
  const leading = new Map<string, readonly string[]>();
  /** Those of `changed` to which imports of a file lead. */
  const changedBehind = (path: string) => {
    let its = leading.get(path);
    if (!its) leading.set(path, (its = targetsOf(path).filter((it) => changed.has(it))));
    return its;
  };
  return {
    isStale(path, reads) {
      if (changed.has(path) || reads.some((it) => it.kind === 'file' && changed.has(it.path)))
        return true;
      const naming = reads.flatMap((it) => (it.kind === 'naming' ? it.key : []));
      if (naming.length > 0 && isOther(naming)) return true;
      const isRefuted = (it: FileRead) =>
        it.kind === 'lacking' && changed.has(it.path) && !isLacking(it, told());
      if (reads.some(isRefuted)) return true;
      // Nothing was read of a file that did not export a name.
      const refused = reads.flatMap((it) => (it.kind === 'refused' ? it.name : []));
      const files = reads.flatMap((it) => (it.kind === 'file' ? it.path : []));
      const exporting = refused.length > 0 ? exportingAny(refused, told()) : NONE;
      return (
        exporting.size > 0 &&
        [path, ...files].some((it) => changedBehind(it).some((to) => exporting.has(to)))
      );
    },
    isOther,
  };
}

const NONE: ReadonlySet<string> = new Set();

/** All names in the changed files. */
interface Told {
  /** By their paths. */
  readonly texts: ReadonlyMap<string, string | undefined>;
  readonly said: ReadonlySet<string> | undefined;
  readonly exporting: ReadonlyMap<string, readonly string[]>;
  /** Files that may export any name. */
  readonly exportingAll: readonly string[];
}

function toldBy(changed: ReadonlySet<string>, namesOf: (path: string) => Names | undefined): Told {
  const texts = new Map<string, string | undefined>();
  const said = new Set<string>();
  let isKnown = true;
  const exporting = new Map<string, string[]>();
  const exportingAll: string[] = [];
  for (const path of changed) {
    const its = namesOf(path);
    texts.set(path, its?.text);
    if (!its?.said) isKnown = false;
    for (const name of its?.said ?? []) said.add(name);
    if (!its?.exported) exportingAll.push(path);
    for (const name of its?.exported ?? []) {
      const known = exporting.get(name);
      if (known) known.push(path);
      else exporting.set(name, [path]);
    }
  }
  return { texts, said: isKnown ? said : undefined, exporting, exportingAll };
}

function isLacking(
  { path, names }: Extract<FileRead, { kind: 'lacking' }>,
  { texts }: Told,
): boolean {
  const text = texts.get(path);
  return text !== undefined && lacks(text, names);
}

function exportingAny(
  names: readonly string[],
  { exporting, exportingAll }: Told,
): ReadonlySet<string> {
  return new Set([...exportingAll, ...names.flatMap((it) => exporting.get(it) ?? [])]);
}
