import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Memory } from '../../scan/review/former-findings.ts';
import { keep, kept } from '../kept.ts';

/** One file a name below `folder`; another build of ours remembers nothing of this one. */
export function memoryIn(folder: string, build: string): Memory {
  const pathOf = (name: string) =>
    join(folder, createHash('sha256').update(`${build}\0${name}`).digest('hex').slice(0, 16));
  return {
    read: (name) => kept(pathOf(name))?.toString(),
    keep: (name, text) => keep(pathOf(name), Buffer.from(text)),
  };
}
