import type { Cancellation } from '../../server/analysis/answer-orders.ts';
import type { Envelope, Order } from '../../server/analysis/messages.ts';
import type { Start } from '../../server/analysis/thread.ts';
import { inThisThread } from './editor.ts';

export interface Held {
  /** The number of the order. */
  readonly id: number;
  readonly cancellation: Cancellation;
  /** The thread goes on: with this order and those that have come since. */
  letGo(): void;
}

/** A thread that is busy before its first order of a kind, until it is let go. */
export function holdingThread(kind: Order['kind']) {
  let hold: (it: Held) => void;
  const held = new Promise<Held>((resolve) => (hold = resolve));
  let waiting: unknown[] | undefined;
  let hasHeld = false;
  const start: Start = (options) => {
    const { port, end } = inThisThread(options);
    const post = (message: unknown) => {
      if (waiting) return void waiting.push(message);
      const { id, order } = message as Envelope;
      if (hasHeld || order.kind !== kind) return port.post(message);
      hasHeld = true;
      waiting = [message];
      const letGo = () => {
        for (const it of waiting ?? []) port.post(it);
        waiting = undefined;
      };
      hold({ id, cancellation: options.cancellation, letGo });
    };
    return { port: { ...port, post }, end };
  };
  return { start, held };
}
