/**
 * Entries of one source that are measured in a second, on average: at about 0.1 ms of CPU time each (`lab/bench-runtime.ts`), they cost
 * 2 % of a processor.
 */
const PER_SECOND = 200;
/** As many are measured in succession. */
const MOST = 300;
/** A pause ends when at least so many may follow, up to `MOST`: pauses of one length could keep step with what repeats. */
const FEWEST = 100;
/** What comes so many milliseconds after the last entry of a pause is different work, and does not represent it. */
const LULL_MS = 100;

/** Bounds what one source of work costs: where its entries come too fast, pauses are between those that are measured. */
export class Budget {
  readonly #random: () => number;
  /** So many may follow until the next pause. */
  #left = MOST;
  #atMs = -Infinity;
  #isPaused = false;
  /** The pause ends when so many are left. */
  #enough = MOST;
  /** The entries of the last pause that none represents yet, and when the last of them began. */
  #skipped = 0;
  #skippedAtMs = 0;
  /** How many of them each entry represents; undefined where none has begun since. */
  #share: number | undefined = 0;

  /** `random` as `Math.random`. */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /**
   * How many entries one that begins now represents: in a mean, those of a fast second then count as much as those of a slow one.
   * 0: it is not measured.
   */
  take(nowMs: number): number {
    if (this.isPaused(nowMs)) {
      this.#skipped++;
      this.#skippedAtMs = nowMs;
      return 0;
    }
    if (this.#share === undefined) {
      if (nowMs - this.#skippedAtMs > LULL_MS) this.#skipped = 0;
      this.#share = this.#skipped / this.#enough;
    }
    const others = Math.min(this.#share, this.#skipped);
    this.#skipped -= others;
    this.#left--;
    if (this.#left < 1) this.#pause();
    return Math.floor(1 + others + this.#random());
  }

  isPaused(nowMs: number): boolean {
    this.#left = Math.min(MOST, this.#left + ((nowMs - this.#atMs) * PER_SECOND) / 1_000);
    this.#atMs = nowMs;
    if (this.#left >= this.#enough) this.#isPaused = false;
    return this.#isPaused;
  }

  #pause(): void {
    this.#isPaused = true;
    this.#enough = FEWEST + this.#random() * (MOST - FEWEST);
    this.#skipped = 0;
    this.#share = undefined;
  }
}
