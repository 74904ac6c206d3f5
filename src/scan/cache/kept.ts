import { dirname, join } from 'node:path';
import type { Basis, FileReads } from '../../project/basis.ts';
import type { FileState } from '../../project/file-state.ts';
import type { Surroundings } from '../../project/observer.ts';
import { readOwn, removeOld, writeWhole } from '../../system/own-files.ts';
import type { ScannedFile } from '../scan-result.ts';
import { checksumOf } from './checksum.ts';
import { type Back, type Front, keptFrom, toPlain } from './kept-format.ts';
import { textOf } from './text-of.ts';

/** The cached results about the files of a project, and their dependencies. */
export interface Kept {
  /** The reader is the only owner: it may change the value. */
  readonly files: Map<string, KeptFile>;
  readonly surroundings: Surroundings;
  /** A digest of the configuration that holds for the files of a folder. */
  readonly configurations: ReadonlyMap<string, string>;
  /** The files that were found, by what was asked for. */
  readonly searches: ReadonlyMap<string, readonly string[]>;
}

export interface KeptFile {
  readonly state: FileState;
  /** Undefined for a file whose text alone determined the result. */
  readonly basis: Basis | undefined;
  /** The paths that answered in `basis`, to read them without decoding it. */
  readonly targets: readonly string[];
  /** A name of `basis` may appear in any file. */
  readonly asksAllFiles: boolean;
  /** Undefined for a file that others import, and that was not scanned. */
  readonly result: KeptResult | undefined;
  /** The dependencies of `result`, besides the file itself. */
  readonly reads: FileReads;
}

export interface KeptResult extends ScannedFile {
  readonly isNamed: boolean;
}

/**
 * Where the runs of one kind (a root, a profile) are kept: the next version of Deadtime overwrites the same file, and so may another
 * kind, but for `version`.
 */
export function keptPath(folder: string, kind: string): string {
  return join(folder, `${checksumOf(kind)}.json`);
}

/** The file with the names in the texts of the same files. */
export function namesPath(path: string): string {
  return path.replace(/\.json$/, '.names.json');
}

/** A changed format of the file gets a new number. */
const FORMAT = 12;
/** More is not kept. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Undefined where there is none, where it is broken, and where another version of Deadtime has written it, or another kind of run. */
export function keptAt(path: string, version: string): Kept | undefined {
  try {
    const bytes = readOwn(path);
    if (!bytes) return undefined;
    const end = bytes.indexOf('\n');
    const body = bytes.subarray(end + 1);
    if (bytes.toString('utf8', 0, end) !== headOf(body, version)) return undefined;
    const middle = body.indexOf('\n');
    const front = JSON.parse(textOf(body.subarray(0, middle))) as Front;
    return keptFrom(front, () => JSON.parse(textOf(body.subarray(middle + 1))) as Back);
  } catch {
    return undefined;
  }
}

/** Whole or not at all, also with concurrent readers and writers. Throws where it cannot be written. */
export function keep(path: string, version: string, kept: Kept): void {
  const { front, back } = toPlain(kept);
  const body = Buffer.concat([asciiJson(front), Buffer.from('\n'), asciiJson(back)]);
  if (body.length > MOST_BYTES) return;
  writeWhole(path, Buffer.concat([Buffer.from(`${headOf(body, version)}\n`), body]));
  // Earlier builds named theirs with twice as many digits.
  const pattern = /^(?:[\da-f]{8}){1,2}(?:\.names)?\.json(?:\.\d+)?$/;
  removeOld(dirname(path), { isOurs: (name) => pattern.test(name) });
}

/** Without letters that would make all of it slow to read (`textOf`). */
function asciiJson(value: unknown): Buffer {
  const json = JSON.stringify(value);
  const bytes = Buffer.from(json);
  // Other letters take more than a byte.
  return bytes.length === json.length ? bytes : Buffer.from(escaped(json));
}

function escaped(json: string): string {
  return json.replace(
    /[^\0-\x7f]/g,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Distinguishes a damaged file from a complete one. */
function headOf(body: Buffer, version: string): string {
  return `deadtime ${FORMAT} ${version} ${checksumOf(body)}`;
}
