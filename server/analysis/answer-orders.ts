import type { MessagePort, Worker } from 'node:worker_threads';
import { type Analyst, createAnalyst } from './analyst.ts';
import { timingReport } from '../../src/report/text.ts';
import { rules } from '../../rules/index.ts';
import type { Answer, Envelope } from './messages.ts';

/**
 * The numbers of the last analysis and of the last scan that are worth nothing any more; shared, because an analysis does not
 * stop to read messages.
 */
export type Cancellation = Int32Array<SharedArrayBuffer>;
export const cancellationSlots = { analyse: 0, scan: 1 } as const;

/** One end of a channel to or from the analysis. */
export interface OrderPort {
  onMessage<Message>(listener: (message: Message) => void): void;
  post(message: unknown): void;
}

export function orderPort(it: MessagePort | Worker): OrderPort {
  return {
    onMessage: (listener) => void it.on('message', listener),
    post: (message) => it.postMessage(message),
  };
}

export interface AnswerOptions {
  readonly analyst?: Analyst;
  /** Called once the answer to an analysis is on its way. */
  readonly afterwards?: () => void;
  /** Called with the path under analysis, or '' for work without one. */
  readonly begin?: (what: string) => void;
}

/** Answers what comes through `port`, in its order; other orders are let in while a scan runs. */
export function answerOrders(
  port: OrderPort,
  cancellation: Cancellation,
  { analyst = createAnalyst(), afterwards, begin = () => {} }: AnswerOptions = {},
): void {
  port.onMessage(({ id, texts, order }: Envelope) => {
    begin('path' in order ? order.path : '');
    const stale = [...analyst.setTexts(texts)];
    const answer = (it: AnswerBody) => port.post({ id, stale, ...it } as Answer);
    const slot = order.kind === 'scan' ? cancellationSlots.scan : cancellationSlots.analyse;
    const isCancelled = () => Atomics.load(cancellation, slot) === id;
    switch (order.kind) {
      case 'configure':
        analyst.configure(order.folders);
        return answer({ kind: 'done' });
      case 'synchronize':
        return answer({ kind: 'done' });
      case 'refresh':
        stale.push(...analyst.refresh());
        return answer({ kind: 'done' });
      case 'changed':
        stale.push(...analyst.changed(order.paths));
        return answer({ kind: 'done' });
      case 'analyse': {
        const analysis = analyst.analyse(order.path, isCancelled);
        setImmediate(() => {
          begin(order.path);
          analyst.renew(order.path);
          afterwards?.();
        });
        return answer(isCancelled() ? { kind: 'cancelled' } : { kind: 'analysed', analysis });
      }
      case 'refine': {
        const analysis = analyst.refine(order, isCancelled);
        if (!analysis) return answer({ kind: 'done' });
        return answer(isCancelled() ? { kind: 'cancelled' } : { kind: 'analysed', analysis });
      }
      case 'scan':
        return void analyst
          .scan({
            ...{ isCancelled, begin, leftOut: new Set(order.leftOut), from: order.from },
            onProgress: (done, of, found) => answer({ kind: 'progress', done, of, found }),
          })
          .then(({ files }) => answer({ kind: 'scanned', files, isCancelled: isCancelled() }));
      case 'configuration':
        return answer({ kind: 'text', text: analyst.configurationText(order.path) });
      case 'timings': {
        const ids = rules.map((it) => it.id);
        return answer({ kind: 'text', text: timingReport(analyst, ids) });
      }
    }
    return order satisfies never;
  });
}

type AnswerBody = Answer extends infer A
  ? A extends Answer
    ? Omit<A, 'id' | 'stale'>
    : never
  : never;
