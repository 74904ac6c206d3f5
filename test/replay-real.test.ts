import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { BenchmarkResult } from '../src/proof/result.ts';

describe('the proof of a finding of the bundled application', function () {
  this.timeout(60_000);

  it('replays its waits on the embedded PostgreSQL', () => {
    const place = 'fixtures/projects/parcel-tracker/src/routes/overview.ts:9';
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [...process.execArgv, 'src/cli/main.ts', 'prove', place, '--json', '--max-seconds', '20'],
      { encoding: 'utf8' },
    );
    ok(stdout, stderr);
    const [result] = (JSON.parse(stdout) as { results: readonly BenchmarkResult[] }).results;
    ok(result?.state === 'completed', stdout);
    const { shape, measurement, verdict, environment } = result;
    ok(shape.kind === 'replay' && measurement.kind === 'timed');
    match(environment.database ?? '', /^PostgreSQL/);
    // What else the machine does decides which.
    match(verdict, /^(?:slower|machine-busy)$/);
    const { flagged, mended } = measurement;
    deepStrictEqual(
      [flagged, mended].map((it) => it.counters[0]),
      [0, 1].map(() => ({ name: 'round trips', per: 'iteration', value: 3 })),
    );
    const callsAt = (spans: typeof flagged.timeline) => spans.map((it) => it.label);
    deepStrictEqual(callsAt(flagged.timeline), [
      ...['8: pool.query()', '9: pool.query()', '10: pool.query()'],
    ]);
    const [first, second] = mended.timeline;
    ok(second!.startMs < first!.endMs);
  });
});
