import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert/strict';
import { rules } from '../../rules/index.ts';
import { runHtml } from '../../src/report/html-run.ts';
import { comparisonOf } from '../../src/runtime/comparison.ts';
import type { Recording } from '../../src/runtime/recording.ts';
import { entryWith, recordingWith, siteWith, timesAround } from '../fakes/recordings.ts';

const context = {
  ...{ version: '1.2.3', date: '2026-11-30', rules },
  pageOf: (ruleId: string) => `# ${ruleId}\n\n## Why\n\nTime that is waited is gone.\n`,
};

const recording = recordingWith({
  sites: [
    siteWith({
      ...{ at: { file: 'a.js', line: 9 }, kind: 'sleep', code: 'sleep' },
      rules: ['no-hot-path-sleep'],
    }),
  ],
  entries: [
    entryWith({
      ...{ name: 'GET /quick', time: timesAround(40) },
      parts: { asleepMs: 500, wireMs: 500 * 20 },
    }),
    entryWith({
      ...{ name: 'GET /<slow>', time: timesAround(40) },
      parts: { asleepMs: 500 * 20 },
      sites: [{ site: 0, count: 500, exclusiveMs: 500 * 20 }],
    }),
  ],
  pools: [
    {
      ...{ driver: 'pg', at: { file: 'db.js', line: 3 }, size: 10, mostHeld: 4, mostWaiting: 2 },
      ...{ wait: timesAround(1), hold: timesAround(5), idleHoldMs: 250, open: 0 },
    },
  ],
});

const page = (its: Recording = recording) => runHtml(its, context);

describe('the page of a run', () => {
  it('needs no network and no script', () => {
    match(page(), /^<!doctype html>/);
    doesNotMatch(page(), /<script|https?:|url\(|@import|<link|<img/);
  });

  it('ranks the entries by their dead time', () => {
    const names = [...page().matchAll(/<b>([^<]*)<\/b> <span class="facts">/g)].map(([, it]) => it);
    deepStrictEqual(names, ['GET /&lt;slow&gt;', 'GET /quick']);
  });

  it('splits the bar of each entry into its parts, in words as well', () => {
    const [slow = '', quick = ''] = page().split('<details class="entry"').slice(1);
    deepStrictEqual(widthsOf(slow), { asleepMs: 50, unexplainedMs: 50 });
    deepStrictEqual(widthsOf(quick), { asleepMs: 2.5, wireMs: 50, unexplainedMs: 47.5 });
    match(quick, /class="words">asleep 1 ms \(3 %\) · on the wire 20 ms \(50 %\) · unexplained/);
  });

  it('always has the remainder', () => {
    const whole = recordingWith({
      entries: [
        entryWith({
          name: 'GET /a',
          time: timesAround(40),
          parts: { wireMs: timesAround(40).totalMs },
        }),
      ],
    });
    match(page(whole), /class="words">on the wire 40 ms \(100 %\) · unexplained 0 ms \(0 %\)/);
  });

  it('has a legend with each part', () => {
    const [legend = ''] = /<ul class="legend">.*<\/ul>/.exec(page()) ?? [];
    strictEqual([...legend.matchAll(/<li>/g)].length, 9);
  });

  it('links the rule of a line to its text on the page', () => {
    match(
      page(),
      /<code>a\.js:9<\/code>.*<a href="#rule-no-hot-path-sleep">no-hot-path-sleep<\/a>/,
    );
    match(page(), /<div id="rule-no-hot-path-sleep"><p>Time that is waited is gone\./);
    doesNotMatch(page(recordingWith({ ...recording, sites: [] })), /rule-no/);
  });

  it('has the pools, the event loop and the thread pool', () => {
    match(page(), /<th scope="row">pg \(db\.js:3\)<\/th><td>10<\/td><td>500<\/td>/);
    match(page(), /<caption>Event loop<\/caption>/);
    match(page(), /<caption>Thread pool<\/caption>.*<th scope="row">queue<\/th><td>0\.2 ms/);
    ok(!page(recordingWith({ ...recording, pools: [] })).includes('Connection pools'));
  });

  it('has the comparison with an earlier recording, where there is one', () => {
    const compared = { path: 'before.json', comparison: comparisonOf(recording, recording) };
    match(
      runHtml(recording, { ...context, compared }),
      /Compared with before\.json.*no change seen/s,
    );
    ok(!page().includes('Compared'));
  });

  it('has the lines that explain a difference, and links the rules that had findings there', () => {
    const [, slow] = recording.entries;
    const fixed = recordingWith({
      sites: [siteWith({ at: { file: 'a.js', line: 12 }, code: 'sleep' })],
      entries: [
        entryWith({
          ...{ name: slow!.name, time: timesAround(21) },
          sites: [{ site: 0, count: 500, exclusiveMs: 500 }],
        }),
      ],
    });
    const compared = { path: 'before.json', comparison: comparisonOf(recording, fixed) };
    const text = runHtml(fixed, { ...context, compared });
    match(text, /a\.js:12<\/code><\/th><td>sleep: 20 → 1 ms<\/td>/);
    match(text, /<a href="#rule-no-hot-path-sleep">before: no-hot-path-sleep<\/a>/);
    match(text, /<div id="rule-no-hot-path-sleep">/);
  });

  it('is a page where nothing ended', () => {
    match(page(recordingWith({})), /No request, job, test or iteration/);
  });
});

/** Of the bar of one entry, in percent. */
function widthsOf(markup: string): Readonly<Record<string, number>> {
  const bars = markup.matchAll(/<i class="(\w+)" style="width: ([\d.]+)%"/g);
  return Object.fromEntries(Array.from(bars, ([, name = '', share]) => [name, Number(share)]));
}
