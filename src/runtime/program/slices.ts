import type { Slice } from '../recording.ts';

/** As many are enough to estimate a variance, and few enough that most of a drift is between two of them. */
const MOST_SLICES = 20;

/** The entries of a kind in the order of their ends, in slices of the same number of entries: in a fixed amount of memory. */
export class Slices {
  #size = 1;
  #slices: Mutable<Slice>[] = [];

  /** Of one entry, or of as many as it represents. */
  add({ count, totalMs, deadMs }: Slice): void {
    let last = this.#slices.at(-1);
    if (!last || last.count >= this.#size) {
      if (this.#slices.length >= MOST_SLICES) this.#halve();
      this.#slices.push((last = { count: 0, totalMs: 0, deadMs: 0 }));
    }
    last.count += count;
    last.totalMs += totalMs;
    last.deadMs += deadMs;
  }

  plain(): readonly Slice[] {
    return this.#slices;
  }

  /** Each slice and the one after it become one of twice the size. */
  #halve(): void {
    this.#size *= 2;
    this.#slices = this.#slices.flatMap((it, i) => {
      const next = this.#slices[i + 1];
      if (i % 2 === 1) return [];
      return [next ? sumOfBoth(it, next) : it];
    });
  }
}

function sumOfBoth(a: Slice, b: Slice): Slice {
  return {
    count: a.count + b.count,
    totalMs: a.totalMs + b.totalMs,
    deadMs: a.deadMs + b.deadMs,
  };
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
