/** A thing in a file that an answer rests on, for files that are being edited: see facts/grounds.ts. */
export interface Ground {
  /** No more what it was when an answer was drawn from it. */
  isGone: boolean;
  /** It is all of a file. */
  readonly isFile?: boolean;
  /** Finds out, where that takes more than to look; false while nobody can tell, because it is being found out. */
  readonly refresh?: () => boolean;
  /** For which edit that was found out last. */
  refreshedFor?: number;
}

/**
 * What answers rest on beside the file that is asked, as plain strings, such as paths, and in a file that is being edited also on
 * what of it. An answer that was computed before brings along what it rests on, so that it does not matter who asked for it first.
 */
export interface Reads {
  readonly said: Set<string | Ground>;
  /** What other answers rest on, which were given before all of that was known. */
  readonly open: Set<Reads>;
  isOpen: boolean;
  /** Those of `said` that may be gone, once nothing is added any more. */
  grounds?: Grounded;
  /** How many files had gone when all of these were there. */
  filesStoodAt?: number;
  /** For which edit it was looked at last, and whether it still stood then. */
  checkedFor?: number | undefined;
  stood?: boolean | undefined;
}

/** What may be gone: most answers rest on many files, of which hardly one goes while somebody edits another. */
interface Grounded {
  readonly paths: readonly string[];
  readonly files: readonly Ground[];
  readonly others: readonly Ground[];
  /** Those of the others that take more than a look. */
  readonly wholes: readonly Ground[];
}

let filesGone = 0;

export function newFileGround(): Ground {
  return { isGone: false, isFile: true };
}

export function leaveFile(ground: Ground): void {
  ground.isGone = true;
  filesGone++;
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
  if (!reader.reads && !reads.isOpen && reads.open.size === 0) {
    reader.reads = reads;
    return;
  }
  const own = ownReads(reader);
  if (reads.isOpen || reads.open.size > 0) own.open.add(reads);
  else for (const it of reads.said) own.said.add(it);
}

export function addRead(reader: Reader, said: string | Ground): void {
  if (!reader.isNobody && !reader.reads?.said.has(said)) ownReads(reader).said.add(said);
}

/** As above, of what is in other files alone. */
export function addPaths(reader: Reader, reads: Reads | undefined): void {
  if (!reads) return;
  for (const it of groundsIn(reads).paths) addRead(reader, it);
  // What is not known yet may be any of it.
  if (reads.open.size > 0) addReads(reader, reads);
}

/** Nothing more is added: with what is known by now of the others. */
export function closeReads(reader: Reader): void {
  const { reads } = reader;
  if (!reads?.isOpen) return;
  reads.isOpen = false;
  // no veto: spares the look.
  if (reads.open.size === 0) return;
  const found = new Set([reads]);
  for (const it of found) for (const other of it.open) found.add(other);
  for (const it of found) if (it !== reads) for (const said of it.said) reads.said.add(said);
  for (const it of [...reads.open]) if (it !== reads) reads.open.delete(it);
  for (const it of found) if (it.isOpen) reads.open.add(it);
  reads.open.delete(reads);
}

/** Those of its own, to which it adds: also what it reads after somebody has used its answer, which was not given yet. */
export function ownReads(reader: Reader): Reads {
  const { reads } = reader;
  if (reads?.isOpen) return reads;
  return (reader.reads = { said: new Set(reads?.said), open: new Set(reads?.open), isOpen: true });
}

/** Whether all that an answer rests on is as it was; `edit` counts the edits. */
export function isStanding(reads: Reads, edit: number): boolean {
  if (reads.checkedFor === edit) return reads.stood!;
  reads.checkedFor = edit;
  // Whoever asks meanwhile, to bring a ground up to date, asks anew.
  reads.stood = false;
  const { files, wholes, others } = groundsIn(reads);
  // First what takes no more than a look.
  if (reads.filesStoodAt !== filesGone) {
    // no veto: as below.
    if (files.some((it) => it.isGone)) return false;
    if (!reads.isOpen) reads.filesStoodAt = filesGone;
  }
  for (const it of others) {
    // no veto: what outlasts an edit is compared with facts made anew in test/edited-facts.test.ts.
    if (it.isGone) return false;
  }
  let isTold = true;
  let stands = true;
  for (const it of wholes) {
    if (it.refreshedFor !== edit) {
      if (it.refresh!()) it.refreshedFor = edit;
      else isTold = false;
    }
    stands &&= !it.isGone;
  }
  for (const it of stands ? reads.open : []) stands &&= isStanding(it, edit);
  reads.stood = stands && isTold;
  if (stands && !isTold) reads.checkedFor = undefined;
  return reads.stood;
}

function groundsIn(reads: Reads): Grounded {
  if (reads.grounds) return reads.grounds;
  const paths: string[] = [];
  const files: Ground[] = [];
  const others: Ground[] = [];
  for (const it of reads.said) {
    if (typeof it === 'string') paths.push(it);
    else (it.isFile ? files : others).push(it);
  }
  const grounds = { paths, files, others, wholes: others.filter((it) => it.refresh) };
  // no veto: spares the work.
  if (!reads.isOpen) reads.grounds = grounds;
  return grounds;
}
