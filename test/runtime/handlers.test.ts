import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { toyProgram } from './toy-program.ts';

describe('the entries of handlers and loops', () => {
  it('are the runs of a handler, from its first line to its end', () => {
    const program = toyProgram('db', 'sleep');
    const { recorder } = program;
    for (const ms of [5, 7]) {
      const handler = recorder.frame(0);
      program.computes(1);
      // Not awaited yet: it runs for the handler as long as that has not waited.
      const started = recorder.frame();
      const read = recorder.open(started, 0);
      recorder.evaluated(started, undefined);
      strictEqual(recorder.here().entry, handler.own);
      const sleep = recorder.open(handler, 1);
      recorder.evaluated(handler, undefined);
      strictEqual(recorder.here().entry, undefined);
      strictEqual(program.store, undefined);
      program.waits(ms);
      recorder.close(read, undefined);
      recorder.close(sleep, undefined);
      strictEqual(program.store, handler.own);
      recorder.leave(handler);
      program.enter(undefined);
    }
    const [kind, ...others] = recorder.kinds.plain([], () => undefined);
    deepStrictEqual([kind?.source, kind?.time.count, kind?.time.totalMs], [0, 2, 14]);
    deepStrictEqual(others, []);
    deepStrictEqual(
      kind?.sites.map(({ id, count }) => [id, count]),
      [
        [0, 2],
        [1, 2],
      ],
    );
  });

  it('begin with a handler whose starter is over, and not within one that goes on', () => {
    const program = toyProgram('db');
    const { recorder } = program;
    const first = recorder.frame(0);
    program.enter(first.own);
    strictEqual(recorder.frame(1).own, undefined);
    recorder.leave(first);
    const second = recorder.frame(0);
    ok(second.own && second.own !== first.own);
  });

  it('are a request within a test, and no handler within the request', () => {
    const program = toyProgram('network', 'db');
    const { recorder } = program;
    const test = recorder.frame(0);
    const call = recorder.open(test, 0);
    recorder.evaluated(test, undefined);
    const request = recorder.beginRequest()!;
    program.enter(request);
    const handler = recorder.frame(1);
    ok(handler.entry === request && handler.own === undefined);
    const read = recorder.open(handler, 1);
    recorder.evaluated(handler, undefined);
    program.waits(8);
    recorder.close(read, undefined);
    recorder.leave(handler);
    recorder.endEntry(request, { name: 'GET /' });
    recorder.close(call, undefined);
    recorder.leave(test);
    deepStrictEqual(
      recorder.kinds
        .plain([], () => undefined)
        .map(({ source, name, sites }) => [
          source ?? name,
          sites.map(({ id, count }) => [id, count]),
        ]),
      [
        ['GET /', [[1, 1]]],
        [0, [[0, 1]]],
      ],
    );
  });

  it('have no code that runs after a handler has waited where no probe is', async () => {
    const program = toyProgram('db');
    const { recorder } = program;
    const handler = recorder.frame(0);
    strictEqual(recorder.here().entry, handler.own);
    await Promise.resolve();
    strictEqual(recorder.here().entry, undefined);
  });

  it('end with the body of a loop over messages', () => {
    const program = toyProgram({ kind: 'db', loop: 0 });
    const { recorder } = program;
    const frame = recorder.frame();
    for (let i = 0; i < 2; i++) {
      program.waits(1_000);
      recorder.iteration(frame, 0, true);
      strictEqual(program.store, frame.iteration);
      const span = recorder.open(frame, 0);
      recorder.evaluated(frame, undefined);
      program.waits(3);
      recorder.close(span, undefined);
      recorder.iterated(frame);
    }
    const [kind] = recorder.kinds.plain([], () => undefined);
    deepStrictEqual([kind?.time.count, kind?.time.totalMs], [2, 6]);
  });
});
