import type { BenchmarkCase } from '../../case.ts';
import { duration, numbersOf } from '../../parameters.ts';
import { napMs, sleepOf } from '../../timing.ts';
import { ruleId, type SleepEvidence } from './shared.ts';

/** What a request takes that does nothing but answer. */
const ANSWER_MS = 0.001;

/** A handler that sleeps before it answers. */
export const inRequest: BenchmarkCase<SleepEvidence> = {
  ruleId,
  variant: 'in-request',
  title: 'A request that sleeps before its answer',
  needs: {},
  parameters: [duration('sleepMs', 20, 'how long each request sleeps', { min: 1, longest: 100 })],
  parametersOf: (it) => (it.variant === 'in-request' ? { sleepMs: it.sleepMs } : undefined),
  predict(values, machine) {
    const { sleepMs } = numbersOf(values, 'sleepMs');
    return {
      formula: 'sleepMs vs nothing',
      unit: 'ms per iteration',
      flagged: napMs(sleepMs, machine),
      mended: ANSWER_MS,
      tolerance: { flagged: sleepMs >= 10 ? 0.05 : 0.25 },
    };
  },
  scalesWith: 'sleepMs',
  doesNotShow: ['What the pause waits for, if it waits for something.', 'The rest of the request.'],
  async setUp({ parameters, trace }) {
    const { sleepMs } = numbersOf(parameters, 'sleepMs');
    const sleep = sleepOf(trace);
    const answer = async () => 'an answer';
    return {
      kind: 'latency',
      flagged: {
        label: `sleeps ${sleepMs} ms, and answers`,
        iteration: async () => {
          await sleep(sleepMs);
          await answer();
        },
      },
      mended: { label: 'answers', iteration: answer },
      close: async () => {},
    };
  },
};
