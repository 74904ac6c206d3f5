import { deepStrictEqual, doesNotMatch, match, strictEqual } from 'node:assert/strict';
import type { Completed, Side, TimedMeasurement } from '../src/proof/result.ts';
import { answerFrom } from '../src/mcp/prove-finding.ts';
import { proofBrief } from '../src/report/proof/brief.ts';
import { proofText } from '../src/report/proof/text.ts';
import { verdictSentence } from '../src/report/proof/verdict.ts';

const side = (label: string, ms: number): Side => ({
  ...{ label, iterations: 300, msPerIteration: ms, perSecond: 1_000 / ms },
  operations: {
    count: 300,
    p25Ms: ms,
    medianMs: ms,
    p95Ms: 2 * ms,
    maxMs: 3 * ms,
    samplesMs: [ms],
  },
  eventLoopUtilization: 0.25,
  counters: [{ name: 'round trips', per: 'iteration', value: 2 }],
  timeline: [],
  gauges: [],
});

const result: Completed = {
  ...{ state: 'completed', verdict: 'slower', isNoisy: false },
  ...{
    ruleId: 'no-hot-path-sleep',
    variant: 'after-work',
    shape: { kind: 'case' },
    arrangement: 'written',
  },
  title: 'A worker that sleeps after each job',
  status: 'simulated',
  measurement: {
    ...{ kind: 'timed', compares: 'time per iteration', deadMs: 18, deadRangeMs: [17, 19] },
    flagged: side('sleeps', 20),
    mended: side('goes on', 2),
    ratio: { value: 10, low: 9.5, high: 11, confidence: 0.969, pairs: [9.5, 10, 10, 10, 10, 11] },
  },
  parameters: [
    {
      ...{ name: 'sleepMs', value: 20, unit: 'ms', source: 'code', description: 'the sleep' },
      note: 'the code has 5000; --max-seconds 63 runs it unchanged',
    },
  ],
  prediction: {
    ...{ formula: 'queryMs + sleepMs', unit: 'ms per iteration', flagged: 20, mended: 1 },
    gap: { flagged: 0, mended: 1 },
  },
  sensitivity: [
    {
      ...{ parameter: 'share', unit: 'share', predicts: 'ms per iteration' },
      points: [0.1, 0.2].map((value) => ({ value, flagged: 100 * value, mended: 1 })),
    },
  ],
  quiet: { isBusy: false, cpuShare: 1, timerLateMs: 0.1, signs: [] },
  environment: {
    ...{ date: '2026-11-21T12:00:00Z', node: 'v20.20.2', platform: 'Linux x64' },
    ...{ cpu: 'A processor', cores: 2, load: 0.2, database: 'PostgreSQL 18.4 (embedded)' },
  },
  command: 'deadtime prove src/worker.ts:41',
  durationMs: 3_100,
  doesNotShow: ['What the sleep protects.', 'Several workers.'],
};

const text = (changes: Partial<Completed>) =>
  proofText({ result: { ...result, ...changes } }, { hasColors: false });

