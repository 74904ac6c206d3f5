/** As many tasks of libuv's pool run at the same time; 4 is its default. */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE']) || 4;

/** Waits that came one at a time. */
export interface Waits {
  readonly longestMs: number;
  /** The sum of those that are work of the thread pool. */
  readonly threadMs: number;
}

/** How long they take at the same time, at best: estimated from the longest, and from what the threads do together. */
export function togetherMsOf({ longestMs, threadMs }: Waits, threads = THREADS): number {
  return Math.max(longestMs, threadMs / threads);
}
