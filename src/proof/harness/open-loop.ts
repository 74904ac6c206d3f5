import { setTimeout as delay } from 'node:timers/promises';

/** A timer's own error; what comes later than that was held up by something. */
const TIMER_ERROR_MS = 1.5;

/**
 * Starts `call` every `everyMs` for `forMs`, whether or not the last one is done, and hands over how long after its intended
 * start each was done: a generator that waits for answers would leave out the calls that a stall kept it from making.
 */
export async function openLoop(
  call: (i: number) => Promise<unknown> | undefined,
  everyMs: number,
  forMs: number,
  onDone: (ms: number) => void,
): Promise<void> {
  const begin = performance.now();
  const open = new Set<Promise<void>>();
  let failure: unknown;
  for (let i = 0; i * everyMs < forMs; i++) {
    const intended = begin + i * everyMs;
    const waitMs = intended - performance.now();
    if (waitMs > 0) await delay(waitMs);
    if (failure !== undefined) break;
    const start = performance.now();
    const from = start - intended > TIMER_ERROR_MS ? intended : start;
    const done: Promise<void> = Promise.resolve(call(i))
      .then(
        () => onDone(performance.now() - from),
        (error: unknown) => void (failure ??= error ?? new Error('a call failed')),
      )
      .finally(() => open.delete(done));
    open.add(done);
  }
  await Promise.all(open);
  if (failure !== undefined) throw failure;
}
