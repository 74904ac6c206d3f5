import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { comparisonText } from '../../src/report/run-comparison.ts';
import { type Comparison, comparisonOf } from '../../src/runtime/comparison.ts';
import { changeMsOf } from '../../src/runtime/line-comparison.ts';
import type { Recording } from '../../src/runtime/recording.ts';
import { entryWith, recordingWith, siteWith, timesAround } from '../fakes/recordings.ts';

const textOf = (comparison: Comparison) =>
  comparisonText(comparison, { hasColors: false, path: 'before.json' });

describe('two recordings', () => {
  /** 500 requests of 40 ms, 20 of them asleep, and the same after the sleep went. */
  const slow = recordingWith({
    entries: [entryWith({ name: 'GET /a', time: timesAround(40), deadMs: 20 })],
  });
  const fast = recordingWith({
    entries: [entryWith({ name: 'GET /a', time: timesAround(20), deadMs: 0.1 })],
  });
  const within = ({ entries, ...rest }: Recording, spanMs: number): Recording => ({
    ...rest,
    entries: entries.map((it) => ({ ...it, spanMs, busyMs: spanMs })),
  });
  const [improved] = comparisonOf(slow, fast).entries;

  it('differ where the interval of the difference does not contain zero', () => {
    deepStrictEqual([improved?.time.verdict, improved?.dead.verdict], ['less', 'less']);
    const { before, after, lowMs, highMs } = improved!.dead;
    ok(lowMs < after - before && after - before < highMs && highMs < 0);
    const [worse] = comparisonOf(fast, slow).entries;
    deepStrictEqual([worse?.time.verdict, worse?.dead.verdict], ['more', 'more']);
    match(
      textOf(comparisonOf(slow, fast)),
      /dead {3}20 → 0\.1 ms per request: 20 ms less \(−2\d ms to −1\d ms\)/,
    );
  });

  it('do not differ by as little as two runs of one program do', () => {
    const other = recordingWith({
      entries: [entryWith({ name: 'GET /a', time: timesAround(41), deadMs: 20.5 })],
    });
    const comparison = comparisonOf(slow, other);
    const [entry] = comparison.entries;
    deepStrictEqual(
      [entry?.time.verdict, entry?.dead.verdict],
      ['no change seen', 'no change seen'],
    );
    match(textOf(comparison), /time {3}40 → 41 ms per request: no change seen/);
  });

  it('do not differ by less than the slices of one recording do', () => {
    const drifting = (ms: number, drift: number) =>
      recordingWith({ entries: [entryWith({ name: 'GET /a', time: timesAround(ms), drift })] });
    const verdictOf = (drift: number) =>
      comparisonOf(drifting(40, drift), drifting(34, drift)).entries[0]?.time.verdict;
    deepStrictEqual([verdictOf(0.05), verdictOf(0.8)], ['less', 'no change seen']);
  });

  it('are not compared where rate and concurrency both differ', () => {
    const comparison = comparisonOf(slow, within(fast, 40_000));
    strictEqual(comparison.entries[0]?.dead.verdict, 'load differed');
    match(textOf(comparison), /load {3}50 → 13 requests a second, 2 → 0\.3 concurrently/);
  });

  it('are compared where clients send more because they wait less', () => {
    const [entry] = comparisonOf(slow, within(fast, 5_000)).entries;
    deepStrictEqual(entry?.perSecond, { before: 50, after: 100 });
    strictEqual(entry.time.verdict, 'less');
  });

  it('are not compared with few entries', () => {
    const few = (ms: number) =>
      recordingWith({
        entries: [entryWith({ name: 'GET /a', time: timesAround(ms, 20), deadMs: ms / 2 })],
      });
    const comparison = comparisonOf(few(40), few(4));
    strictEqual(comparison.entries[0]?.time.verdict, 'too few');
    match(textOf(comparison), /too few to compare/);
  });

  it('name the kinds of entries that only one has', () => {
    const other = recordingWith({
      entries: [entryWith({ name: 'GET /b', time: timesAround(5), deadMs: 1 })],
    });
    const comparison = comparisonOf(slow, other);
    deepStrictEqual(
      [comparison.entries, comparison.onlyBefore, comparison.onlyAfter],
      [[], [{ kind: 'http', name: 'GET /a' }], [{ kind: 'http', name: 'GET /b' }]],
    );
    match(textOf(comparison), /Only before: GET \/a\nOnly after: GET \/b/);
  });

  it('pair loops of one name in one file by their order, as edits move lines', () => {
    const loops = (...lines: readonly number[]) =>
      recordingWith({
        entries: lines.map((line) =>
          entryWith({
            ...{ kind: 'worker', name: 'work', at: { file: 'jobs.js', line } },
            ...{ time: timesAround(line), deadMs: 1 },
          }),
        ),
      });
    const { entries } = comparisonOf(loops(10, 30), loops(32, 12));
    deepStrictEqual(
      entries.map(({ at, time }) => [at?.line, Math.round(time.before)]),
      [
        [12, 10],
        [32, 30],
      ],
    );
  });
});

