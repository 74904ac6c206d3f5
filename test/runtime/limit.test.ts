import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { overLimit } from '../../src/report/run-limit.ts';
import { entryWith, recordingWith, siteWith, timesAround } from '../fakes/recordings.ts';

describe('a limit of dead time per entry', () => {
  const recording = recordingWith({
    sites: [
      siteWith({ at: { file: 'a.js', line: 4 }, code: 'pool.query' }),
      siteWith({
        at: { file: 'a.js', line: 9 },
        kind: 'sleep',
        code: 'sleep',
        rules: ['no-hot-path-sleep'],
      }),
    ],
    entries: [
      entryWith({
        ...{ name: 'GET /slow', time: timesAround(40) },
        parts: { asleepMs: 500 * 20, lagMs: 500 * 4 },
        sites: [
          { site: 0, count: 500, exclusiveMs: 500 * 16 },
          { site: 1, count: 500, exclusiveMs: 500 * 24 },
        ],
      }),
      entryWith({
        ...{ name: 'GET /fast', time: timesAround(40) },
        parts: { asleepMs: 500 * 3 },
      }),
    ],
  });

  it('names the entries with more, and the line that has most of it', () => {
    deepStrictEqual(overLimit(recording, 20), [
      'GET /slow has 24 ms of dead time per request, more than 20 ms; most of it at a.js:9 (sleep, no-hot-path-sleep)',
    ]);
    strictEqual(overLimit(recording, 2).length, 2);
  });

  it('is not exceeded by as much, nor by time that is not dead', () => {
    deepStrictEqual(overLimit(recording, 24), []);
    deepStrictEqual(overLimit(recording, 39), []);
  });

  it('names reads in sequence by their first line', () => {
    const reads = siteWith({ at: { file: 'b.js', line: 3 }, code: 'pool.query' });
    const entry = entryWith({
      ...{ name: 'GET /reads', time: timesAround(40) },
      parts: { inSequenceMs: 500 * 12 },
      sites: [{ site: 0, count: 500, exclusiveMs: 6_000 }],
    });
    const sequence = { sites: [0, 0], count: 500, totalMs: 500 * 24, togetherMs: 500 * 12 };
    const [line] = overLimit(
      recordingWith({
        sites: [reads],
        entries: [{ ...entry, sites: entry.sites.map((it) => ({ ...it, sequence })) }],
      }),
      10,
    );
    match(line ?? '', /12 ms of dead time per request, more than 10 ms; most of it at b\.js:3/);
  });
});
