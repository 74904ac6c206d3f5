import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { PART } from '../../src/runtime/parts.ts';
import { Span } from '../../src/runtime/program/spans.ts';
import { partsOf, toyProgram } from './toy-program.ts';

describe('the time of an entry', () => {
  it('is split among waits and computing, without a remainder', () => {
    const program = toyProgram('sleep', 'db');
    const { recorder } = program;
    const entry = recorder.beginEntry();
    program.enter(entry);
    const frame = recorder.frame();
    program.computes(2);
    const sleep = recorder.open(frame, 0);
    recorder.evaluated(frame, undefined);
    program.waits(20);
    recorder.close(sleep, undefined);
    program.computes(3);
    const query = recorder.open(frame, 1);
    recorder.evaluated(frame, undefined);
    program.waits(5);
    recorder.close(query, undefined);
    recorder.endEntry(entry, { name: 'GET /' });
    deepStrictEqual(partsOf(entry), { asleepMs: 20, wireMs: 5, computingMs: 5 });
  });

  it('has a wait without a probe in its remainder', () => {
    const program = toyProgram();
    const { recorder } = program;
    const entry = recorder.beginEntry();
    program.computes(2);
    program.waits(7);
    recorder.endEntry(entry, { name: 'GET /' });
    deepStrictEqual(partsOf(entry), { computingMs: 2, unexplainedMs: 7 });
  });

  it('counts what different entries compute during a gap as unexplained', () => {
    const program = toyProgram();
    const { recorder } = program;
    const entry = recorder.beginEntry();
    program.computes(2);
    const other = recorder.beginEntry();
    program.computes(30);
    recorder.endEntry(other, { name: 'GET /other' });
    recorder.endEntry(entry, { name: 'GET /' });
    deepStrictEqual(partsOf(other), { computingMs: 30 });
    deepStrictEqual(partsOf(entry), { unexplainedMs: 32 });
  });

  it('gives the time of a helper to the line within it, and none of it twice', () => {
    const program = toyProgram('calls', 'db');
    const { recorder } = program;
    const entry = recorder.beginEntry();
    program.enter(entry);
    const caller = recorder.frame();
    const outer = recorder.open(caller, 0);
    const helper = recorder.frame();
    const inner = recorder.open(helper, 1);
    recorder.evaluated(helper, undefined);
    recorder.evaluated(caller, undefined);
    program.waits(80);
    recorder.close(inner, undefined);
    recorder.leave(helper);
    recorder.close(outer, undefined);
    recorder.endEntry(entry, { name: 'GET /' });
    deepStrictEqual(partsOf(entry), { wireMs: 80 });
    deepStrictEqual(
      [...entry.sites.values()].map(({ id, exclusiveMs }) => [id, exclusiveMs]),
      [
        [0, 0],
        [1, 80],
      ],
    );
    deepStrictEqual(
      recorder.sites.map(({ time }) => time.totalMs),
      [80, 80],
    );
  });

  it('is the union of concurrent waits', () => {
    const program = toyProgram('sleep', 'db');
    const { recorder } = program;
    const entry = recorder.beginEntry();
    program.enter(entry);
    const [one, other] = [recorder.frame(), recorder.frame()];
    const sleep = recorder.open(one, 0);
    recorder.evaluated(one, undefined);
    const query = recorder.open(other, 1);
    recorder.evaluated(other, undefined);
    program.waits(10);
    recorder.close(query, undefined);
    program.waits(30);
    recorder.close(sleep, undefined);
    recorder.endEntry(entry, { name: 'GET /' });
    deepStrictEqual(partsOf(entry), { asleepMs: 30, wireMs: 10 });
  });

  it('splits an await by the calls of its driver', () => {
    const program = toyProgram('db');
    const { recorder } = program;
    const entry = recorder.beginEntry();
    program.enter(entry);
    const frame = recorder.frame();
    const query = recorder.open(frame, 0);
    const here = recorder.here();
    recorder.evaluated(frame, undefined);
    const wait = new Span(PART.pool, 100, here.entry, here.span?.line);
    recorder.begin(wait);
    program.waits(12);
    recorder.end(wait, 112);
    program.waits(3);
    recorder.close(query, undefined);
    deepStrictEqual(partsOf(entry), { poolMs: 12, wireMs: 3 });
    strictEqual(entry.sites.get(0)?.exclusiveMs, 15);
  });

  it('is held while a connection is checked out and something else is awaited', () => {
    const program = toyProgram('sleep', 'network', 'db');
    const { recorder } = program;
    const entry = recorder.beginEntry();
    program.enter(entry);
    const frame = recorder.frame();
    entry.hold(1, 100);
    for (const id of [0, 1, 2]) {
      const span = recorder.open(frame, id);
      recorder.evaluated(frame, undefined);
      program.waits(10);
      recorder.close(span, undefined);
    }
    deepStrictEqual(partsOf(entry), { wireMs: 10, heldMs: 20 });
  });

  it('has of independent reads in sequence all but the longest as avoidable', () => {
    const run = (at: number) => ({ kind: 'db' as const, run: { id: 0, at, of: 3 } });
    const program = toyProgram(run(0), run(1), run(2));
    const { recorder } = program;
    const entry = recorder.beginEntry();
    program.enter(entry);
    const frame = recorder.frame();
    for (const [id, ms] of [2, 7, 4].entries()) {
      const span = recorder.open(frame, id);
      recorder.evaluated(frame, undefined);
      program.waits(ms);
      recorder.close(span, undefined);
    }
    deepStrictEqual(partsOf(entry), { wireMs: 7, inSequenceMs: 6 });
    deepStrictEqual(entry.runs, [{ first: 0, totalMs: 13, longestMs: 7 }]);
  });

  it('has what a timer fired too late as late', () => {
    const program = toyProgram({ kind: 'sleep', sleepMs: 20 });
    const { recorder } = program;
    const entry = recorder.beginEntry();
    program.enter(entry);
    const frame = recorder.frame();
    const span = recorder.open(frame, 0);
    recorder.evaluated(frame, undefined);
    program.waits(51);
    recorder.close(span, undefined);
    deepStrictEqual(partsOf(entry), { asleepMs: 21, lagMs: 30 });
  });
});

