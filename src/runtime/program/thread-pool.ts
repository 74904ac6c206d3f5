import { stat } from 'node:fs';
import { Histogram, type PlainHistogram, sumOf } from '../histogram.ts';
import type { Clock } from './entry.ts';

/** How often a task is sent, in milliseconds; one that has no answer yet is waited for first. */
const INTERVAL_MS = 50;

/**
 * How long work waits for one of libuv's threads, which files, compression, hashing and host names share: a small task is sent
 * again and again. Only the time in which the event loop had nothing to do counts, because a busy loop answers late, too; so the
 * wait is at least as long as stated.
 */
export class ThreadPool {
  readonly #clock: Clock;
  readonly #send: (done: () => void) => void;
  readonly #wait = new Histogram();
  #sentAtIdleMs: number | undefined;

  /** `send` calls back when one of the threads has done a small task. */
  constructor(clock: Clock, send: (done: () => void) => void = statItself) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Goes on until the program ends, which it does not delay. */
  watch(): void {
    setInterval(() => this.ask(), INTERVAL_MS).unref();
  }

  ask(): void {
    if (this.#sentAtIdleMs !== undefined) return;
    this.#sentAtIdleMs = this.#clock.idle();
    this.#send(() => {
      this.#wait.add(this.#waitedMs());
      this.#sentAtIdleMs = undefined;
    });
  }

  /** With the task that has no answer yet. */
  plain(): PlainHistogram {
    const open = new Histogram();
    if (this.#sentAtIdleMs !== undefined) open.add(this.#waitedMs());
    return sumOf([this.#wait.plain(), open.plain()]);
  }

  #waitedMs(): number {
    return this.#clock.idle() - this.#sentAtIdleMs!;
  }
}

/** Of the program of Node.js, which is there for sure. */
function statItself(done: () => void): void {
  stat(process.execPath, done);
}
