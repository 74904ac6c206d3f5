import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/** A file that is not read, though it may be; `why` follows its path in a sentence. */
export class UnfitFile extends Error {
  readonly why: string;
  constructor(path: string, why: string) {
    super(`${path} ${why}`);
    this.why = why;
  }
}

/** Of what is read of a project; of source files 5,000,000 characters are, which may have four bytes each. */
const MOST_BYTES = 20_000_000;

/**
 * The bytes. Throws where there is no regular file: a pipe without a writer is never read to its end, and neither is a device or one of
 * the kernel's tables, to which a link of the project may lead.
 */
export function regularFile(path: string): Buffer {
  return readFrom(path, (file) => readFileSync(file));
}

/** The same as a text, which V8 then makes without a copy of the bytes. */
export function regularText(path: string): string {
  return readFrom(path, (file) => readFileSync(file, 'utf8'));
}

function readFrom<T>(path: string, read: (file: number) => T): T {
  // Opening a pipe waits as well.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new UnfitFile(path, 'is no regular file');
    if (stat.size > MOST_BYTES) throw new UnfitFile(path, 'is larger than 20 MB');
    const hasHiddenBytes = stat.size === 0 && readSync(file, Buffer.alloc(1)) > 0;
    if (hasHiddenBytes) throw new UnfitFile(path, 'does not report its size');
    return read(file);
  } finally {
    closeSync(file);
  }
}
