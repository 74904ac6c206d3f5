import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file for other processes of the same user, whole or not at all, whoever else reads or writes it. What is kept quotes
 * code, which is nobody else's business. Throws where it cannot be written, and leaves nothing then.
 */
export function writeWhole(path: string, data: Buffer | string): void {
  const next = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    // A process of the same number may have left one, or a link.
    rmSync(next, { force: true });
    writeFileSync(next, data, { mode: 0o600, flag: 'wx' });
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}
