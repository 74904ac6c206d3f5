import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Basis, FileReads, Lacking } from '../../project/basis.ts';
import type { FileState, Surroundings } from '../../project/observer.ts';
import type { NameKey } from '../../project/text-names.ts';
import type { ScannedFile } from '../scan-result.ts';
import { forgetOld } from './forget-old.ts';
import { writeWhole } from './write-whole.ts';

/** What runs have found out about the files of a project, and what that rests on. */
export interface Kept {
  readonly files: ReadonlyMap<string, KeptFile>;
  readonly surroundings: Surroundings;
  /** A digest of the configuration that holds for the files of a folder. */
  readonly configurations: ReadonlyMap<string, string>;
  /** The files that were found, by what was asked for. */
  readonly searches: ReadonlyMap<string, readonly string[]>;
}

export interface KeptFile {
  readonly state: FileState;
  /** Undefined for a file whose text alone said all. */
  readonly basis: Basis | undefined;
  /** The paths that answered in `basis`, which need not be made to know them. */
  readonly targets: readonly string[];
  /** Any file may come to say a name that `basis` asks about. */
  readonly asksAllFiles: boolean;
  /** Undefined for a file that others import, and nobody has scanned. */
  readonly result: KeptResult | undefined;
  /** What `result` was found in, beside the file itself. */
  readonly reads: FileReads;
}

export interface KeptResult extends ScannedFile {
  readonly isNamed: boolean;
}

export const noReads: FileReads = { files: [], refused: [], lacking: [], naming: [] };

/** Another format of the file is another number. */
const FORMAT = 9;
/** More is not kept. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Where the runs of one kind (a root, a profile) are kept: the next version of Deadtime overwrites the same file. */
export function keptPath(folder: string, kind: string): string {
  return join(folder, `${hash('sha256', kind, 'hex').slice(0, 16)}.json`);
}

/** Where the names in the texts of the same files are kept. */
export function namesPath(path: string): string {
  return path.replace(/\.json$/, '.names.json');
}

/** Undefined where there is none, where it is broken, and where another version of Deadtime has written it. */
export function keptAt(path: string, version: string): Kept | undefined {
  try {
    const bytes = readFileSync(path);
    const end = bytes.indexOf('\n');
    const body = bytes.subarray(end + 1);
    if (bytes.toString('utf8', 0, end) !== headOf(body, version)) return undefined;
    return fromPlain(JSON.parse(body.toString()) as Plain);
  } catch {
    return undefined;
  }
}

/** Whole or not at all, whoever else reads or writes it. Throws where it cannot be written. */
export function keep(path: string, version: string, kept: Kept): void {
  const body = JSON.stringify(toPlain(kept));
  if (body.length > MOST_BYTES) return;
  writeWhole(path, `${headOf(body, version)}\n${body}`);
  forgetOld(dirname(path), (name) => /^[\da-f]{16}(?:\.names)?\.json(?:\.\d+)?$/.test(name));
}

/** Tells a broken file from a whole one. */
function headOf(body: string | Buffer, version: string): string {
  return `deadtime ${FORMAT} ${version} ${hash('sha256', body, 'base64')}`;
}

type PlainFile = readonly [
  path: string,
  signature: string,
  hash: string,
  basis: PlainBasis | 0,
  result: KeptResult | 0,
  /** The places in `files` of those that were read, names, and both for what a text was seen to lack. */
  reads: readonly (number | string | readonly [number, ...string[]])[],
  naming: readonly NameKey[],
];
type PlainBasis = readonly [
  /** The places in `files` of the paths that answered; -1 for none. */
  asked: readonly (readonly [string, number])[],
  versions: readonly (readonly [string, string | null])[],
  root: string | null,
  deployment: string | null,
  isReadable: boolean | null,
  naming: readonly (readonly [NameKey, readonly number[] | null])[],
  runsInBrowsers: boolean | null,
];

interface Plain {
  readonly files: readonly PlainFile[];
  readonly lists: readonly PlainState[];
  readonly documents: readonly PlainState[];
  readonly presence: readonly (readonly [string, boolean])[];
  readonly links: readonly (readonly [string, string])[];
  readonly programs: readonly (readonly [string, string])[];
  readonly configurations: readonly (readonly [string, string])[];
  readonly searches: readonly (readonly [string, readonly number[]])[];
}

type PlainState = readonly [path: string, signature: string, hash: string];

