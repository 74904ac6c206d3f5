import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import type { Completed, Side, TimedMeasurement } from '../benchmarks/result.ts';
import { durationText, ratioText } from '../report/proof/figures.ts';
import { proofHtml } from '../report/proof/html.ts';
import { verdictSentence } from '../report/proof/verdict.ts';

const flagged: Side = {
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

const mended: Side = {
  ...flagged,
  label: 'asks for the next job at once',
  ...{ iterations: 9_000, msPerIteration: 0.31, perSecond: 3_200 },
  operations: {
    ...{ count: 9_000, p25Ms: 0.28, medianMs: 0.3, p95Ms: 0.5, maxMs: 2 },
    samplesMs: Array.from({ length: 1_000 }, (_, i) => 0.25 + (i % 17) / 100),
  },
  timeline: [{ label: 'query', kind: 'call', startMs: 0, endMs: 0.3 }],
};

const measurement: TimedMeasurement = {
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

const result: Completed = {
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

const source = { path: 'benchmarks/no-hot-path-sleep.ts', text: 'while (true) await sleep(20);' };

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

describe('the sentence of a proof', () => {
  const timed = (more: Partial<TimedMeasurement>): Completed => ({
    ...result,
    measurement: { ...measurement, ...more },
  });

  it('says the time that is lost', () => {
    strictEqual(
      verdictSentence(result),
      '65.8 times slower: 20.4 ms against 0.31 ms. 20.1 ms of each iteration is dead time.',
    );
  });

  it('compares throughput under load and an unrelated call beside it', () => {
    strictEqual(
      verdictSentence(timed({ compares: 'throughput' })),
      '65.8 times less throughput: 49 per second against 3,200 per second.',
    );
    strictEqual(
      verdictSentence(timed({ compares: 'latency' })),
      '65.8 times slower: 20.3 ms against 0.3 ms. 20.1 ms of an unrelated call is dead time.',
    );
  });

  it('quotes no ratio that is not steady', () => {
    strictEqual(
      verdictSentence({ ...result, isNoisy: true }),
      'Slower: 20.3 ms against 0.3 ms (medians). 20 ms of each iteration is dead time; the ratio is not steady.',
    );
  });

  it('claims nothing without a difference, on a busy machine or without a run', () => {
    strictEqual(
      verdictSentence({ ...result, verdict: 'no-difference' }),
      'No difference seen: 20.4 ms against 0.31 ms.',
    );
    const signs = ['Timers fire 40 ms late.'];
    strictEqual(
      verdictSentence({
        ...result,
        verdict: 'machine-busy',
        quiet: { ...result.quiet, isBusy: true, signs },
      }),
      'The machine is busy, so the numbers say nothing. Timers fire 40 ms late.',
    );
    strictEqual(
      verdictSentence({ ...result, state: 'unavailable', needs: [{ what: 'node:sqlite' }] }),
      'This machine cannot run it: node:sqlite.',
    );
  });
});

describe('figures', () => {
  it('have three digits and their unit', () => {
    deepStrictEqual([0, 0.0012, 0.31, 3.456, 45.67, 1234.5, 12_345].map(durationText), [
      ...['0 ms', '1.20 µs', '0.31 ms', '3.46 ms', '45.7 ms', '1,235 ms', '12.3 s'],
    ]);
  });

  it('give ratios of very short times one digit', () => {
    deepStrictEqual([ratioText(26.4), ratioText(26.4, 0.05)], ['26.4', '30']);
  });
});

describe('the HTML report', () => {
  const html = proofHtml([{ result, source }], '1.2.3');

  it('is one file without scripts, styles or pictures from elsewhere', () => {
    match(html, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
    deepStrictEqual(html.match(/<script|<link|<img|\bsrc=|\burl\(|@import|https?:/g), null);
  });

  it('draws every sample of both sides', () => {
    const strips = [...html.matchAll(/class="dots \w+" d="([^"]*)"/g)].map(([, path]) => path!);
    deepStrictEqual(
      strips.map((it) => count(it, /M/g)),
      [300, 1_000],
    );
  });

  it('draws the dead time of one run, and calls on the same scale', () => {
    const dead = /class="dead" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(html);
    const calls = [...html.matchAll(/class="call" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)];
    ok(dead);
    strictEqual(calls.length, 2);
    strictEqual(calls[0]![2], calls[1]![2]);
    strictEqual(Number(dead[1]), Number(calls[0]![1]) + Number(calls[0]![2]));
    ok(Number(dead[2]) > 60 * Number(calls[0]![2]));
  });

  it('says in words what every picture shows', () => {
    const pictures = count(html, /<svg/g);
    strictEqual(pictures, 4);
    strictEqual(count(html, /<svg [^>]*role="img" aria-label="[^"]+"/g), pictures);
    strictEqual(count(html, /<p class="alternative">[^<]+<\/p>/g), pictures);
  });

  it('has what one needs to doubt it: parameters, machine, command, code and limits', () => {
    for (const text of [
      ...['read off the code', 'assumed', 'PostgreSQL 18.4 (embedded)', 'A processor, 2 cores'],
      ...[
        'npx deadtime prove src/worker.ts:41',
        'while (true) await sleep(20);',
        'queryMs + sleepMs',
      ],
      ...['What this does not show', 'claims nothing', 'simulated: real components'],
    ]) {
      ok(html.includes(text), text);
    }
  });

  it('shows hostile text as text', () => {
    const finding = { place: '<b>"x"</b>.ts:1', message: '<img onerror=alert(1)> & more' };
    const hostile = proofHtml(
      [{ result, source: { ...source, text: '</code><script>' }, finding }],
      '1',
    );
    deepStrictEqual(hostile.match(/<script|<img|<b>/g), null);
    ok(hostile.includes('&lt;b&gt;&quot;x&quot;&lt;/b&gt;.ts:1'));
  });

  it('lists several proofs, also those without a result', () => {
    const unavailable = {
      ...result,
      state: 'unavailable',
      needs: [{ what: 'a MariaDB server', command: 'deadtime prove --database-url mysql://…' }],
    } as const;
    const counted: Completed = {
      ...result,
      measurement: {
        kind: 'counted',
        flagged: {
          ...{ label: 'leaks', value: 51, of: 'the first request that fails' },
          ...{ isFailure: true, text: 'request 51 fails' },
        },
        mended: {
          ...{ label: 'releases', value: 0, of: 'the first request that fails' },
          ...{ isFailure: false, text: 'none of 200 fails' },
        },
      },
    };
    const several = proofHtml(
      [
        { result, source },
        { result: unavailable, source },
        { result: counted, source },
      ],
      '1',
    );
    strictEqual(count(several, /<section/g), 3);
    ok(several.includes('This machine cannot run it: a MariaDB server.'));
    ok(several.includes('Request 51 fails, against none of 200 fails.'));
  });
});
