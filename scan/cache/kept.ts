import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Basis } from '../../project/modules.ts';
import type { FileState, Surroundings } from '../../project/observer.ts';
import type { ScannedFile } from '../scan-result.ts';
import { forgetOld } from './forget-old.ts';

/** What runs have found out about the files of a project, and what that rests on. */
export interface Kept {
  readonly files: ReadonlyMap<string, KeptFile>;
  readonly surroundings: Surroundings;
  /** A digest of the configuration that holds for the files of a folder. */
  readonly configurations: ReadonlyMap<string, string>;
}

export interface KeptFile {
  readonly state: FileState;
  /** Undefined for a file whose text alone said all. */
  readonly basis: Basis | undefined;
  /** Undefined for a file that others import, and nobody has scanned. */
  readonly result: KeptResult | undefined;
}

export interface KeptResult extends ScannedFile {
  readonly isNamed: boolean;
}

export const nothingKept: Kept = {
  files: new Map(),
  surroundings: { lists: new Map(), documents: new Map(), presence: new Map(), links: new Map() },
  configurations: new Map(),
};

/** Another format of the file is another number. */
const FORMAT = 1;
/** Some 500,000 files; more is not kept. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Where the runs of one kind (a root, a profile) are kept: the next version of Deadtime overwrites the same file. */
export function keptPath(folder: string, kind: string): string {
  return join(folder, `${hash('sha256', kind, 'hex').slice(0, 16)}.json`);
}

/** Undefined where there is none, where it is broken, and where another version of Deadtime has written it. */
export function keptAt(path: string, version: string): Kept | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (text.slice(0, end) !== headOf(body, version)) return undefined;
    return fromPlain(JSON.parse(body) as Plain);
  } catch {
    return undefined;
  }
}

/** Whole or not at all, whoever else reads or writes it. Throws where it cannot be written. */
export function keep(path: string, version: string, kept: Kept): void {
  const body = JSON.stringify(toPlain(kept));
  if (body.length > MOST_BYTES) return;
  const next = `${path}.${process.pid}`;
  // What is found quotes code, which is nobody else's business.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    rmSync(next, { force: true });
    writeFileSync(next, `${headOf(body, version)}\n${body}`, { mode: 0o600, flag: 'wx' });
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
  forgetOld(dirname(path), (name) => /^[\da-f]{16}\.json(?:\.\d+)?$/.test(name));
}

/** It was of use: `forgetOld` leaves it. */
export function markUsed(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Then it is made again once it is a week old.
  }
}

/** Tells a broken file from a whole one. */
function headOf(body: string, version: string): string {
  return `deadtime ${FORMAT} ${version} ${hash('sha256', body, 'base64')}`;
}

type PlainFile = readonly [
  path: string,
  signature: string,
  hash: string,
  basis: PlainBasis | 0,
  result: KeptResult | 0,
];
type PlainBasis = readonly [
  /** The places in `files` of the paths that answered; -1 for none. */
  asked: readonly (readonly [string, number])[],
  versions: readonly (readonly [string, string | null])[],
  deployment: string | null,
  isReadable: boolean | null,
];

interface Plain {
  readonly files: readonly PlainFile[];
  readonly lists: readonly (readonly [string, string])[];
  readonly documents: readonly (readonly [string, string, string])[];
  readonly presence: readonly (readonly [string, boolean])[];
  readonly links: readonly (readonly [string, string])[];
  readonly configurations: readonly (readonly [string, string])[];
}

function toPlain({ files, surroundings, configurations }: Kept): Plain {
  const places = new Map(Array.from(files.keys(), (path, i) => [path, i]));
  const plainBasis = ({ asked, versions, deployment, isReadable }: Basis): PlainBasis => [
    Array.from(asked, ([specifier, path]) => [
      specifier,
      path === undefined ? -1 : places.get(path)!,
    ]),
    Array.from(versions, ([name, version]) => [name, version ?? null]),
    deployment ?? null,
    isReadable ?? null,
  ];
  const { lists, documents, presence, links } = surroundings;
  return {
    files: Array.from(files, ([path, { state, basis, result }]) => [
      path,
      state.signature,
      state.hash,
      basis ? plainBasis(basis) : 0,
      result ?? 0,
    ]),
    lists: [...lists],
    documents: Array.from(documents, ([path, it]) => [path, it.signature, it.hash]),
    presence: [...presence],
    links: [...links],
    configurations: [...configurations],
  };
}

function fromPlain({ files, lists, documents, presence, links, configurations }: Plain): Kept {
  const basisFrom = ([asked, versions, deployment, isReadable]: PlainBasis): Basis => ({
    asked: new Map(asked.map(([specifier, place]) => [specifier, files[place]?.[0]])),
    versions: new Map(versions.map(([name, version]) => [name, version ?? undefined])),
    deployment: deployment ?? undefined,
    isReadable: isReadable ?? undefined,
  });
  return {
    files: new Map(
      files.map(([path, signature, hash, basis, result]) => [
        path,
        {
          state: { signature, hash },
          basis: basis === 0 ? undefined : basisFrom(basis),
          result: result === 0 ? undefined : result,
        },
      ]),
    ),
    surroundings: {
      lists: new Map(lists),
      documents: new Map(documents.map(([path, signature, hash]) => [path, { signature, hash }])),
      presence: new Map(presence),
      links: new Map(links),
    },
    configurations: new Map(configurations),
  };
}
