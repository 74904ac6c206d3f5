/** Memory that a thread shares with its watcher: the thread need not read or write messages for that. */
export interface Progress {
  /** The thread is at something else from now on: the path of a file or a folder, or '' for what has no name. */
  begin(what: string): void;
  /** How often progress was reported, and the last report. */
  now(): { readonly count: number; readonly what: string };
}

/** Longer than the paths that Linux opens. */
const MOST_BYTES = 4_096;

export function progressMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(8 + MOST_BYTES);
}

export function progressIn(memory: SharedArrayBuffer): Progress {
  const [count, length] = [0, 1];
  const numbers = new Int32Array(memory, 0, 2);
  const bytes = new Uint8Array(memory, 8);
  const encoder = new TextEncoder();
  return {
    begin(what) {
      Atomics.store(numbers, length, encoder.encodeInto(what, bytes).written);
      Atomics.add(numbers, count, 1);
    },
    now: () => ({
      count: Atomics.load(numbers, count),
      // A read during a write happens only while the thread is running, and then its value is not needed.
      what: Buffer.from(bytes.slice(0, Atomics.load(numbers, length))).toString(),
    }),
  };
}
