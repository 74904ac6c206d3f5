import { Worker } from 'node:worker_threads';
import { type Progress, progressIn, progressMemory } from './progress.ts';

/** Why a thread has ended before its work. */
export interface ThreadEnd {
  readonly reason: 'time' | 'memory' | 'defect';
  /** The file or folder at which it was; undefined where that has no name. */
  readonly at: string | undefined;
  /** In words that follow the name: "took longer than 20 s". */
  readonly message: string;
}

export interface WatchedThread {
  readonly worker: Worker;
  /** The thread has got work: from now on it is watched, as long as it is busy. */
  wake(): void;
  /** Settles immediately, also while the thread is in a loop. */
  end(): void;
}

export interface ThreadOptions {
  /** The module that it runs, which finds `ThreadData` in its `workerData`. */
  readonly program: URL;
  readonly data?: unknown;
  readonly maximumMemoryMb: number;
  /** How long it may be at one thing. */
  readonly limitSeconds?: number;
  isBusy(): boolean;
  /** Called once, unless `end` was called before. */
  onEnd(end: ThreadEnd): void;
}

export interface ThreadData<Data> {
  readonly data: Data;
  readonly progress: SharedArrayBuffer;
}

/** An analysis of one file takes milliseconds, with all that it imports for the first time on a busy machine a few seconds. */
const LIMIT_SECONDS = 20;
/** Counted, not measured: a machine that was asleep has lost one of them. */
const TICKS = 20;

/**
 * A thread that is ended when it stays at one thing for too long, or needs too much memory: nothing that it does by mistake or
 * on the wish of a hostile file keeps this one from its messages.
 */
export function watchedThread(options: ThreadOptions): WatchedThread {
  const { program, data, maximumMemoryMb, limitSeconds = LIMIT_SECONDS } = options;
  const memory = progressMemory();
  const progress = progressIn(memory);
  const worker = new Worker(program, {
    workerData: { data, progress: memory } satisfies ThreadData<unknown>,
    resourceLimits: { maxOldGenerationSizeMb: maximumMemoryMb },
  });
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  let failure: Error | undefined;

  worker.on('error', (error) => (failure = error));
  worker.on('exit', () => {
    const isMemory = failure && 'code' in failure && failure.code === 'ERR_WORKER_OUT_OF_MEMORY';
    ended(
      isMemory ? 'memory' : 'defect',
      isMemory
        ? `needed more than ${maximumMemoryMb} MB of memory`
        : `made the analysis end: ${failure?.stack ?? failure?.message ?? 'by itself'}`,
    );
  });
  return {
    worker,
    wake() {
      if (timer || hasEnded) return;
      timer = watching(progress, 1_000 * (limitSeconds / TICKS), {
        isBusy: options.isBusy,
        onIdle: rest,
        onStuck: () => ended('time', `took longer than ${limitSeconds} s`),
      });
    },
    end() {
      hasEnded = true;
      rest();
      // Without waiting for it: this does not happen while code of a project runs.
      void worker.terminate();
    },
  };

  function rest(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function ended(reason: ThreadEnd['reason'], message: string): void {
    if (hasEnded) return;
    hasEnded = true;
    rest();
    const { what } = progress.now();
    void worker.terminate();
    options.onEnd({ reason, at: what || undefined, message });
  }
}

interface Watching {
  isBusy(): boolean;
  onIdle(): void;
  onStuck(): void;
}

function watching(progress: Progress, tickMs: number, it: Watching): NodeJS.Timeout {
  let last = -1;
  let ticks = 0;
  return setInterval(() => {
    if (!it.isBusy()) return it.onIdle();
    const { count } = progress.now();
    // Before the first thing it loads what is ours.
    ticks = count > 0 && count === last ? ticks + 1 : 0;
    last = count;
    if (ticks >= TICKS) it.onStuck();
  }, tickMs);
}
