import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  type Cancellation,
  cancellationSlots,
  orderPort,
  type OrderPort,
} from './answer-orders.ts';
import type { Answer, Envelope, Order, PathText } from './messages.ts';

/** The analysis, in a thread that is started with the first order and anew after its end. */
export interface AnalysisThread {
  /** Settles with undefined when the thread has ended before its answer. */
  ask(order: Order, onProgress?: (answer: Progress) => void): Asked;
  end(): Promise<void>;
}

export interface Asked {
  readonly answer: Promise<Answer | undefined>;
  cancel(): void;
}

export type Progress = Extract<Answer, { kind: 'progress' }>;

export interface ThreadOptions {
  /** The texts that have changed since this was last asked; all of them for a thread that has just been started. */
  texts(of: { readonly isNew: boolean }): readonly PathText[];
  /** What a new thread is told first. */
  greeting(): Order;
  /** It ended by itself: out of memory, or by a defect of ours. */
  onEnd(reason: string): void;
  onStale(paths: readonly string[]): void;
  start?: Start;
  readonly maximumMemoryMb: number;
}

/** A thread, or for tests something like it: `onEnd` is called once, with what went wrong. */
export type Start = (options: {
  readonly cancellation: Cancellation;
  readonly maximumMemoryMb: number;
  onEnd(reason: string): void;
}) => { readonly port: OrderPort; end(): Promise<void> };

interface Running {
  readonly port: OrderPort;
  readonly cancellation: Cancellation;
  readonly open: Map<
    number,
    { settle(answer: Answer | undefined): void; onProgress(answer: Progress): void }
  >;
  end(): Promise<void>;
}

export function analysisThread(options: ThreadOptions): AnalysisThread {
  const { start = startWorker, maximumMemoryMb } = options;
  let running: Running | undefined;
  let last = 0;

  return {
    ask(order, onProgress = () => {}) {
      const isNew = !running;
      const thread = (running ??= started());
      if (isNew) void posted(thread, options.greeting(), options.texts({ isNew })).answer;
      return posted(thread, order, options.texts({ isNew: false }), onProgress);
    },
    async end() {
      await running?.end();
    },
  };

  function started(): Running {
    const cancellation = new Int32Array(new SharedArrayBuffer(8));
    const onEnd = (reason: string) => {
      if (running !== thread) return;
      running = undefined;
      for (const { settle } of thread.open.values()) settle(undefined);
      options.onEnd(reason);
    };
    const { port, end } = start({ cancellation, maximumMemoryMb, onEnd });
    const open: Running['open'] = new Map();
    const thread: Running = { port, cancellation, open, end };
    port.onMessage((answer: Answer) => {
      if (answer.stale.length > 0) options.onStale(answer.stale);
      if (answer.kind === 'progress') return open.get(answer.id)?.onProgress(answer);
      const order = open.get(answer.id);
      open.delete(answer.id);
      order?.settle(answer);
    });
    return thread;
  }

  function posted(
    { port, open, cancellation }: Running,
    order: Order,
    texts: readonly PathText[],
    onProgress: (answer: Progress) => void = () => {},
  ): Asked {
    const id = ++last;
    const answer = new Promise<Answer | undefined>((settle) => {
      open.set(id, { settle, onProgress });
    });
    port.post({ id, texts, order } satisfies Envelope);
    const slot = order.kind === 'scan' ? cancellationSlots.scan : cancellationSlots.analyse;
    return { answer, cancel: () => void Atomics.store(cancellation, slot, id) };
  }
}

/** Its module is the same file in the sources and in the build, where it lies beside cli.js. */
const startWorker: Start = ({ cancellation, maximumMemoryMb, onEnd }) => {
  const url = import.meta.url;
  const extension = extname(new URL(url).pathname);
  const worker = new Worker(new URL(`./analysis-worker${extension}`, url), {
    workerData: cancellation,
    resourceLimits: { maxOldGenerationSizeMb: maximumMemoryMb },
  });
  let isEnding = false;
  let reason = 'the analysis has ended by itself';
  worker.on('error', (error) => (reason = error.stack ?? error.message));
  worker.on('exit', () => {
    if (!isEnding) onEnd(reason);
  });
  return {
    port: orderPort(worker),
    async end() {
      isEnding = true;
      await worker.terminate();
    },
  };
};
