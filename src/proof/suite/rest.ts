import { availableParallelism } from 'node:os';
import { commitsOn, COMMITTERS } from './committers.ts';
import { commandFor } from './lab.ts';
import { areWithin, figure, inMs, times, type Row } from './row.ts';
import { threadRuns } from './threads.ts';
import { ownCommand } from '../../system/own-command.ts';

const commits: Row = {
  number: 9,
  ruleId: 'no-autocommit-in-loop',
  claim: 'commits vs fsyncs',
  published:
    '16 threads x 1,000 single inserts: 3 s = 5,300/s with about 8,000 fsyncs (group commit: 5.5 transactions a commit); 1 ms per fsync predicts 1,000/s',
  async measure(lab) {
    lab.progress('16 committers');
    const { oneByOne, inTransaction, oneStatement, concurrent, flushMs } = await commitsOn(
      await lab.database(),
    );
    const known = (name: string, measured: number | undefined, published?: number) =>
      measured === undefined ? [] : [figure(name, 'count', measured, published)];
    const figures = [
      figure(`${COMMITTERS} committers`, 'per second', concurrent.rowsPerSecond, 5_300),
      ...known(`${COMMITTERS} committers: fsyncs per row`, concurrent.fsyncsPerRow, 0.5),
      figure('one at a time', 'per second', oneByOne.rowsPerSecond),
      ...known('one at a time: fsyncs per row', oneByOne.fsyncsPerRow),
      figure('one transaction', 'per second', inTransaction.rowsPerSecond),
      figure('one statement', 'per second', oneStatement.rowsPerSecond),
      figure('a flush of this disk', 'ms', flushMs, 1),
    ];
    const gain = concurrent.rowsPerSecond / oneByOne.rowsPerSecond;
    const isShared = (concurrent.fsyncsPerRow ?? 0.5) < 0.8;
    return {
      figures,
      verdict: isShared && gain > 1.3 ? 'reproduced' : 'not-shown',
      reason:
        `Concurrent commits share a flush, ${times(gain)} the rows of a loop that awaits each; that loop cannot share, and pays one flush per row. ` +
        `One statement for all rows does ${times(oneStatement.rowsPerSecond / oneByOne.rowsPerSecond)}.`,
      command: ownCommand('prove no-autocommit-in-loop'),
    };
  },
};

/** Of a pool of two threads: concurrency, total, and the wait of the probe. */
const PUBLISHED_THREADS = [
  { concurrency: 1, totalMs: 7_045, probeMs: 0.66 },
  { concurrency: 3, totalMs: 2_632, probeMs: 5.2 },
  { concurrency: 10, totalMs: 2_477, probeMs: 20.6 },
  { concurrency: 20, totalMs: 2_678, probeMs: 48.6 },
] as const;

const threads: Row = {
  number: 10,
  ruleId: 'no-thread-pool-flood',
  claim:
    'thread pool vs concurrency (node-sqlite3, 2,000 queries, zlib.deflate every 10 ms as the probe)',
  published:
    'pool 2: concurrency 1 -> 7,045 ms, 0.66 ms queue latency; 3 -> 2,632 / 5.2; 10 -> 2,477 / 20.6; 20 -> 2,678 / 48.6. Pool 3 and 8: the same shape; below 1 ms only at concurrency 1',
  async measure(lab) {
    lab.progress('the thread pool');
    const { job, runs } = await threadRuns();
    const [alone] = runs;
    const faster = alone!.totalMs / runs[1]!.totalMs;
    const figures = [
      ...runs.map(({ concurrency, probeMs }, i) =>
        figure(`wait of the probe at ${concurrency}`, 'ms', probeMs, PUBLISHED_THREADS[i]!.probeMs),
      ),
      figure('3 at a time vs 1', 'ratio', faster, 7_045 / 2_632),
      figure('20 at a time vs 3', 'ratio', runs[1]!.totalMs / runs[3]!.totalMs, 2_632 / 2_678),
    ];
    const waits = runs.map((it) => it.probeMs);
    const rises = waits.every((ms, i) => i === 0 || ms > waits[i - 1]!);
    const cores = availableParallelism();
    return {
      figures,
      verdict: rises && waits[0]! < 1 && waits[3]! > 5 * waits[0]! ? 'reproduced' : 'not-shown',
      reason:
        (job === 'sqlite3'
          ? ''
          : 'With pbkdf2 in place of sqlite3, which is not installed here (npm install sqlite3). ') +
        `More at a time than min(threads, ${cores} cores) is no faster for CPU work and only makes other work wait: raising UV_THREADPOOL_SIZE does not help.`,
      command: ownCommand('prove no-thread-pool-flood/threads'),
    };
  },
};

const sixTasks: Row = {
  number: 11,
  ruleId: 'no-sequential-independent-awaits',
  claim: 'six independent thread-pool tasks per request',
  published:
    'sequential awaits about 150 requests/s, median 250 ms, p95 320; Promise.all about 450/s, 80 ms, 120: 3x',
  async measure(lab) {
    const name = 'no-sequential-independent-awaits/thread-pool';
    const one = await lab.timed(name, { count: 6, users: 1 });
    const many = await lab.timed(name, { count: 6, users: 37 });
    const waiting = await lab.timed('no-sequential-independent-awaits/pool', {
      ...{ count: 6, queryMs: 10, users: 10, max: 100 },
    });
    const figures = [
      figure('CPU tasks, 37 requests at a time', 'ratio', many.ratio.value, 3),
      figure('CPU tasks, 1 request at a time', 'ratio', one.ratio.value, 3),
      figure('tasks that wait, 10 requests at a time', 'ratio', waiting.ratio.value, 3),
      figure(
        'CPU tasks sequentially, 37 requests at a time',
        'per second',
        many.flagged.perSecond,
        150,
      ),
      figure('CPU tasks together, 37 requests at a time', 'per second', many.mended.perSecond, 450),
    ];
    const holds = many.ratio.value >= 2;
    return {
      figures,
      verdict: holds ? 'reproduced' : waiting.ratio.value >= 2 ? 'weaker' : 'not-shown',
      reason:
        `Promise.all uses idle resources: ${times(waiting.ratio.value)} with tasks that wait and enough connections, ${times(one.ratio.value)} with CPU tasks of a single request on ${availableParallelism()} cores, ${times(many.ratio.value)} when 37 requests keep every core busy. ` +
        'In general min(6C, cap) / min(C, cap) for C concurrent requests.',
      command: commandFor(name, { users: 37 }),
    };
  },
};

const threeQueries: Row = {
  number: 12,
  ruleId: 'no-sequential-independent-awaits',
  claim: 'three 10 ms queries in a row',
  published: '30 ms vs 10 ms per request',
  async measure(lab) {
    const name = 'no-sequential-independent-awaits/pool';
    const settings = { count: 3, queryMs: 10 };
    const { flagged, mended } = await lab.timed(name, settings);
    const figures = [
      figure('one at a time', 'ms', flagged.operations.medianMs, 30),
      figure('together', 'ms', mended.operations.medianMs, 10),
    ];
    return {
      figures,
      verdict: areWithin(figures, 1.25) ? 'reproduced' : 'not-shown',
      reason: `Each query adds ${inMs(flagged.operations.medianMs / 3 - 10)} for the round trip.`,
      command: commandFor(name, settings),
    };
  },
};

export const otherRows = [commits, threads, sixTasks, threeQueries];
