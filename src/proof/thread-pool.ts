import { LIBUV } from '../../rules/origins.ts';
import { pbkdf2, scrypt, type ScryptOptions } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

/** libuv's threads by default, without UV_THREADPOOL_SIZE. */
export const THREADS = { kind: 'default', verified: LIBUV } as const;

const derive = promisify(pbkdf2);
const compress = promisify<Buffer, Buffer>(deflate);

/** Work for libuv's threads; the first three take milliseconds of CPU each. */
export const threadJobs = {
  pbkdf2: () => derive('password', 'salt', 6_000, 32, 'sha256'),
  scrypt: () => scryptKey({ N: 2_048 }),
  zlib: () => compress(text),
  fs: () => readFile(process.execPath),
  dns: () => lookup('localhost'),
} satisfies Readonly<Record<string, () => Promise<unknown>>>;

/** With the cost that Node.js has by default, or a different one. */
export function scryptKey(options: ScryptOptions = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt('password', 'salt', 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** Neither all the same nor beyond compression. */
export function compressibleText(bytes: number): Buffer {
  const words = Array.from({ length: bytes / 10 }, (_, i) =>
    `${(i * 7_919) % 10_007}-`.padStart(10),
  );
  return Buffer.from(words.join(''));
}

const text = compressibleText(100_000);
