import type { BenchmarkCase } from '../../case.ts';
import { duration, numbersOf } from '../../parameters.ts';
import { napMs, sleepOf } from '../../timing.ts';
import { ARRIVALS, ruleId, type SleepEvidence } from './shared.ts';

/** What it takes to resolve a promise and to continue after it, where nothing else is queued. */
const PROMISE_MS = 0.001;

/** A value that one part of a program sets and another waits for. */
class State {
  isSet = false;
  #wake = () => {};

  changed(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  set(): void {
    this.isSet = true;
    this.#wake();
  }
}

interface Waiter {
  readonly sleepMs: number;
  sleep(ms: number): Promise<unknown>;
}

/** From the change until a waiter sees it who has looked before the change and now sleeps. */
async function seenAfterTheNap({ sleepMs, sleep }: Waiter, arrival: number): Promise<void> {
  const state = new State();
  state.set();
  await sleep(sleepMs * (1 - arrival));
  while (!state.isSet) await sleep(sleepMs);
}

/** The same change, seen by a waiter whom it wakes. */
async function seenAtTheChange(): Promise<void> {
  const state = new State();
  const changed = state.changed();
  state.set();
  await changed;
}

/** A loop that sleeps between two checks of memory which its own process changes. */
export const statePoll: BenchmarkCase<SleepEvidence> = {
  ruleId,
  variant: 'state-poll',
  title:
    'A loop that checks whether its own process has changed something, from the change until it is seen',
  needs: {},
  parameters: [duration('sleepMs', 20, 'how long the loop sleeps', { min: 1, longest: 100 })],
  parametersOf: (it) => (it.variant === 'state-poll' ? { sleepMs: it.sleepMs } : undefined),
  predict(values, machine) {
    const { sleepMs } = numbersOf(values, 'sleepMs');
    return {
      formula: 'sleepMs / 2 vs one promise',
      unit: 'ms per iteration',
      flagged: napMs(sleepMs / 2, machine),
      mended: PROMISE_MS,
      tolerance: { flagged: sleepMs >= 10 ? 0.05 : 0.25 },
    };
  },
  scalesWith: 'sleepMs',
  doesNotShow: [
    'What the state waits for: that takes as long after the fix.',
    'How often a caller has to wait at all.',
  ],
  async setUp({ parameters, trace }) {
    const { sleepMs } = numbersOf(parameters, 'sleepMs');
    const waiter = { sleepMs, sleep: sleepOf(trace) };
    return {
      kind: 'latency',
      flagged: {
        label: 'finishes the sleep, then looks',
        iteration: (i) => seenAfterTheNap(waiter, ARRIVALS[i % ARRIVALS.length]!),
        iterationsPerSample: ARRIVALS.length,
      },
      mended: {
        label: 'is woken by the change',
        iteration: seenAtTheChange,
        iterationsPerSample: ARRIVALS.length,
      },
      close: async () => {},
    };
  },
};
