import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { PART } from '../../src/runtime/parts.ts';
import { Span } from '../../src/runtime/program/spans.ts';
import { partsOf, toyProgram } from './toy-program.ts';

describe('the time of an entry', () => {
  it('is split among waits and computing, without a remainder', () => {
    const program = toyProgram('sleep', 'db');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
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
    const entry = recorder.beginRequest()!;
    program.computes(2);
    program.waits(7);
    recorder.endEntry(entry, { name: 'GET /' });
    deepStrictEqual(partsOf(entry), { computingMs: 2, unexplainedMs: 7 });
  });

  it('counts what different entries compute during a gap as unexplained', () => {
    const program = toyProgram();
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.computes(2);
    const other = recorder.beginRequest()!;
    program.computes(30);
    recorder.endEntry(other, { name: 'GET /other' });
    recorder.endEntry(entry, { name: 'GET /' });
    deepStrictEqual(partsOf(other), { computingMs: 30 });
    deepStrictEqual(partsOf(entry), { unexplainedMs: 32 });
  });

  it('gives the time of a helper to the line within it, and none of it twice', () => {
    const program = toyProgram('calls', 'db');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
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
      recorder.sites.map(({ time }) => time.plain().totalMs),
      [80, 80],
    );
  });

  it('is the union of concurrent waits', () => {
    const program = toyProgram('sleep', 'db');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
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
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const frame = recorder.frame();
    const query = recorder.open(frame, 0);
    const here = recorder.here();
    recorder.evaluated(frame, undefined);
    const wait = new Span(PART.pool, 100, here.entry, { line: here.span?.line, owner: here.span });
    recorder.begin(wait);
    program.waits(12);
    recorder.end(wait, 112);
    program.waits(3);
    recorder.close(query, undefined);
    deepStrictEqual(partsOf(entry), { poolMs: 12, wireMs: 3 });
    strictEqual(entry.sites.get(0)?.exclusiveMs, 15);
  });

  it('is that of an await that began after the call of a driver, however late the statement is sent', () => {
    const program = toyProgram('calls', 'sleep');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const caller = recorder.frame();
    const outer = recorder.open(caller, 0);
    const { span: owner } = recorder.here();
    const helper = recorder.frame();
    const sleep = recorder.open(helper, 1);
    recorder.evaluated(helper, undefined);
    recorder.evaluated(caller, undefined);
    const statement = new Span(PART.wire, 100, entry, { owner });
    recorder.begin(statement);
    program.waits(10);
    recorder.close(sleep, undefined);
    program.waits(5);
    recorder.end(statement, 115);
    recorder.close(outer, undefined);
    deepStrictEqual(partsOf(entry), { wireMs: 5, asleepMs: 10 });
    strictEqual(entry.spans.last, undefined);
  });

  it('is held while a connection is checked out and something else is awaited', () => {
    const program = toyProgram('sleep', 'network', 'db');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
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

  it('is not held while a statement runs on each connection', () => {
    const program = toyProgram('sleep');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const frame = recorder.frame();
    entry.hold(1, 100);
    const span = recorder.open(frame, 0);
    recorder.evaluated(frame, undefined);
    program.waits(10);
    entry.hold(-1, 110);
    program.waits(5);
    recorder.close(span, undefined);
    deepStrictEqual(partsOf(entry), { heldMs: 10, asleepMs: 5 });
  });

  it('has what an awaited expression computes as computing, and its wait as that of the line', () => {
    const program = toyProgram('sleep', 'db');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const frame = recorder.frame();
    for (const id of [0, 1]) {
      const span = recorder.open(frame, id);
      program.computes(6);
      recorder.evaluated(frame, undefined);
      program.waits(10);
      recorder.close(span, undefined);
    }
    recorder.endEntry(entry, { name: 'GET /' });
    deepStrictEqual(partsOf(entry), { asleepMs: 10, wireMs: 10, computingMs: 12 });
    deepStrictEqual(
      [...entry.sites.values()].map((it) => it.exclusiveMs),
      [10, 10],
    );
    deepStrictEqual(
      recorder.sites.map(({ time }) => time.plain().totalMs),
      [10, 10],
    );
  });

  it('has the wait of a concurrent call while an awaited expression computes', () => {
    const program = toyProgram('db', 'sleep');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const [one, other] = [recorder.frame(), recorder.frame()];
    const query = recorder.open(one, 0);
    recorder.evaluated(one, undefined);
    program.waits(4);
    const sleep = recorder.open(other, 1);
    program.computes(3);
    recorder.evaluated(other, undefined);
    program.waits(5);
    recorder.close(sleep, undefined);
    program.waits(2);
    recorder.close(query, undefined);
    deepStrictEqual(partsOf(entry), { wireMs: 6, computingMs: 3, asleepMs: 5 });
  });

  it('is that of a statement that runs, where an await is unresolved', () => {
    const program = toyProgram('unresolved');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const frame = recorder.frame();
    const early = new Span(PART.wire, 100, entry);
    early.isLoose = true;
    recorder.begin(early);
    program.computes(2);
    const span = recorder.open(frame, 0);
    recorder.evaluated(frame, undefined);
    program.waits(10);
    recorder.end(early, 112);
    program.waits(3);
    recorder.close(span, undefined);
    deepStrictEqual(partsOf(entry), { wireMs: 10, computingMs: 2, unexplainedMs: 3 });
  });

  it('is not that of a statement that a race has left running', () => {
    const program = toyProgram('unresolved', 'sleep');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const frame = recorder.frame();
    const race = recorder.open(frame, 0);
    const { span: owner } = recorder.here();
    const lost = new Span(PART.wire, 100, entry, { line: owner?.line, owner });
    recorder.begin(lost);
    recorder.evaluated(frame, undefined);
    program.waits(10);
    recorder.close(race, undefined);
    program.computes(4);
    const sleep = recorder.open(frame, 1);
    recorder.evaluated(frame, undefined);
    program.waits(20);
    recorder.end(lost, 134);
    recorder.close(sleep, undefined);
    deepStrictEqual(partsOf(entry), { wireMs: 10, computingMs: 4, asleepMs: 20 });
    deepStrictEqual(
      [...entry.sites.values()].map((it) => it.exclusiveMs),
      [10, 20],
    );
  });

  it('has of independent reads in sequence all but the longest as avoidable', () => {
    const run = (at: number) => ({ kind: 'db' as const, run: { id: 0, at, of: 3 } });
    const program = toyProgram(run(0), run(1), run(2));
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const frame = recorder.frame();
    for (const [id, ms] of [2, 7, 4].entries()) {
      const span = recorder.open(frame, id);
      recorder.evaluated(frame, undefined);
      program.waits(ms);
      recorder.close(span, undefined);
    }
    deepStrictEqual(partsOf(entry), { wireMs: 7, inSequenceMs: 6 });
    deepStrictEqual(entry.runs, [{ first: 0, totalMs: 13, togetherMs: 7 }]);
  });

  it('has the reads of a run as one, with a synchronous call between them', () => {
    const run = (at: number) => ({ kind: 'db' as const, run: { id: 0, at, of: 2 } });
    const program = toyProgram(run(0), 'blocking', run(1));
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const frame = recorder.frame();
    for (const id of [0, 2]) {
      const span = recorder.open(frame, id);
      recorder.evaluated(frame, undefined);
      program.waits(4);
      recorder.close(span, undefined);
    }
    deepStrictEqual(entry.runs, [{ first: 0, totalMs: 8, togetherMs: 4 }]);
  });

  it('has of independent work of the thread pool all but what four threads need as avoidable', () => {
    const run = (at: number) => ({ kind: 'thread-pool' as const, run: { id: 0, at, of: 6 } });
    const program = toyProgram(...[0, 1, 2, 3, 4, 5].map(run));
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const frame = recorder.frame();
    for (let id = 0; id < 6; id++) {
      const span = recorder.open(frame, id);
      recorder.evaluated(frame, undefined);
      program.waits(4);
      recorder.close(span, undefined);
    }
    deepStrictEqual(partsOf(entry), { inSequenceMs: 18, threadPoolMs: 6 });
    deepStrictEqual(entry.runs, [{ first: 0, totalMs: 24, togetherMs: 6 }]);
  });

  describe('with a loop whose passes are independent', () => {
    const timesOf = (kind: 'db' | 'network', others: readonly number[] = []) => {
      const program = toyProgram({ kind, isRepeated: true }, { kind: 'sleep' });
      const { recorder } = program;
      const entry = recorder.beginRequest()!;
      program.enter(entry);
      const frame = recorder.frame();
      for (const [i, ms] of [2, 7, 3].entries()) {
        for (const id of others[i] === undefined ? [0] : [0, 1]) {
          const span = recorder.open(frame, id);
          recorder.evaluated(frame, undefined);
          program.waits(id === 0 ? ms : others[i]!);
          recorder.close(span, undefined);
        }
        program.computes(1);
      }
      recorder.leave(frame);
      return { parts: partsOf(entry), runs: entry.runs };
    };

    it('has over a database all but one pass as avoidable, with what it computes in between', () => {
      const { parts, runs } = timesOf('db');
      deepStrictEqual(runs, [{ first: 0, totalMs: 14, togetherMs: 14 / 3 }]);
      strictEqual(Math.round(parts.inSequenceMs! * 1e6), Math.round((28 / 3) * 1e6));
      strictEqual(parts.computingMs, 2);
    });

    it('has over a service all but the longest pass as avoidable', () => {
      const { parts, runs } = timesOf('network');
      deepStrictEqual(runs, [{ first: 0, totalMs: 12, togetherMs: 7 }]);
      deepStrictEqual(parts, { wireMs: 7, inSequenceMs: 5, computingMs: 2 });
    });

    it('has no other wait of a pass as a part of its reads', () => {
      const { parts, runs } = timesOf('db', [5, 5, 5]);
      deepStrictEqual(runs, [{ first: 0, totalMs: 12, togetherMs: 4 }]);
      strictEqual(parts.asleepMs, 15);
    });
  });

  it('has what a timer fired too late as late', () => {
    const program = toyProgram({ kind: 'sleep', sleepMs: 20 });
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const frame = recorder.frame();
    const span = recorder.open(frame, 0);
    recorder.evaluated(frame, undefined);
    program.waits(51);
    recorder.close(span, undefined);
    deepStrictEqual(partsOf(entry), { asleepMs: 21, lagMs: 30 });
  });
});
