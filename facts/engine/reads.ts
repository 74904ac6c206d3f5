/**
 * A thing in a file that an answer rests on, for files that are being edited (see facts/grounds.ts), by its number: with each
 * keystroke thousands are looked at whether they are gone, and numbers lie beside each other.
 */
export type Ground = number & { readonly isOf: 'a file' };

/** An answer that others rest on, and not on what it rests on. */
export interface Whole {
  /** It is no more what it was. */
  isGone: boolean;
  /** Finds out; false while nobody can tell, because it is being found out. */
  readonly refresh: () => boolean;
  /** For which edit that was found out last. */
  refreshedFor?: number;
  /** The number of the reads that have said it last. */
  saidBy?: number;
}

/**
 * What answers rest on beside the file that is asked, as plain strings, such as paths, and in a file that is being edited also on
 * what of it. An answer that was computed before brings along what it rests on, so that it does not matter who asked for it first.
 */
export interface Reads {
  /** That of no other. */
  readonly number: number;
  /** What is said as a plain string. */
  paths: Set<string> | undefined;
  /** Each is all of a file: most answers rest on many files, of which hardly one goes while somebody edits another. */
  files: Ground[];
  /** In both lists, some stand more than once. */
  grounds: Ground[];
  wholes: Whole[];
  /** What other answers rest on, which were given before all of that was known. */
  open: Set<Reads> | undefined;
  isOpen: boolean;
  /** How many files had gone when all of these were there. */
  filesStoodAt?: number;
  /** For which edit it was looked at last, and whether it still stood then. */
  checkedFor?: number | undefined;
  stood?: boolean | undefined;
}

/** A bit for each ground that there was: set once that is no more what it was when an answer was drawn from it. */
let gone = new Uint8Array(2 ** 13);
let grounds = 0;
let filesGone = 0;

/** One that is not gone; its number is given to no other. */
export function newGround(): Ground {
  const ground = grounds++;
  if (ground >>> 3 === gone.length) {
    const before = gone;
    gone = new Uint8Array(2 * before.length);
    gone.set(before);
  }
  return ground as Ground;
}

/** From now on it is gone. */
export function leave(ground: Ground): void {
  gone[ground >>> 3]! |= 1 << (ground & 7);
}

/** As above, of one that is all of a file. */
export function leaveFile(ground: Ground): void {
  leave(ground);
  filesGone++;
}

function isSomeGone(all: readonly Ground[]): boolean {
  for (let i = 0; i < all.length; i++) {
    const ground = all[i]!;
    // no veto: what outlasts an edit is compared with facts made anew in test/edited-facts.test.ts.
    if ((gone[ground >>> 3]! & (1 << (ground & 7))) !== 0) return true;
  }
  return false;
}

/** Whoever computes an answer, or a file as a whole. */
export interface Reader {
  reads: Reads | undefined;
  /** Nobody asks what it has read. */
  readonly isNobody?: boolean;
}

/** `reader` has used an answer that rests on `reads`. */
export function addReads(reader: Reader, reads: Reads | undefined): void {
  // no veto: spares the work.
  if (!reads || reader.isNobody) return;
  // no veto: spares the work.
  if (reader.reads === reads) return;
  // Most answers rest on what one other rests on.
  if (!reader.reads && isKnown(reads)) {
    reader.reads = reads;
    return;
  }
  const own = ownReads(reader);
  if (isKnown(reads)) addAll(own, reads);
  else (own.open ??= new Set()).add(reads);
}

/** Whether it is known by now all that an answer rests on. */
export function isKnown({ isOpen, open }: Reads): boolean {
  return !isOpen && !open;
}

/** `reader` has used something that is said as a plain string. */
export function addPath(reader: Reader, path: string): void {
  if (!reader.isNobody && !reader.reads?.paths?.has(path)) pathsOf(ownReads(reader)).add(path);
}

/** `reader` has used a thing in a file. */
export function addGround(reader: Reader, ground: Ground): void {
  if (!reader.isNobody) say(ownReads(reader), 'grounds', ground);
}

/** As above, of one that is all of a file. */
export function addFile(reader: Reader, ground: Ground): void {
  if (!reader.isNobody) say(ownReads(reader), 'files', ground);
}

/** `reader` has used an answer that is compared. */
export function addWhole(reader: Reader, whole: Whole): void {
  if (!reader.isNobody) sayWhole(ownReads(reader), whole);
}

/** As `addReads`, of what is in other files alone. */
export function addPaths(reader: Reader, reads: Reads | undefined): void {
  if (!reads) return;
  for (const it of reads.paths ?? []) addPath(reader, it);
  // What is not known yet may be any of it.
  if (reads.open) addReads(reader, reads);
}

