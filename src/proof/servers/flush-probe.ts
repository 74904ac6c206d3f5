import { closeSync, fdatasyncSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createOwn, removeOwn } from '../../system/own-files.ts';

/** A page of a database's log. */
const PAGE_BYTES = 8_192;
const LEAST_FLUSHES = 20;
const PROBE_MS = 150;

/**
 * What it takes to write a page into a file and have it on the disk of `folder`, in milliseconds, one number for each of many
 * flushes: the floor of a commit. Of file systems in memory it is the time of a system call.
 */
export function flushTimes(folder: string): readonly number[] {
  const file = join(folder, `flush-probe-${process.pid}`);
  const descriptor = createOwn(file);
  try {
    const page = Buffer.alloc(PAGE_BYTES, 'x');
    const times: number[] = [];
    const start = performance.now();
    // A log is written over again: only the first pass makes the file longer.
    for (let i = 0; i < LEAST_FLUSHES; i++) flush(descriptor, page, i);
    while (times.length < LEAST_FLUSHES || performance.now() - start < PROBE_MS) {
      const before = performance.now();
      flush(descriptor, page, times.length % LEAST_FLUSHES);
      times.push(performance.now() - before);
    }
    return times;
  } finally {
    closeSync(descriptor);
    removeOwn(file);
  }
}

function flush(descriptor: number, page: Buffer, index: number): void {
  writeSync(descriptor, page, 0, PAGE_BYTES, index * PAGE_BYTES);
  fdatasyncSync(descriptor);
}
