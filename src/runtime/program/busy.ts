/** An interval that starts before the last so many gaps counts from there on. */
const MOST_GAPS = 64;

/** How long at least one of many intervals was open, which come in the order of their ends. */
export class Busy {
  #earlierMs = 0;
  /** What was before is summed up. */
  #fromMs = -Infinity;
  /** Disjoint, in their order. */
  readonly #open: [startMs: number, endMs: number][] = [];

  add(startMs: number, endMs: number): void {
    const first = Math.max(startMs, this.#fromMs);
    const open = this.#open;
    let last = open.at(-1);
    // Most entries overlap the one before, or follow it: neither costs memory but for a pause.
    if (!last || last[1] < first) open.push((last = [first, endMs]));
    last[1] = endMs;
    last[0] = Math.min(last[0], first);
    for (let before = open.at(-2); before && before[1] >= last[0]; before = open.at(-2)) {
      last[0] = Math.min(last[0], before[0]);
      open.splice(-2, 1);
    }
    if (open.length <= MOST_GAPS) return;
    const [start, end] = open.shift()!;
    this.#earlierMs += end - start;
    this.#fromMs = end;
  }

  get ms(): number {
    return this.#open.reduce((sum, [start, end]) => sum + end - start, this.#earlierMs);
  }
}
