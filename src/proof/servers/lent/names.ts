import { createHash, randomBytes } from 'node:crypto';

/** What all names begin with that a proof makes in a database of the user's. */
const PREFIX = 'deadtime_proof_';

const pattern = /^deadtime_proof_\d{8}t\d{6}_[0-9a-f]{12}$/;

/** A name that no other run has, with the time in UTC at which it was made: "deadtime_proof_20261121t120000_9f86d081884c". */
export function newName(now = new Date()): string {
  const time = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase();
  return `${PREFIX}${time}_${randomBytes(6).toString('hex')}`;
}

/** The comment on what has that name. Later versions look for it: without it, nothing is dropped. */
export function markOf(name: string): string {
  return `Scratch of a deadtime proof, ${name}: dropped when the proof ends, or when the next one starts`;
}

export function isOurs(name: string, comment: string): boolean {
  return pattern.test(name) && comment === markOf(name);
}

/** A number for the lock that the run of that name holds while it lives; 31 bits, because PostgreSQL shows it without its sign. */
export function lockKey(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) >>> 1;
}
