import { match, ok } from 'node:assert/strict';
import { runText } from '../../src/report/run.ts';
import { ceilingOf } from '../../src/runtime/forecast.ts';
import type { Pool, Site } from '../../src/runtime/recording.ts';
import { entryWith, recordingWith, timesAround } from '../fakes/recordings.ts';

const textOf = (fields: Parameters<typeof recordingWith>[0]) =>
  runText(recordingWith(fields), { hasColors: false, output: 'run.json' });

describe('the table of a run, of what limits a program', () => {
  it('states what a loop can do at most, with its pauses and without', () => {
    // One iteration in five sleeps for 100 ms, and each works for 0.17 ms.
    const entry = entryWith({ kind: 'worker', name: 'poll', time: timesAround(20.17), deadMs: 20 });
    const text = textOf({ entries: [{ ...entry, busyMs: entry.time.totalMs }] });
    match(
      text,
      /at most 50 iterations a second with as many pauses, 5,8\d\d without \(estimated\)/,
    );
  });

  it('states no limit of a loop that hardly sleeps, nor of requests', () => {
    for (const kind of ['worker', 'http'] as const) {
      const entry = entryWith({ kind, name: 'poll', time: timesAround(20), deadMs: 0.5 });
      ok(!textOf({ entries: [entry] }).includes('at most 50'));
    }
  });

  it('counts loops that run at the same time', () => {
    const entry = entryWith({ kind: 'worker', name: 'poll', time: timesAround(20), deadMs: 10 });
    const { perSecond } = ceilingOf({ ...entry, busyMs: entry.time.totalMs / 4 })!;
    ok(Math.abs(perSecond - 200) < 1, `${perSecond}`);
  });

  it('suggests a size for a pool whose calls wait', () => {
    const pool: Pool = {
      ...{ driver: 'pg', size: 10, mostHeld: 10, mostWaiting: 40, open: 0, idleHoldMs: 0 },
      ...{ wait: timesAround(400, 1_000), hold: timesAround(100, 1_000) },
    };
    const fields = {
      entries: [entryWith({ name: 'GET /', time: timesAround(500, 1_000) })],
      clients: { between: timesAround(1_000, 1_000) },
    };
    const text = textOf({ ...fields, pools: [pool] });
    match(text, /a pool of 1[5-9] would be enough for 150 clients with 1 s between checkouts, if/);
    ok(!textOf({ ...fields, pools: [{ ...pool, mostWaiting: 0 }] }).includes('would be enough'));
  });

  it('states how many commits a database had', () => {
    const database = { driver: 'pg', statements: 600, rejected: 0, time: timesAround(1, 600) };
    match(textOf({ databases: [{ ...database, commits: 500 }] }), /500 commits \(50 a second\)/);
    ok(!textOf({ databases: [database] }).includes('commit'));
  });

  it('states of a line that each of its statements is a commit', () => {
    const site = (commits: number): Site => ({
      ...{
        at: { file: 'a.js', line: 3 },
        kind: 'db',
        code: 'pool.query',
        count: 1_000,
        rejected: 0,
      },
      ...{ open: 0, time: timesAround(1, 1_000), rules: [] },
      driver: { wire: timesAround(1, 1_000), commits, statements: [] },
    });
    const ran = { site: 0, count: 1_000, most: 20, entries: 50, exclusiveMs: 1_000 };
    const entries = [{ ...entryWith({ name: 'POST /', time: timesAround(20, 50) }), sites: [ran] }];
    match(
      textOf({ entries, sites: [site(1_000)] }),
      /at most 20 in one, each with a commit of its own/,
    );
    ok(!textOf({ entries, sites: [site(40)] }).includes('commit'));
  });
});
