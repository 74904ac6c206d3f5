import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { appendOwn, readOwn, removeOld } from '../../system/own-files.ts';

/** What has been said in a session, so that an agent is not stopped twice by the same finding. */
export interface Said {
  has(fingerprint: string): boolean;
  add(fingerprints: readonly string[]): void;
}

/** One file a session below `folder`, with a fingerprint a line: two hooks at once only append. */
export function saidIn(folder: string, session: string): Said {
  const name = createHash('sha256').update(session).digest('hex').slice(0, 16);
  const path = join(folder, name);
  const known = new Set(linesOf(path));
  return {
    has: (fingerprint) => known.has(fingerprint),
    add(fingerprints) {
      // A new session: those that nothing was said in for a week have ended.
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
