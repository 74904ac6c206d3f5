import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import type { Completed, TimedMeasurement } from '../src/proof/result.ts';
import { durationText, ratioText } from '../src/report/proof/figures.ts';
import { proofHtml } from '../src/report/proof/html.ts';
import { verdictSentence } from '../src/report/proof/verdict.ts';
import { measurement, result } from './fakes/proofs.ts';

const source = {
  path: 'src/proof/cases/no-hot-path-sleep.ts',
  text: 'while (true) await sleep(20);',
};

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

describe('the sentence of a proof', () => {
  const timed = (more: Partial<TimedMeasurement>): Completed => ({
    ...result,
    measurement: { ...measurement, ...more },
  });

  it('states the lost time', () => {
    strictEqual(
      verdictSentence(result),
      '65.8x slower: 20.4 ms vs 0.31 ms. 20.1 ms of each iteration is dead time.',
    );
  });

  it('compares throughput under load and a concurrent, unrelated call', () => {
    strictEqual(
      verdictSentence(timed({ compares: 'throughput' })),
      '65.8x less throughput: 49 per second vs 3,200 per second.',
    );
    strictEqual(
      verdictSentence(timed({ compares: 'latency' })),
      '65.8x slower: 20.3 ms vs 0.3 ms. 20.1 ms of an unrelated call is dead time.',
    );
  });

  it('quotes no ratio that is not steady', () => {
    strictEqual(
      verdictSentence({ ...result, isNoisy: true }),
      'Slower: 20.3 ms vs 0.3 ms (medians). 20 ms of each iteration is dead time; the ratio is unstable.',
    );
  });

  it('claims nothing without a difference, on a busy machine or without a run', () => {
    strictEqual(
      verdictSentence({ ...result, verdict: 'no-difference' }),
      'No difference seen: 20.4 ms vs 0.31 ms.',
    );
    const signs = ['Timers fire 40 ms late.'];
    strictEqual(
      verdictSentence({
        ...result,
        verdict: 'machine-busy',
        quiet: { ...result.quiet, isBusy: true, signs },
      }),
      'The machine is busy, try again.',
    );
    strictEqual(
      verdictSentence({ ...result, state: 'unavailable', needs: [{ what: 'node:sqlite' }] }),
      'It cannot run here: it needs node:sqlite.',
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

  it('has a text alternative for every picture', () => {
    const pictures = count(html, /<svg/g);
    strictEqual(pictures, 4);
    strictEqual(count(html, /<svg [^>]*role="img" aria-label="[^"]+"/g), pictures);
    strictEqual(count(html, /<p class="alternative">[^<]+<\/p>/g), pictures);
  });

  it('has what one needs to doubt it: parameters, machine, command, code and limits', () => {
    for (const text of [
      ...['from the code', 'assumed', 'PostgreSQL 18.4 (embedded)', 'A processor, 2 cores'],
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
    ok(several.includes('It cannot run here: it needs a MariaDB server.'));
    ok(several.includes('Before: request 51 fails; after: none of 200 fails.'));
  });
});
