import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { appendOwn, readOwn, removeOld } from '../../system/own-files.ts';

/** The findings that a session has already got, so that one finding does not stop an agent twice. */
export interface Said {
  has(fingerprint: string): boolean;
  add(fingerprints: readonly string[]): void;
}

/** One file per session below `folder`, with one fingerprint per line: two concurrent hooks only append. */
export function saidIn(folder: string, session: string): Said {
  const name = createHash('sha256').update(session).digest('hex').slice(0, 16);
  const path = join(folder, name);
  const known = new Set(linesOf(path));
  return {
    has: (fingerprint) => known.has(fingerprint),
    add(fingerprints) {
      // A new session: sessions without an entry for a week have ended.
      if (known.size === 0) removeOld(folder);
      appendOwn(path, fingerprints.map((it) => `${it}\n`).join(''));
    },
  };
}

function linesOf(path: string): readonly string[] {
  try {
    return readOwn(path)?.toString().split('\n') ?? [];
  } catch {
    return [];
  }
}
