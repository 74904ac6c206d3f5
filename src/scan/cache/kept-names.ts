import type { NameKind } from '../../analysis/file/source.ts';
import { orUndefined } from '../../project/files.ts';
import type { NameKey } from '../../project/text-names.ts';
import { readOwn, writeWhole } from '../../system/own-files.ts';
import { checksumOf } from './checksum.ts';

/**
 * The names in the texts of files (text-index.ts): a run that analyses one file again need not read all files. Separate from
 * the results of runs, since a run without an analysis does not need it.
 */
export interface KeptNames {
  /** Of the text with this hash; undefined where no question has asked for it. */
  of(path: string, hash: string): ReadonlySet<NameKey> | undefined;
  /** Whether they are cached for this text, or for an earlier text of the file. */
  has(path: string, hash?: string): boolean;
  /** Whether no question has asked for any text of the file; false where nothing is cached. */
  lacks(path: string): boolean;
  /**
   * Also writes what has been read: of all files, and of their present texts. The entry of an older text stays, so that the
   * file does not count as one without a question. Whole or not at all. Throws where it cannot be written.
   */
  keep(
    hashes: Iterable<readonly [path: string, hash: string]>,
    read: ReadonlyMap<string, ReadonlySet<NameKey>>,
  ): void;
}

/** A changed format of the file gets a new number. */
const FORMAT = 3;

/** The names of each kind, with spaces between. */
type PlainNames = readonly [path: string, hash: string, types: string, puts: string, loads: string];

/** Nothing is read before the first question; there is nothing where it is broken, and where another version has written it. */
export function keptNamesAt(path: string, version: string): KeptNames {
  let read: ReadonlyMap<string, PlainNames> | undefined;
  const known = () => (read ??= new Map(keptIn(path, version).map((it) => [it[0], it])));
  return {
    has(file, hash) {
      const found = known().get(file);
      return found !== undefined && (hash === undefined || found[1] === hash);
    },
    lacks: (file) => known().size > 0 && !known().has(file),
    of(file, hash) {
      const found = known().get(file);
      if (found?.[1] !== hash) return undefined;
      const [, , types, puts, loads] = found;
      return new Set([
        ...keysFrom('type', types),
        ...keysFrom('put', puts),
        ...keysFrom('load', loads),
      ]);
    },
    keep(hashes, read) {
      const plain: PlainNames[] = [];
      for (const [file, hash] of hashes) {
        const its = read.get(file);
        const kept = known().get(file);
        if (kept && (!its || kept[1] === hash)) plain.push(kept);
        else if (its) plain.push(plainOf(file, hash, its));
      }
      const body = JSON.stringify(plain);
      writeWhole(path, `${headOf(body, version)}\n${body}`);
    },
  };
}

/** As on disk. */
function plainOf(file: string, hash: string, its: ReadonlySet<NameKey>): PlainNames {
  return [file, hash, joined('type', its), joined('put', its), joined('load', its)];
}

function keptIn(path: string, version: string): readonly PlainNames[] {
  const found = orUndefined(() => {
    const bytes = readOwn(path);
    if (!bytes) return undefined;
    const end = bytes.indexOf('\n');
    const body = bytes.subarray(end + 1);
    if (bytes.toString('utf8', 0, end) !== headOf(body, version)) return undefined;
    return JSON.parse(body.toString()) as readonly PlainNames[];
  });
  return found ?? [];
}

/** Distinguishes a damaged file from a complete one. */
function headOf(body: string | Buffer, version: string): string {
  return `deadtime names ${FORMAT} ${version} ${checksumOf(body)}`;
}

function joined(kind: string, names: ReadonlySet<NameKey>): string {
  const start = `${kind} `;
  const its = [...names].filter((it) => it.startsWith(start));
  return its.map((it) => it.slice(start.length)).join(' ');
}

function keysFrom(kind: NameKind, names: string): readonly NameKey[] {
  return names === '' ? [] : names.split(' ').map((it): NameKey => `${kind} ${it}`);
}
