import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { toyProgram } from './toy-program.ts';

/** Requests that follow each other, each with one await. */
function requests(program: ReturnType<typeof toyProgram>, count: number, eachMs: number): void {
  const { recorder } = program;
  for (let i = 0; i < count; i++) {
    const entry = recorder.beginRequest();
    program.enter(entry);
    const frame = recorder.frame();
    const span = recorder.open(frame, 0);
    recorder.evaluated(frame, undefined);
    program.waits(eachMs);
    recorder.close(span, undefined);
    recorder.leave(frame);
    if (entry) recorder.endEntry(entry, { name: 'GET /' });
    else recorder.kinds.count('GET /');
  }
}

describe('a program with more requests than are measured', () => {
  it('has each of them counted, and each run of its lines', () => {
    const program = toyProgram('db');
    requests(program, 10_000, 0.25);
    const [kind] = program.recorder.kinds.plain([], () => undefined);
    const [site] = program.recorder.sites;
    ok(kind && site);
    strictEqual(kind.time.count + kind.unmeasured, 10_000);
    strictEqual(site.time.count + site.unmeasured, 10_000);
    ok(kind.unmeasured > 8_000, String(kind.unmeasured));
  });

  it('has the slow ones at its start count as few as they are', () => {
    const program = toyProgram('db');
    requests(program, 300, 4);
    requests(program, 60_000, 0.25);
    const [kind] = program.recorder.kinds.plain([], () => undefined);
    ok(kind);
    const meanMs = (300 * 4 + 60_000 * 0.25) / 60_300;
    const measuredMs = kind.time.totalMs / kind.time.count;
    ok(Math.abs(measuredMs / meanMs - 1) < 0.05, String(measuredMs));
    const wireMs = kind.partsMs[2]! / kind.time.count;
    ok(Math.abs(wireMs - measuredMs) < 1e-9, String(wireMs));
    strictEqual(kind.sites[0]?.entries, kind.time.count);
  });

  it('keeps no context while nothing is measured', () => {
    const program = toyProgram('db');
    const { recorder } = program;
    const first = recorder.beginRequest()!;
    recorder.endEntry(first, { name: 'GET /' });
    requests(program, 1_000, 0.25);
    program.enter(first);
    strictEqual(recorder.beginRequest(), undefined);
    strictEqual(program.store, undefined);
  });

  it('has its other code measured again after them', () => {
    const program = toyProgram('db');
    const { recorder } = program;
    requests(program, 1_000, 0.25);
    program.enter(undefined);
    const run = () => {
      const frame = recorder.frame();
      const span = recorder.open(frame, 0);
      recorder.leave(frame);
      return span !== undefined;
    };
    const during = run();
    program.waits(5_000);
    deepStrictEqual([during, run()], [false, true]);
  });

  it('still measures a worker that takes its time', () => {
    const program = toyProgram({ kind: 'sleep', loop: 0 });
    const { recorder } = program;
    const worker = recorder.frame();
    for (let i = 0; i < 20; i++) {
      program.enter(undefined);
      recorder.iteration(worker, 7);
      requests(program, 100, 0.25);
    }
    recorder.iterated(worker);
    const kinds = recorder.kinds.plain([], () => undefined);
    const iterations = kinds.find((it) => it.source === 7);
    deepStrictEqual([iterations?.time.count, iterations?.unmeasured], [20, 0]);
  });
});