describe('the probes of a program', () => {
  it('close a rejected await when its function goes on', () => {
    const program = toyProgram('db', 'sleep');
    const { recorder } = program;
    const frame = recorder.frame();
    recorder.open(frame, 0);
    recorder.evaluated(frame, undefined);
    program.waits(5);
    const sleep = recorder.open(frame, 1);
    recorder.evaluated(frame, undefined);
    program.waits(10);
    recorder.close(sleep, undefined);
    deepStrictEqual(
      recorder.sites.map(({ rejected, time }) => [rejected, time.totalMs]),
      [
        [1, 5],
        [0, 10],
      ],
    );
  });

  it('close a rejected await when its function ends, and not those of a race that go on', () => {
    const program = toyProgram('db', 'sleep', 'calls');
    const { recorder } = program;
    const [failing, slow, caller] = [recorder.frame(), recorder.frame(), recorder.frame()];
    const race = recorder.open(caller, 2);
    recorder.open(failing, 0);
    recorder.evaluated(failing, undefined);
    recorder.open(slow, 1);
    recorder.evaluated(slow, undefined);
    recorder.evaluated(caller, undefined);
    program.waits(5);
    recorder.leave(failing);
    recorder.close(race, undefined);
    deepStrictEqual(
      recorder.sites.map(({ rejected, time }) => [rejected, time.count]),
      [
        [1, 1],
        [0, 0],
        [0, 1],
      ],
    );
    strictEqual([...recorder.background].length, 1);
  });

  it('let an await stay open whose arguments wait', () => {
    const program = toyProgram('db', { kind: 'network', depth: 1 });
    const { recorder } = program;
    const frame = recorder.frame();
    const outer = recorder.open(frame, 0);
    const inner = recorder.open(frame, 1);
    recorder.evaluated(frame, undefined);
    program.waits(5);
    recorder.close(inner, undefined);
    recorder.evaluated(frame, undefined);
    program.waits(3);
    recorder.close(outer, undefined);
    deepStrictEqual(
      recorder.sites.map(({ rejected, time }) => [rejected, time.totalMs]),
      [
        [0, 8],
        [0, 5],
      ],
    );
  });

  it('count the pause of a helper at the line that awaits the helper', () => {
    const program = toyProgram('sleep', 'sleep');
    const { recorder } = program;
    const [caller, helper] = [recorder.frame(), recorder.frame()];
    const outer = recorder.open(caller, 0);
    const inner = recorder.open(helper, 1);
    recorder.evaluated(helper, undefined);
    recorder.evaluated(caller, undefined);
    program.waits(20);
    strictEqual(recorder.close(inner, 'value'), 'value');
    recorder.leave(helper);
    recorder.close(outer, undefined);
    deepStrictEqual(
      recorder.sites.map(({ time }) => time.count),
      [1, 0],
    );
  });

  it('find the line of a call that is awaited where it is made, and no line for any other', () => {
    const program = toyProgram('db');
    const { recorder } = program;
    const frame = recorder.frame();
    const span = recorder.open(frame, 0);
    strictEqual(recorder.here().span, span);
    recorder.evaluated(frame, undefined);
    strictEqual(recorder.here().span, undefined);
    recorder.close(span, undefined);
    strictEqual(recorder.here().span, undefined);
  });

  it('make an entry of each iteration of a worker, without a change for its caller', () => {
    const program = toyProgram({ kind: 'sleep', loop: 0 }, 'db');
    const { recorder } = program;
    const frame = recorder.frame();
    recorder.iteration(frame, 0);
    strictEqual(program.store, undefined);
    for (let i = 0; i < 3; i++) {
      const span = recorder.open(frame, 0);
      recorder.evaluated(frame, undefined);
      program.waits(100);
      recorder.close(span, undefined);
      strictEqual(program.store, frame.iteration);
      if (i < 2) recorder.iteration(frame, 0);
    }
    recorder.open(frame, 1);
    strictEqual(frame.iteration, undefined);
    const [kind, ...others] = recorder.kinds.plain([], () => undefined);
    deepStrictEqual([kind?.loop, kind?.time.count, kind?.time.totalMs], [0, 3, 300]);
    deepStrictEqual(others, []);
  });

  it('make no entry of a loop within a request', () => {
    const program = toyProgram('sleep');
    const { recorder } = program;
    program.enter(recorder.beginEntry());
    const frame = recorder.frame();
    recorder.iteration(frame, 0);
    ok(frame.entry === program.store && frame.iteration === undefined);
  });

  it('keep a wait that outlasts its entry open', () => {
    const program = toyProgram('network');
    const { recorder } = program;
    const entry = recorder.beginEntry();
    program.enter(entry);
    const frame = recorder.frame();
    const span = recorder.open(frame, 0);
    recorder.evaluated(frame, undefined);
    program.waits(5);
    recorder.endEntry(entry, { name: 'GET /' });
    program.waits(40);
    recorder.close(span, undefined);
    deepStrictEqual(partsOf(entry), { wireMs: 5 });
    strictEqual(recorder.sites[0]?.time.totalMs, 45);
  });
});
