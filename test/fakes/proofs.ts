import type { Completed, Side, TimedMeasurement } from '../../src/proof/result.ts';

export const flagged: Side = {
  label: 'sleeps 20 ms after each job',
  iterations: 300,
  msPerIteration: 20.4,
  perSecond: 49,
  operations: {
    ...{ count: 300, p25Ms: 20.2, medianMs: 20.3, p95Ms: 21, maxMs: 24 },
    samplesMs: Array.from({ length: 300 }, (_, i) => 20 + (i % 13) / 10),
  },
  eventLoopUtilization: 0.04,
  counters: [{ name: 'round trips', per: 'iteration', value: 1 }],
  timeline: [
    { label: 'query', kind: 'call', startMs: 0, endMs: 0.3 },
    { label: 'sleep', kind: 'dead', startMs: 0.3, endMs: 20.4 },
  ],
  gauges: [],
};

export const mended: Side = {
  ...flagged,
  label: 'asks for the next job at once',
  ...{ iterations: 9_000, msPerIteration: 0.31, perSecond: 3_200 },
  operations: {
    ...{ count: 9_000, p25Ms: 0.28, medianMs: 0.3, p95Ms: 0.5, maxMs: 2 },
    samplesMs: Array.from({ length: 1_000 }, (_, i) => 0.25 + (i % 17) / 100),
  },
  timeline: [{ label: 'query', kind: 'call', startMs: 0, endMs: 0.3 }],
};

export const measurement: TimedMeasurement = {
  ...{
    kind: 'timed',
    compares: 'time per iteration',
    flagged,
    mended,
    deadMs: 20.1,
    deadRangeMs: [20, 20.2],
  },
  ratio: { value: 65.8, low: 60, high: 71, confidence: 0.969, pairs: [60, 63, 65, 67, 70, 71] },
};

/** A proof that nothing stood in the way of. */
export const result: Completed = {
  ...{ state: 'completed', verdict: 'slower', measurement, isNoisy: false },
  ...{
    ruleId: 'no-hot-path-sleep',
    variant: 'after-work',
    shape: { kind: 'case' },
    arrangement: 'written',
  },
  title: 'A worker that sleeps after each job',
  status: 'simulated',
  parameters: [
    {
      ...{ name: 'sleepMs', value: 20, unit: 'ms', source: 'code' },
      description: 'how long the loop sleeps after a job',
    },
    { name: 'share', value: 0.2, unit: 'share', source: 'assumed', description: 'idle polls' },
  ],
  prediction: {
    ...{ formula: 'queryMs + sleepMs', unit: 'ms per iteration', flagged: 20.4, mended: 0.3 },
    ...{ gap: { flagged: 0.001, mended: 0.03 }, tolerance: { flagged: 0.05 } },
  },
  sensitivity: [],
  scaling: {
    ...{ parameter: 'sleepMs', unit: 'ms', predicts: 'ms per iteration' },
    points: [1, 10, 100].map((value) => ({ value, flagged: value + 0.3, mended: 0.3 })),
  },
  quiet: { isBusy: false, cpuShare: 0.99, timerLateMs: 0.1, signs: [] },
  environment: {
    ...{ date: '2026-11-21T12:00:00Z', node: 'v20.20.2', platform: 'linux x64' },
    ...{ cpu: 'A processor', cores: 2, load: 0.2, database: 'PostgreSQL 18.4 (embedded)' },
  },
  command: 'npx deadtime prove src/worker.ts:41',
  durationMs: 3_100,
  doesNotShow: ['What the sleep protects: a rate limit of somebody else.'],
};
