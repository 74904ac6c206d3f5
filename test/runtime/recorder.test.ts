import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { partsOf, toyProgram } from './toy-program.ts';

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
      recorder.sites.map(({ rejected, time }) => [rejected, time.plain().totalMs]),
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

  it('have the time of a synchronous call as computing, for the await that goes on with it', () => {
    const program = toyProgram('calls', 'blocking', 'db');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const caller = recorder.frame();
    const call = recorder.open(caller, 0);
    const called = recorder.frame();
    const hash = recorder.open(called, 1);
    program.computes(7);
    strictEqual(recorder.close(hash, 'hash'), 'hash');
    strictEqual(called.hasWaited, false);
    strictEqual(recorder.here().span, call);
    recorder.leave(called);
    recorder.evaluated(caller, undefined);
    recorder.close(call, undefined);
    deepStrictEqual(partsOf(entry), { computingMs: 7 });
    strictEqual(recorder.sites[1]!.time.plain().totalMs, 7);
    strictEqual(entry.sites.get(1)!.exclusiveMs, 7);
  });

  it('count a synchronous call that throws', () => {
    const program = toyProgram('blocking');
    const { recorder } = program;
    const frame = recorder.frame();
    recorder.open(frame, 0);
    program.computes(3);
    recorder.leave(frame);
    const [site] = recorder.sites;
    deepStrictEqual([site!.rejected, site!.time.plain().totalMs], [1, 3]);
  });

  it('let an await stay open whose arguments wait, without the time of these', () => {
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
      recorder.sites.map(({ rejected, time }) => [rejected, time.plain().totalMs]),
      [
        [0, 3],
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

  it('give a request that comes while the argument of an await waits its own entry', () => {
    const program = toyProgram('db', { kind: 'db', depth: 1 });
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const frame = recorder.frame();
    recorder.open(frame, 0);
    const argument = recorder.open(frame, 1);
    recorder.evaluated(frame, undefined);
    strictEqual(recorder.here().span, undefined);
    const other = recorder.beginRequest()!;
    program.enter(other);
    strictEqual(recorder.frame().entry, other);
    recorder.close(argument, undefined);
    strictEqual(recorder.here().span?.site.id, 0);
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
    deepStrictEqual([kind?.source, kind?.time.count, kind?.time.totalMs], [0, 3, 300]);
    deepStrictEqual(others, []);
  });

  it('make no entry of a loop within a request', () => {
    const program = toyProgram('sleep');
    const { recorder } = program;
    program.enter(recorder.beginRequest()!);
    const frame = recorder.frame();
    recorder.iteration(frame, 0);
    ok(frame.entry === program.store && frame.iteration === undefined);
  });

  it('keep a wait that outlasts its entry open', () => {
    const program = toyProgram('network');
    const { recorder } = program;
    const entry = recorder.beginRequest()!;
    program.enter(entry);
    const frame = recorder.frame();
    const span = recorder.open(frame, 0);
    recorder.evaluated(frame, undefined);
    program.waits(5);
    recorder.endEntry(entry, { name: 'GET /' });
    program.waits(40);
    recorder.close(span, undefined);
    deepStrictEqual(partsOf(entry), { wireMs: 5 });
    strictEqual(recorder.sites[0]?.time.plain().totalMs, 45);
  });
});
