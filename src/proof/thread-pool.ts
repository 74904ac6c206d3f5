import { LIBUV } from '../../rules/origins.ts';
import { pbkdf2, scrypt } from 'node:crypto';
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
  scrypt: () => scryptKey(),
  zlib: () => compress(text),
  fs: () => readFile(process.execPath),
  dns: () => lookup('localhost'),
} satisfies Readonly<Record<string, () => Promise<unknown>>>;

function scryptKey(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt('password', 'salt', 32, { N: 2_048 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** 100 kB that are neither all the same nor beyond compression. */
const text = Buffer.from(
  Array.from({ length: 10_000 }, (_, i) => `${(i * 7_919) % 10_007}-`.padStart(10)).join(''),
);