function toPlain({ files, surroundings, configurations, searches }: Kept): Plain {
  const places = new Map(Array.from(files.keys(), (path, i) => [path, i]));
  const plainBasis = (basis: Basis): PlainBasis => [
    Array.from(basis.asked, ([specifier, path]) => [
      specifier,
      path === undefined ? -1 : places.get(path)!,
    ]),
    Array.from(basis.versions, ([name, version]) => [name, version ?? null]),
    basis.root ?? null,
    basis.deployment ?? null,
    basis.isReadable ?? null,
    Array.from(basis.naming, ([name, paths]) => [
      name,
      paths?.map((it) => places.get(it)!) ?? null,
    ]),
    basis.runsInBrowsers ?? null,
  ];
  const plainFile = (path: string, { state, basis, result, reads }: KeptFile): PlainFile => [
    path,
    state.signature,
    state.hash,
    basis ? plainBasis(basis) : 0,
    result ?? 0,
    [
      ...reads.files.map((it) => places.get(it)!),
      ...reads.refused,
      ...reads.lacking.map((it) => [places.get(it.path)!, ...it.names] as const),
    ],
    reads.naming,
  ];
  const rowKept = keptRows(places);
  const { lists, documents, presence, links, programs } = surroundings;
  return {
    files: Array.from(files, ([path, file]) => rowKept(file) ?? plainFile(path, file)),
    lists: plainStates(lists),
    documents: plainStates(documents),
    presence: [...presence],
    links: [...links],
    programs: [...programs],
    configurations: [...configurations],
    searches: Array.from(searches, ([asked, paths]) => [asked, paths.map((it) => places.get(it)!)]),
  };
}

/** The row of a file of which nothing is another than it was read, as long as all places are what they were. */
function keptRows(places: ReadonlyMap<string, number>): (file: KeptFile) => PlainFile | undefined {
  let checked: readonly PlainFile[] | undefined;
  let isSame = false;
  return (file) => {
    if (!(file instanceof PlainlyKept)) return undefined;
    if (file.rows !== checked) {
      checked = file.rows;
      isSame = checked.every(([path], i) => places.get(path) === i);
    }
    return isSame ? file.row : undefined;
  };
}

function plainStates(states: ReadonlyMap<string, FileState>): readonly PlainState[] {
  return Array.from(states, ([path, it]) => [path, it.signature, it.hash]);
}

function statesFrom(states: readonly PlainState[]): ReadonlyMap<string, FileState> {
  return new Map(states.map(([path, signature, hash]) => [path, { signature, hash }]));
}

function fromPlain(plain: Plain): Kept {
  const { files, presence, links, programs } = plain;
  return {
    files: new Map(files.map((it) => [it[0], new PlainlyKept(it, files)])),
    surroundings: {
      lists: statesFrom(plain.lists),
      documents: statesFrom(plain.documents),
      presence: new Map(presence),
      links: new Map(links),
      programs: new Map(programs),
    },
    configurations: new Map(plain.configurations),
    searches: new Map(
      plain.searches.map(([asked, places]) => [asked, places.map((it) => files[it]![0])]),
    ),
  };
}

/** Most is never asked for, and getters of a class cost nothing until then. */
class PlainlyKept implements KeptFile {
  readonly state: FileState;
  readonly result: KeptResult | undefined;
  readonly row: PlainFile;
  readonly rows: readonly PlainFile[];

  constructor(row: PlainFile, rows: readonly PlainFile[]) {
    const [, signature, hash, , result] = row;
    this.state = { signature, hash };
    this.result = result === 0 ? undefined : result;
    this.row = row;
    this.rows = rows;
  }

  get basis(): Basis | undefined {
    const [, , , basis] = this.row;
    if (basis === 0) return undefined;
    const [asked, versions, root, deployment, isReadable, naming, runsInBrowsers] = basis;
    return {
      asked: new Map(asked.map(([specifier, place]) => [specifier, this.rows[place]?.[0]])),
      naming: new Map(
        naming.map(([name, places]) => [name, places?.map((it) => this.rows[it]![0])]),
      ),
      versions: new Map(versions.map(([name, version]) => [name, version ?? undefined])),
      root: root ?? undefined,
      deployment: deployment ?? undefined,
      isReadable: isReadable ?? undefined,
      runsInBrowsers: runsInBrowsers ?? undefined,
    };
  }

  get targets(): readonly string[] {
    const [, , , basis] = this.row;
    if (basis === 0) return [];
    const [asked, , , , , naming] = basis;
    const found: string[] = [];
    for (const [, place] of asked) if (place >= 0) found.push(this.rows[place]![0]);
    for (const [, places] of naming) for (const it of places ?? []) found.push(this.rows[it]![0]);
    return found;
  }

  get asksAllFiles(): boolean {
    const [, , , basis] = this.row;
    return basis !== 0 && basis[5].length > 0;
  }

  get reads(): FileReads {
    const [, , , , , reads, naming] = this.row;
    if (reads.length + naming.length === 0) return noReads;
    const files: string[] = [];
    const refused: string[] = [];
    const lacking: Lacking[] = [];
    for (const it of reads) {
      if (typeof it === 'number') files.push(this.rows[it]![0]);
      else if (typeof it === 'string') refused.push(it);
      else lacking.push({ path: this.rows[it[0]]![0], names: it.slice(1) as string[] });
    }
    return { files, refused, lacking, naming };
  }
}
