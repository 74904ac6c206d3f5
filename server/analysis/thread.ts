import { extname } from 'node:path';
import { type ThreadEnd, watchedThread } from '../../src/watch/thread.ts';
import {
  type Cancellation,
  cancellationSlots,
  orderPort,
  type OrderPort,
} from './answer-orders.ts';
import type { Answer, Envelope, Order, PathText } from './messages.ts';

/** The analysis, in a thread that starts with the first order and starts again after its end. */
export interface AnalysisThread {
  ask(order: Order, onProgress?: (answer: Progress) => void): Asked;
  end(): void;
}

export interface Asked {
  readonly answer: Promise<Answer | Ended>;
  cancel(): void;
}

/** The thread has ended before its answer, at this order or at another. */
export interface Ended extends ThreadEnd {
  readonly kind: 'ended';
}

export type Progress = Extract<Answer, { kind: 'progress' }>;

export interface ThreadOptions {
  /** The texts that have changed since this was last asked; all of them for a thread that has just been started. */
  texts(of: { readonly isNew: boolean }): readonly PathText[];
  /** The first message to a new thread. */
  greeting(): Order;
  /** It was ended, or ended by itself: out of memory, or by a defect of ours. Called before its orders settle. */
  onEnd(end: ThreadEnd): void;
  onStale(paths: readonly string[]): void;
  start?: Start;
  readonly maximumMemoryMb: number;
}

/** A thread, or for tests something like it: `onEnd` is called once, with what went wrong. */
export type Start = (options: StartOptions) => { readonly port: OrderPort; end(): void };

export interface StartOptions {
  readonly cancellation: Cancellation;
  readonly maximumMemoryMb: number;
  /** Whether it owes an answer. */
  isBusy(): boolean;
  onEnd(end: ThreadEnd): void;
}

interface Running {
  readonly port: OrderPort;
  readonly cancellation: Cancellation;
  readonly open: Map<
    number,
    { settle(answer: Answer | Ended): void; onProgress(answer: Progress): void }
  >;
  end(): void;
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
    end() {
      running?.end();
    },
  };

  function started(): Running {
    const cancellation = new Int32Array(new SharedArrayBuffer(8));
    const onEnd = (it: ThreadEnd) => {
      if (running !== thread) return;
      running = undefined;
      options.onEnd(it);
      for (const { settle } of thread.open.values()) settle({ kind: 'ended', ...it });
    };
    const open: Running['open'] = new Map();
    const isBusy = () => open.size > 0;
    const { port, end } = start({ cancellation, maximumMemoryMb, isBusy, onEnd });
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
    const answer = new Promise<Answer | Ended>((settle) => {
      open.set(id, { settle, onProgress });
    });
    port.post({ id, texts, order } satisfies Envelope);
    const slot = order.kind === 'scan' ? cancellationSlots.scan : cancellationSlots.analyse;
    return { answer, cancel: () => void Atomics.store(cancellation, slot, id) };
  }
}

/** Its module is the same file in the sources and in the build, where it is next to cli.js. */
const startWorker: Start = (options) => {
  const url = import.meta.url;
  const extension = extname(new URL(url).pathname);
  return startProgram(new URL(`./analysis-worker${extension}`, url), options);
};

/** A thread that runs this module. */
export function startProgram(
  program: URL,
  { cancellation, ...options }: StartOptions & { readonly limitSeconds?: number },
): ReturnType<Start> {
  const { worker, wake, end } = watchedThread({ program, data: cancellation, ...options });
  const port = orderPort(worker);
  const post = (message: unknown) => {
    port.post(message);
    wake();
  };
  return { port: { ...port, post }, end };
}