describe('a proof in a terminal', () => {
  it('has the verdict first and then all that it rests on', () => {
    strictEqual(
      text({}),
      `no-hot-path-sleep/after-work  A worker that sleeps after each job
10x slower: 20 ms vs 2 ms. 18 ms of each iteration is dead time.
  Before      sleeps
              ████████████████████████████████████████
              20 ms per iteration, at most 50 per second
  After       goes on
              ████
              2 ms per iteration, at most 500 per second
  Single      before: 25 % within 20 ms, half within 20 ms, 95 % within 40 ms (300 samples)
              after: 25 % within 2 ms, half within 2 ms, 95 % within 4 ms (300 samples)
  Event loop  busy 25 % before, 25 % after
  Dead time   18 ms (17 ms to 19 ms, 97 % interval of 6 pairs)
  Ratio       10 (9.50 to 11)
  Counted     2 before, 2 after: round trips per iteration
  Predicted   20 ms before, 1 ms after: queryMs + sleepMs
              measured +0 % before, +100 % after
              first-principle gap: the formula does not include a cost or a saving
  Estimated   share: at 10 % 10 ms vs 1 ms, at 20 % 20 ms vs 1 ms
  Parameters  sleepMs 20 ms (the code has 5000; --max-seconds 63 runs it unchanged), the sleep
  Simulated   PostgreSQL 18.4 (embedded), Node.js v20.20.2, Linux x64, 2 × A processor, load 0.2, 2026-11-21 12:00, in 3,100 ms
  Not shown   What the sleep protects.
              Several workers.
  Repeat      deadtime prove src/worker.ts:41

`,
    );
  });

  it('shows no time on a busy machine, and still what was counted', () => {
    const signs = ['Timers fired 40 ms late.'];
    const busy = text({
      verdict: 'machine-busy',
      quiet: { ...result.quiet, isBusy: true, signs },
    });
    match(busy, /^The machine is busy, try again\.$/m);
    match(busy, /^ +Busy +Timers fired 40 ms late\.$/m);
    match(busy, /^ +Counted +2 before, 2 after: round trips per iteration$/m);
    doesNotMatch(busy, /Ratio|Before|Predicted|Estimated/);
  });

  it('states a bound, and neither ratio nor formula, where the machine is busy', () => {
    const busy = { isNoisy: true, quiet: { ...result.quiet, isBusy: true, signs: ['Busy.'] } };
    const slower = text(busy);
    match(
      slower,
      /^At least 9\.5x slower on a busy machine: 20 ms vs 2 ms \(medians\)\. At least 17 ms of each iteration is dead time\.$/m,
    );
    match(slower, /^ +Ratio +at least 9\.5, the 97 % bound of 6 pairs alongside other programs$/m);
    match(slower, /^ +Noisy +Busy\.$/m);
    doesNotMatch(slower, /Predicted|gap/);
    const brief = proofBrief({ ...result, ...busy });
    match(brief, /^At least 9\.5x slower.*\nThe ratio is at least 9\.5, the 97 % bound of 6 pairs/);
    strictEqual(answerFrom({ ...result, ...busy }).data!['ratioAtLeast'], 9.5);
  });

  it('rounds a bound to what it can claim', () => {
    const sentenceOf = (
      verdict: Completed['verdict'],
      range: { readonly low: number; readonly high: number },
      changes: Partial<TimedMeasurement> = {},
    ) => {
      const measurement = result.measurement as TimedMeasurement;
      return verdictSentence({
        ...{ ...result, verdict, isNoisy: true, quiet: { ...result.quiet, isBusy: true } },
        measurement: { ...measurement, ...changes, ratio: { ...measurement.ratio, ...range } },
      }).replace(/:.*/, '');
    };
    deepStrictEqual(
      [
        sentenceOf('slower', { low: 2.19, high: 9 }),
        sentenceOf('slower', { low: 1.078, high: 9 }),
        sentenceOf('slower', { low: 239, high: 900 }, { compares: 'throughput' }),
        sentenceOf('slower', { low: 239, high: 900 }),
        sentenceOf('slower', { low: 2.19, high: 9 }, { compares: 'throughput' }),
        sentenceOf('faster', { low: 0.1, high: 0.51 }, { compares: 'throughput' }),
        sentenceOf('no-difference', { low: 0.94, high: 1.031 }),
      ],
      [
        'At least 2.1x slower on a busy machine',
        'At least 1.07x slower on a busy machine',
        'At least 230x less throughput on a busy machine',
        'At least 10x slower on a busy machine',
        'At least 2.1x less throughput on a busy machine',
        'The code before the fix is at least 1.9x faster here, on a busy machine',
        'No difference above 1.07x seen on a busy machine',
      ],
    );
  });

  it('states no bound for the ratio to a call that takes less than a millisecond', () => {
    const measurement = result.measurement as TimedMeasurement;
    const { operations } = measurement.mended;
    const call = { ...measurement.mended, operations: { ...operations, medianMs: 0.03 } };
    const sentence = verdictSentence({
      ...{ ...result, isNoisy: true, quiet: { ...result.quiet, isBusy: true } },
      measurement: { ...measurement, compares: 'latency', mended: call },
    });
    match(
      sentence,
      /^Slower on a busy machine: .* At least 17 ms of an unrelated call is dead time/,
    );
  });

  it('names what is unstable, and shows the spread of the pairs', () => {
    const noisy = text({ isNoisy: true, verdict: 'faster' });
    match(noisy, /faster here: 20 ms vs 2 ms \(medians\); the ratio is unstable\.$/m);
    match(noisy, /^ +Ratio +10 \(9\.50 to 11\)$/m);
    match(noisy, /^ +Noisy +The ratio is unstable/m);
  });

  it('gives a model the times without a ratio that a second run would not confirm', () => {
    const figures = (changes: Partial<Completed>) => {
      const { flaggedMs, mendedMs, ratio } = answerFrom({ ...result, ...changes }).data!;
      return { flaggedMs, mendedMs, ratio };
    };
    deepStrictEqual([{}, { isNoisy: true }, { verdict: 'machine-busy' as const }].map(figures), [
      { flaggedMs: 20, mendedMs: 2, ratio: { value: 10, low: 9.5, high: 11 } },
      { flaggedMs: 20, mendedMs: 2, ratio: undefined },
      { flaggedMs: undefined, mendedMs: undefined, ratio: undefined },
    ]);
  });

  it('quotes of a server’s errors no more than their text', () => {
    const said = '\x1b[31mgone\nlost';
    for (const it of [
      { ...result, state: 'failed', reason: 'error', message: said } as const,
      { ...result, state: 'unavailable', needs: [{ what: said }] } as const,
    ]) {
      const text = proofText({ result: it }, { hasColors: false });
      doesNotMatch(text, /\x1b/);
      match(text, /\\u\{1b\}\[31mgone/);
    }
  });

  it('marks a control', () => {
    match(text({ arrangement: 'mended' }), /^Control: the code after the fix ran on both sides/m);
  });
});
