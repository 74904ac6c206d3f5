import { strictEqual } from 'node:assert/strict';
import { ThreadPool } from '../../src/runtime/program/thread-pool.ts';

describe('the queue of the thread pool', () => {
  const watched = () => {
    const answers: (() => void)[] = [];
    const clock = { idleMs: 0, now: () => 0, idle: () => clock.idleMs };
    return { answers, clock, pool: new ThreadPool(clock, (done) => answers.push(done)) };
  };

  it('is as long as the event loop was idle until the answer', () => {
    const { answers, clock, pool } = watched();
    pool.ask();
    clock.idleMs = 40;
    answers[0]!();
    pool.ask();
    answers[1]!();
    const { count, totalMs, maxMs } = pool.plain();
    strictEqual(count, 2);
    strictEqual(totalMs, 40);
    strictEqual(maxMs, 40);
  });

  it('has one task only, and its time so far while it has no answer', () => {
    const { answers, clock, pool } = watched();
    pool.ask();
    clock.idleMs = 2_000;
    pool.ask();
    strictEqual(answers.length, 1);
    strictEqual(pool.plain().count, 1);
    strictEqual(pool.plain().maxMs, 2_000);
    answers[0]!();
    strictEqual(pool.plain().count, 1);
  });
});
