import { isAbsolute } from 'node:path';
import { shownPath } from '../report/path.ts';
import { type ThreadEnd, type WatchedThread, watchedThread } from '../watch/thread.ts';
import type { CallAnswer, ToolCall } from './answer-calls.ts';
import type { ToolAnswer } from './answer.ts';
import { Refusal } from './workspace.ts';

export type CallTool = (call: ToolCall, signal: AbortSignal) => Promise<ToolAnswer>;

export interface ToolThreadsOptions {
  /** What the threads run: `answerCalls`. */
  readonly program: URL;
  readonly data: unknown;
  /** From where paths are shown. */
  readonly cwd: string;
}

/** Concurrent calls: each has a thread, so that none waits for a call that hangs. Further calls wait for the first to end. */
const MOST_THREADS = 4;
/** As much as Node.js gives a process by itself. */
const MEMORY_MB = 2_048;

interface Job {
  settle(answer: CallAnswer): void;
}

/** Answers calls in threads of their own, and keeps one of these for the next call. */
export function toolThreads(options: ToolThreadsOptions): CallTool {
  const waiting: (() => void)[] = [];
  let running = 0;
  let idle: ReturnType<typeof started> | undefined;

  return async (call, signal) => {
    if (running >= MOST_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      signal.throwIfAborted();
      return await answered(call, signal);
    } finally {
      running--;
      waiting.shift()?.();
    }
  };

  async function answered(call: ToolCall, signal: AbortSignal): Promise<ToolAnswer> {
    const thread = idle ?? started();
    idle = undefined;
    let abort = () => {};
    const answer = await new Promise<CallAnswer>((settle, reject) => {
      abort = () => {
        thread.end();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort);
      thread.give(call, settle);
    }).finally(() => signal.removeEventListener('abort', abort));
    if (!thread.hasEnded()) {
      if (idle) thread.end();
      else idle = thread;
    }
    if ('failure' in answer) throw new Refusal(answer.failure);
    return answer;
  }

  function started() {
    let job: Job | undefined;
    let hasEnded = false;
    const settle = (answer: CallAnswer) => {
      job?.settle(answer);
      job = undefined;
    };
    const { worker, wake, end }: WatchedThread = watchedThread({
      ...{ program: options.program, data: options.data, maximumMemoryMb: MEMORY_MB },
      isBusy: () => job !== undefined,
      onEnd(it) {
        hasEnded = true;
        settle({ failure: failureOf(it, options.cwd) });
      },
    });
    worker.on('message', settle);
    return {
      hasEnded: () => hasEnded,
      give(call: ToolCall, settle: Job['settle']) {
        job = { settle };
        worker.postMessage(call);
        wake();
      },
      end() {
        hasEnded = true;
        end();
      },
    };
  }
}

function failureOf({ at, message }: ThreadEnd, cwd: string): string {
  if (at === undefined || !isAbsolute(at)) return `The call ${message}: it has no result.`;
  return `${shownPath(at, cwd)} ${message}: the call has no result. Name other paths, or add this one to .deadtimeignore.`;
}
