/**
 * What answers rest on beside the file that is asked: as plain strings, such as paths. An answer that was computed before brings
 * along what it rests on, so that it does not matter who asked for it first.
 */
export interface Reads {
  readonly said: Set<string>;
  /** What other answers rest on, which were given before all of that was known. */
  readonly open: Set<Reads>;
  isOpen: boolean;
}

/** Whoever computes an answer, or a file as a whole. */
export interface Reader {
  reads: Reads | undefined;
}

/** `reader` has used an answer that rests on `reads`. */
export function addReads(reader: Reader, reads: Reads | undefined): void {
  if (!reads) return;
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

export function addRead(reader: Reader, said: string): void {
  if (!reader.reads?.said.has(said)) ownReads(reader).said.add(said);
}

/** Nothing more is added: with what is known by now of the others. */
export function closeReads(reader: Reader): void {
  const { reads } = reader;
  if (!reads?.isOpen) return;
  reads.isOpen = false;
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
