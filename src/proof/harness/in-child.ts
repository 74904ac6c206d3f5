import { killTree, ownGroup, startModule } from '../../system/processes.ts';
import type { Order, Report } from './messages.ts';

export type ChildEnd =
  | Exclude<Report, { readonly kind: 'started' | 'progress' }>
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' };

export interface ChildOptions {
  /** The module that serves the order. */
  readonly entry: URL;
  readonly signal?: AbortSignal | undefined;
  onProgress?(share: number): void;
}

/** To load the modules of a process takes 0.2 s, and many times that on a busy machine: no part of a benchmark's time. */
const START_MS = 30_000;

/** The stderr of a process has any length; this much of its end is kept for the message. */
const KEPT_STDERR = 2_000;

/**
 * Runs one order in a process of its own and ends that process with all that it started: when it is done, when its time is
 * over, and when `signal` is aborted. Never rejects.
 */
export function runInChild(
  order: Order,
  { entry, signal, onProgress }: ChildOptions,
): Promise<ChildEnd> {
  if (signal?.aborted) return Promise.resolve({ kind: 'cancelled' });
  const child = startModule(entry, { ...ownGroup, serialization: 'advanced', hasStderr: true });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR);
  });
  return new Promise((resolve) => {
    const end = (result: ChildEnd) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      killTree(child);
      resolve(result);
    };
    const cancel = () => end({ kind: 'cancelled' });
    const endAfter = (ms: number) => setTimeout(() => end({ kind: 'timed-out' }), ms);
    let timer = endAfter(START_MS);
    signal?.addEventListener('abort', cancel);
    child.on('message', (report: Report) => {
      if (report.kind === 'progress') onProgress?.(report.share);
      else if (report.kind === 'started') {
        clearTimeout(timer);
        timer = endAfter(order.limitMs);
      } else end(report);
    });
    child.on('error', (error) => end({ kind: 'failed', message: error.message }));
    // Not `exit`: its last output may still be in the pipe.
    child.on('close', (code, by) => {
      const how = by ? `was stopped by ${by}` : `ended with exit code ${code}`;
      const said = stderr.trim();
      end({ kind: 'failed', message: `its process ${how}${said ? `:\n${said}` : ''}` });
    });
    child.send(order, (error) => {
      if (error) end({ kind: 'failed', message: error.message });
    });
  });
}