function pathsOf(reads: Reads): Set<string> {
  return (reads.paths ??= new Set());
}

function addAll(to: Reads, from: Reads): void {
  if (from.paths) for (const it of from.paths) pathsOf(to).add(it);
  for (const it of from.files) say(to, 'files', it);
  for (const it of from.grounds) say(to, 'grounds', it);
  for (const it of from.wholes) sayWhole(to, it);
}

/**
 * Which reads have said a ground last, for as many as there is room for: most are said again at once, and to look for them in
 * a set takes longer. What has fallen out is said twice, which does no harm.
 */
const ROOM = 2 ** 13;
const lastSaid = new Int32Array(ROOM).fill(-1);
const lastSaidBy = new Int32Array(ROOM);

function say(reads: Reads, kind: 'files' | 'grounds', ground: Ground): void {
  const place = ground % ROOM;
  // no veto: spares the work.
  if (lastSaid[place] === ground && lastSaidBy[place] === reads.number) return;
  lastSaid[place] = ground;
  lastSaidBy[place] = reads.number;
  if (reads[kind] === NONE) reads[kind] = [ground];
  else reads[kind].push(ground);
}

function sayWhole(reads: Reads, whole: Whole): void {
  // no veto: spares the work.
  if (whole.saidBy === reads.number) return;
  whole.saidBy = reads.number;
  if (reads.wholes === NONE) reads.wholes = [whole];
  else reads.wholes.push(whole);
}

/** Nothing more is added. */
export function closeReads(reader: Reader): void {
  const { reads } = reader;
  if (!reads?.isOpen) return;
  reads.isOpen = false;
  if (reads.open) addOpen(reads);
  // Answers that were asked for meanwhile have said theirs in between.
  reads.grounds = withoutRepeats(reads.grounds);
  reads.files = withoutRepeats(reads.files);
  reads.wholes = withoutRepeats(reads.wholes);
}

/** Fewer take no room that is worth a set. */
const MANY = 64;

function withoutRepeats<T>(all: T[]): T[] {
  return all.length > MANY ? [...new Set(all)] : all;
}

/** What is known by now of answers that were given before all of theirs was known. */
function addOpen(reads: Reads): void {
  const found = new Set([reads]);
  for (const it of found) for (const other of it.open ?? []) found.add(other);
  found.delete(reads);
  for (const it of found) addAll(reads, it);
  const stillOpen = [...found].filter((it) => it.isOpen);
  reads.open = stillOpen.length > 0 ? new Set(stillOpen) : undefined;
}

let numbers = 0;
const NONE: never[] = [];

/** Those of its own, to which it adds: also what it reads after somebody has used its answer, which was not given yet. */
export function ownReads(reader: Reader): Reads {
  const { reads } = reader;
  if (reads?.isOpen) return reads;
  const own: Reads = {
    number: ++numbers,
    paths: reads?.paths && new Set(reads.paths),
    files: copied(reads?.files),
    grounds: copied(reads?.grounds),
    wholes: copied(reads?.wholes),
    open: reads?.open && new Set(reads.open),
    isOpen: true,
  };
  return (reader.reads = own);
}

function copied<T>(list: readonly T[] = NONE): T[] {
  return list.length === 0 ? NONE : list.slice();
}

/** Whether all that an answer rests on is as it was; `edit` counts the edits. */
export function isStanding(reads: Reads, edit: number): boolean {
  if (reads.checkedFor === edit) return reads.stood!;
  reads.checkedFor = edit;
  // Whoever asks meanwhile, to bring a whole up to date, asks anew.
  reads.stood = false;
  // First what takes no more than a look.
  if (reads.filesStoodAt !== filesGone) {
    // no veto: as below.
    if (isSomeGone(reads.files)) return false;
    if (!reads.isOpen) reads.filesStoodAt = filesGone;
  }
  // no veto: what outlasts an edit is compared with facts made anew in test/edited-facts.test.ts.
  if (isSomeGone(reads.grounds) || reads.wholes.some((it) => it.isGone)) return false;
  let isTold = true;
  for (const it of reads.wholes) {
    if (it.refreshedFor !== edit) {
      if (it.refresh()) it.refreshedFor = edit;
      else isTold = false;
    }
    // no veto: as above.
    if (it.isGone) return false;
  }
  // no veto: as above.
  if (reads.open && ![...reads.open].every((it) => isStanding(it, edit))) return false;
  if (isTold) reads.stood = true;
  else reads.checkedFor = undefined;
  return isTold;
}