describe('the lines of two recordings', () => {
  const query = siteWith({ at: { file: 'a.js', line: 8 }, function: 'reads', code: 'pool.query' });
  const rule = 'no-sequential-independent-awaits';
  const before = recordingWith({
    sites: [
      { ...query, rules: [rule] },
      { ...query, at: { file: 'a.js', line: 9 }, rules: [rule] },
      siteWith({ at: { file: 'a.js', line: 20 }, function: 'render', code: 'render' }),
    ],
    entries: [
      entryWith({
        ...{ name: 'GET /a', time: timesAround(40), deadMs: 20 },
        parts: { asleepMs: 0, inSequenceMs: 500 * 20, wireMs: 500 * 20 },
        sites: [0, 1, 2].map((site) => ({
          site,
          count: 500,
          exclusiveMs: site < 2 ? 10_000 : 500,
          ...(site === 0 && {
            sequence: { sites: [0, 1], count: 500, totalMs: 20_000, togetherMs: 10_000 },
          }),
        })),
      }),
    ],
  });
  const after = recordingWith({
    sites: [
      siteWith({ at: { file: 'a.js', line: 18 }, function: 'reads', code: 'Promise.all' }),
      siteWith({ at: { file: 'a.js', line: 30 }, function: 'render', code: 'render' }),
    ],
    entries: [
      entryWith({
        ...{ name: 'GET /a', time: timesAround(21), deadMs: 0.1 },
        sites: [
          { site: 0, count: 500, exclusiveMs: 10_500 },
          { site: 1, count: 500, exclusiveMs: 500 },
        ],
      }),
    ],
  });
  const comparison = comparisonOf(before, after);

  it('are matched by file, function and code, and those that changed most come first', () => {
    deepStrictEqual(
      comparison.entries[0]?.lines.map((it) => [it.code, it.lines, Math.round(changeMsOf(it))]),
      [
        ['pool.query', { before: [8, 9], after: [] }, -40],
        ['Promise.all', { before: [], after: [18] }, 21],
        ['render', { before: [20], after: [30] }, 0],
      ],
    );
  });

  it('have an estimate for a pause with a finding, and for no other', () => {
    const estimatedFor = (rules: readonly string[]) => {
      const pause = siteWith({
        at: { file: 'a.js', line: 4 },
        kind: 'sleep',
        code: 'sleep',
        rules,
      });
      const paused = recordingWith({
        sites: [pause],
        entries: [
          entryWith({
            ...{ name: 'GET /a', time: timesAround(40), deadMs: 25 },
            sites: [{ site: 0, count: 500, exclusiveMs: 500 * 25 }],
          }),
        ],
      });
      return comparisonOf(paused, after).entries[0]?.estimatedGainMs;
    };
    deepStrictEqual([estimatedFor(['no-hot-path-sleep']), estimatedFor([])], [25, undefined]);
  });

  it('keep the rules, and what was estimated before', () => {
    strictEqual(comparison.entries[0]?.estimatedGainMs, 20);
    const text = textOf(comparison);
    match(
      text,
      /a\.js:8-9 {3}pool\.query in reads: 40 ms, ran only before {3}before: no-sequential/,
    );
    match(text, /a\.js:18 {4}Promise\.all in reads: 21 ms, ran only after/);
    match(
      text,
      /estimated before: 20 ms less per request, for the reads in sequence and the pauses that are gone/,
    );
    ok(!text.includes('render'));
  });

  it('are not shown where no change is seen', () => {
    ok(!textOf(comparisonOf(before, before)).includes('pool.query'));
    strictEqual(comparisonOf(before, before).entries[0]?.estimatedGainMs, undefined);
  });
});
