import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { measuredText } from '../../src/report/measured.ts';
import { runText } from '../../src/report/run.ts';
import { recordingWith, entryWith, timesAround } from '../fakes/recordings.ts';

const entry = entryWith({ name: 'GET /a', time: timesAround(40) });
const textOf = (fields: Parameters<typeof recordingWith>[0]) =>
  runText(recordingWith(fields), { hasColors: false, output: 'run.json' });

describe('the table of a run', () => {
  it('states how many entries were measured of those that came', () => {
    const text = textOf({ entries: [{ ...entry, unmeasured: 9_500 }] });
    match(text, /GET \/a {3}10,000 requests, 500 of them measured/);
    match(text, /More came than 200 a second/);
  });

  it('states neither where all were measured', () => {
    const text = textOf({ entries: [entry] });
    match(text, /GET \/a {3}500 requests {3}p50/);
    ok(!text.includes('More came'));
  });

  it('states that no line is measured where no scanned file ran', () => {
    match(textOf({ entries: [entry] }), /so no line is measured/);
    const files = [{ file: 'a.js', text: '1', findings: [] }];
    ok(!textOf({ entries: [entry], files }).includes('no line is measured'));
  });
});

describe('the cost of a line', () => {
  it('is none where the line ran only in entries that were counted', () => {
    const run = { startedAt: 0, durationMs: 10_000, entries: 10_000 };
    deepStrictEqual(
      measuredText({ state: 'measured', run, count: 0, unmeasured: 340, totalMs: 0, entries: [] }),
      'measured in your program: ran 340 times, none of them measured',
    );
  });
});
