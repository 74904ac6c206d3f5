import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { Holds, PoolRecord } from '../../src/runtime/program/pools.ts';

function poolWithClock() {
  const time = { now: 100 };
  const holds = new Holds(() => time.now);
  const pool = new PoolRecord('pg', undefined, 2);
  return {
    pool,
    holds,
    passes(ms: number) {
      time.now += ms;
    },
    checkOut<T extends object>(connection: T, ...releases: readonly string[]): T {
      holds.begin(connection, pool, { entry: undefined, releases });
      return connection;
    },
    /** How long connections were held, and how long of it without a statement. */
    get held() {
      const { hold, idleHoldMs, open } = pool.plain(time.now);
      return { count: hold.count, heldMs: hold.totalMs, idleMs: idleHoldMs, open };
    },
  };
}

describe('a connection that is checked out', () => {
  it('has the time without a statement as idle', () => {
    const program = poolWithClock();
    const hold = program.holds.of(program.checkOut({}))!;
    program.passes(3);
    hold.begin();
    program.passes(5);
    hold.end();
    program.passes(2);
    hold.release();
    deepStrictEqual(program.held, { count: 1, heldMs: 10, idleMs: 5, open: 0 });
  });

  it('has concurrent statements counted once', () => {
    const program = poolWithClock();
    const hold = program.holds.of(program.checkOut({}))!;
    hold.begin();
    program.passes(4);
    hold.begin();
    program.passes(4);
    hold.end();
    program.passes(4);
    hold.end();
    hold.release();
    deepStrictEqual(program.held, { count: 1, heldMs: 12, idleMs: 0, open: 0 });
  });

  it('is busy until its release, where the last answer comes after that', () => {
    const program = poolWithClock();
    const hold = program.holds.of(program.checkOut({}))!;
    program.passes(1);
    hold.begin();
    program.passes(6);
    hold.release();
    program.passes(9);
    hold.end();
    deepStrictEqual(program.held, { count: 1, heldMs: 7, idleMs: 1, open: 0 });
  });

  it('is released once, by any of its own methods', () => {
    const program = poolWithClock();
    let calls = 0;
    const own = { release: () => ++calls, destroy: () => ++calls };
    const { release } = own;
    const connection = program.checkOut(own, 'release', 'destroy', 'end');
    program.passes(5);
    connection.destroy();
    connection.release();
    strictEqual(calls, 2);
    deepStrictEqual(program.held, { count: 1, heldMs: 5, idleMs: 5, open: 0 });
    // A pool that keeps its methods for the next checkout has no wrapper around a wrapper.
    strictEqual(connection.release, release);
  });

  it('is back in the pool when the pool gives it again', () => {
    const program = poolWithClock();
    const connection = {};
    program.checkOut(connection);
    program.passes(5);
    program.checkOut(connection);
    deepStrictEqual(program.held, { count: 1, heldMs: 5, idleMs: 5, open: 1 });
  });

  it('is none of a different connection', () => {
    const program = poolWithClock();
    program.checkOut({});
    strictEqual(program.holds.of({}), undefined);
    deepStrictEqual(program.held, { count: 0, heldMs: 0, idleMs: 0, open: 1 });
  });
});
