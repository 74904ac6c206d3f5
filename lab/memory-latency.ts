/** 16 MiB, of which the same 60,000 lines of 64 bytes are read each time: more than a core's own caches hold. */
const PLACES = 2 ** 22;
const READS = 60_000;
const SAMPLES = 100;

/**
 * What a read of memory takes just now that this program has read some milliseconds before, in nanoseconds. On shared machines of
 * two cores it was some 20 at one time and 130 to 180 at another, with nothing else running there, and analyses took up to three
 * times as long then; why, a program cannot see from inside.
 */
export interface MemoryLatency {
  readonly median: number;
  readonly p95: number;
}

export function memoryLatency(): MemoryLatency {
  const next = oneCycle();
  const samples = Array.from({ length: SAMPLES }, () => {
    let place = 0;
    const start = performance.now();
    for (let i = 0; i < READS; i++) place = next[place]!;
    return ((performance.now() - start) * 1e6) / READS;
  }).sort((a, b) => a - b);
  const at = (share: number) => samples[Math.floor(SAMPLES * share)]!;
  return { median: at(0.5), p95: at(0.95) };
}

/** For a table: it shows whether other work kept the machine busy, which its own load does not show. */
export function latencySentence(before: MemoryLatency, after: MemoryLatency): string {
  const text = ({ median, p95 }: MemoryLatency) =>
    `${median.toFixed(0)} ns (p95 ${p95.toFixed(0)})`;
  return `A read of memory that was read before took ${text(before)} before and ${text(after)} after it.`;
}

/** Sattolo's shuffle: each place leads to another, and back to the first only after all of them. */
function oneCycle(): Int32Array {
  const next = Int32Array.from({ length: PLACES }, (_, i) => i);
  for (let i = PLACES - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * i);
    [next[i], next[j]] = [next[j]!, next[i]!];
  }
  return next;
}
