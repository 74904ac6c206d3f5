import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runFake } from '../fakes/benchmarks.ts';
import { freePort, isListening, untilClosed } from '../fakes/ports.ts';

describe('running a benchmark in a process of its own', function () {
  this.timeout(90_000);

  it('brings back the whole result, as JSON', async () => {
    const result = await runFake('sleeps', { maxSeconds: 20 });
    ok(result.state === 'completed');
    deepStrictEqual(JSON.parse(JSON.stringify(result)), result);
    const { verdict, status, measurement, prediction, sensitivity, scaling } = result;
    // Which of the two depends on what else the machine does.
    match(verdict, /^(?:slower|machine-busy)$/);
    deepStrictEqual([status, measurement.kind], ['simulated', 'timed']);
    strictEqual(prediction?.flagged, 4);
    deepStrictEqual(
      sensitivity.map(({ parameter, points }) => [parameter, points.map((it) => it.value)]),
      [['sleepMs', [2, 4, 8]]],
    );
    deepStrictEqual(
      scaling?.points.map((it) => it.value),
      [0.5, 1, 2, 4, 8, 16, 32],
    );
  });

  it('says what went wrong', async () => {
    const ends = await Promise.all(
      ['crashes', 'throws', 'lacks'].map(async (variant) => {
        const { command, durationMs, environment, parameters, ...result } = await runFake(
          variant,
          {},
        );
        return 'message' in result ? result.message : 'needs' in result && result.needs;
      }),
    );
    deepStrictEqual(ends, [
      'its process ended with exit code 7',
      'the port is taken',
      [{ what: 'a ship', command: 'npm i ship' }],
    ]);
  });

  it('ends a run at its time limit, with all that it started', async () => {
    const port = await freePort();
    const result = await runFake('serves', { set: { port: String(port) }, maxSeconds: 2 });
    ok(result.state === 'failed');
    strictEqual(result.reason, 'time-limit');
    match(result.message, /^it was stopped after 2 s; --max-seconds 4 allows more time$/);
    await untilClosed(port);
  });

  it('ends a run that is cancelled, with all that it started', async () => {
    const port = await freePort();
    const controller = new AbortController();
    const result = await runFake('serves', {
      set: { port: String(port) },
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    strictEqual(result.state, 'cancelled');
    await untilClosed(port);
  });

  it('runs nothing that was cancelled before', async () => {
    const { state, durationMs } = await runFake('hangs', { signal: AbortSignal.abort() });
    deepStrictEqual([state, durationMs < 1_000], ['cancelled', true]);
  });

  it('leaves nothing behind when the parent is killed', async () => {
    const port = await freePort();
    const parent = spawn(
      process.execPath,
      [...process.execArgv, 'test/fakes/benchmark-parent.ts', 'serves', String(port)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(parent.stdout, 'data');
    strictEqual(await isListening(port), true);
    parent.kill('SIGKILL');
    await untilClosed(port);
  });
});
