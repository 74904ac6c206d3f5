import type { AwaitSample } from '../../analysis/coverage/await-coverage.ts';
import type { Basis, FileRead, FileReads } from '../../project/basis.ts';
import { type FileState, type StateColumns, StateTable } from '../../project/file-state.ts';
import type { NameKey } from '../../project/text-names.ts';
import type { Kept, KeptFile, KeptResult } from './kept.ts';

/**
 * What every run asks for: read at the start. In columns, which are read faster than as many small arrays and objects.
 */
export interface Front {
  readonly files: StateColumns;
  /** The places in `files` of those to which each leads; 0 where it asks all files. */
  readonly targets: readonly (readonly number[] | 0)[];
  readonly results: readonly PlainResult[];
  readonly lists: StateColumns;
  readonly documents: StateColumns;
  readonly presence: readonly (readonly [string, boolean])[];
  readonly links: readonly (readonly [string, string])[];
  readonly programs: readonly (readonly [string, string])[];
  /** The places in `files` of those that were found. */
  readonly searches: readonly (readonly [string, readonly number[]])[];
}

/** The data for a run that finds a change. */
export interface Back {
  readonly configurations: readonly (readonly [string, string])[];
  readonly files: readonly PlainFile[];
}

type PlainFile = readonly [
  basis: PlainBasis | 0,
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

/** 0 for none. Most files have no findings: one number holds the whole result of those. */
type PlainResult = KeptResult | number;

export function toPlain(kept: Kept): { readonly front: Front; readonly back: Back } {
  const { files, surroundings, configurations, searches } = kept;
  const places = new Map(Array.from(files.keys(), (path, i) => [path, i]));
  const placesOf = (paths: readonly string[]) => paths.map((it) => places.get(it)!);
  const plainBasis = (basis: Basis): PlainBasis => [
    Array.from(basis.asked, ([specifier, path]) => [
      specifier,
      path === undefined ? -1 : places.get(path)!,
    ]),
    Array.from(basis.versions, ([name, version]) => [name, version ?? null]),
    basis.root ?? null,
    basis.deployment ?? null,
    basis.isReadable ?? null,
    Array.from(basis.naming, ([name, paths]) => [name, paths ? placesOf(paths) : null]),
    basis.runsInBrowsers ?? null,
  ];
  const plainFile = ({ basis, reads }: KeptFile): PlainFile => [
    basis ? plainBasis(basis) : 0,
    reads.flatMap((it): PlainFile[1] => {
      if (it.kind === 'naming') return [];
      if (it.kind === 'refused') return [it.name];
      const place = places.get(it.path)!;
      return [it.kind === 'file' ? place : [place, ...it.names]];
    }),
    reads.flatMap((it) => (it.kind === 'naming' ? (it.key as NameKey) : [])),
  ];
  const rowKept = keptRows(places);
  const all = [...files.values()];
  const { lists, documents, presence, links, programs } = surroundings;
  return {
    front: {
      files: StateTable.of(Array.from(files, ([path, it]) => [path, it.state])).columns,
      targets: all.map((it) => (it.asksAllFiles ? 0 : placesOf(it.targets))),
      results: all.map((it) => plainResult(it.result)),
      lists: lists.columns,
      documents: documents.columns,
      presence: [...presence],
      links: [...links],
      programs: [...programs],
      searches: Array.from(searches, ([asked, paths]) => [asked, placesOf(paths)]),
    },
    back: {
      configurations: [...configurations],
      files: all.map((it) => rowKept(it) ?? plainFile(it)),
    },
  };
}

/** `back` is asked at most once, when something of it is needed. */
export function keptFrom(front: Front, back: () => Back): Kept {
  const { paths } = front.files;
  let read: Back | undefined;
  let configurations: ReadonlyMap<string, string> | undefined;
  const states = new StateTable(front.files);
  const plain: PlainFiles = { front, states, back: () => (read ??= back()) };
  const files = new Map<string, KeptFile>();
  for (const [place, path] of paths.entries()) files.set(path, new PlainlyKept(plain, place));
  return {
    files,
    surroundings: {
      lists: new StateTable(front.lists),
      documents: new StateTable(front.documents),
      presence: new Map(front.presence),
      links: new Map(front.links),
      programs: new Map(front.programs),
    },
    get configurations() {
      return (configurations ??= new Map(plain.back().configurations));
    },
    searches: new Map(
      front.searches.map(([asked, places]) => [asked, places.map((it) => paths[it]!)]),
    ),
  };
}

const NAMED = 1;
const PARSED = 2;
/** The flags describe all of the rest. */
const ASKED = 4;
/** A file has fewer awaits in the sample than this, or its result is written out. */
const MOST_ASKED = 64;
const HIDDEN = ASKED * MOST_ASKED;
const LINE = HIDDEN * MOST_ASKED;

function plainResult(result: KeptResult | undefined): PlainResult {
  if (!result) return 0;
  const { problems, notices, isNamed, isParsed, lines, awaits, probes } = result;
  const { asked, hidden, packages }: AwaitSample = awaits ?? { asked: 0, hidden: 0 };
  const isPlain =
    problems.length + notices.length === 0 && !packages && !probes && asked < MOST_ASKED;
  if (!isPlain) return result;
  // One more, since no result is 0.
  return (
    (isNamed ? NAMED : 0) +
    (isParsed ? PARSED : 0) +
    ASKED * asked +
    HIDDEN * hidden +
    LINE * (lines + 1)
  );
}

const NOTHING: readonly never[] = [];

function resultFrom(plain: PlainResult): KeptResult | undefined {
  if (plain === 0) return undefined;
  if (typeof plain !== 'number') return plain;
  // Numbers of this size have no bits to ask for.
  const flags = plain % ASKED;
  const asked = Math.floor(plain / ASKED) % MOST_ASKED;
  const hidden = Math.floor(plain / HIDDEN) % MOST_ASKED;
  return {
    problems: NOTHING,
    notices: NOTHING,
    isNamed: (flags & NAMED) !== 0,
    isParsed: (flags & PARSED) !== 0,
    lines: Math.floor(plain / LINE) - 1,
    ...(asked > 0 && { awaits: { asked, hidden } }),
  };
}

interface PlainFiles {
  readonly front: Front;
  readonly states: StateTable;
  readonly back: () => Back;
}

/** The row of a file in which nothing has changed since it was read, as long as all places are the same. */
function keptRows(places: ReadonlyMap<string, number>): (file: KeptFile) => PlainFile | undefined {
  let checked: PlainFiles | undefined;
  let isSame = false;
  return (file) => {
    if (!(file instanceof PlainlyKept)) return undefined;
    if (file.all !== checked) {
      checked = file.all;
      isSame = checked.front.files.paths.every((path, i) => places.get(path) === i);
    }
    return isSame ? file.row : undefined;
  };
}

/** Most is never asked for, and getters of a class cost nothing until then. */
class PlainlyKept implements KeptFile {
  readonly all: PlainFiles;
  readonly place: number;

  constructor(all: PlainFiles, place: number) {
    this.all = all;
    this.place = place;
  }

  get state(): FileState {
    return this.all.states.at(this.place);
  }

  get row(): PlainFile {
    return this.all.back().files[this.place]!;
  }

  get result(): KeptResult | undefined {
    return resultFrom(this.all.front.results[this.place]!);
  }

  get basis(): Basis | undefined {
    const [basis] = this.row;
    if (basis === 0) return undefined;
    const [asked, versions, root, deployment, isReadable, naming, runsInBrowsers] = basis;
    return {
      asked: new Map(asked.map(([specifier, place]) => [specifier, this.pathAt(place)])),
      naming: new Map(
        naming.map(([name, places]) => [name, places?.map((it) => this.pathAt(it)!)]),
      ),
      versions: new Map(versions.map(([name, version]) => [name, version ?? undefined])),
      root: root ?? undefined,
      deployment: deployment ?? undefined,
      isReadable: isReadable ?? undefined,
      runsInBrowsers: runsInBrowsers ?? undefined,
    };
  }

  get targets(): readonly string[] {
    const targets = this.all.front.targets[this.place]!;
    if (targets !== 0) return targets.map((it) => this.pathAt(it)!);
    const [basis] = this.row;
    if (basis === 0) return [];
    const [asked, , , , , naming] = basis;
    const found: string[] = [];
    for (const [, place] of asked) if (place >= 0) found.push(this.pathAt(place)!);
    for (const [, places] of naming) for (const it of places ?? []) found.push(this.pathAt(it)!);
    return found;
  }

  get asksAllFiles(): boolean {
    return this.all.front.targets[this.place] === 0;
  }

  get reads(): FileReads {
    const [, reads, naming] = this.row;
    return [
      ...reads.map((it): FileRead => {
        if (typeof it === 'number') return { kind: 'file', path: this.pathAt(it)! };
        if (typeof it === 'string') return { kind: 'refused', name: it };
        return { kind: 'lacking', path: this.pathAt(it[0])!, names: it.slice(1) as string[] };
      }),
      ...naming.map((key) => ({ kind: 'naming', key }) as const),
    ];
  }

  /** Undefined for -1. */
  private pathAt(place: number): string | undefined {
    return this.all.front.files.paths[place];
  }
}
