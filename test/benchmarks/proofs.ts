// Every benchmark, as it is written, with the mended code on both sides, and swapped: `npm run test:proofs`.
// On the PostgreSQL that npm brings, and on the servers that POSTGRES_URL and MYSQL_URL name.
import { deepStrictEqual, fail, ok } from 'node:assert/strict';
import type { Context } from 'mocha';
import { MissingComponent, type BenchmarkCase, type SetUp } from '../../src/proof/case.ts';
import { measure } from '../../src/proof/harness/measure.ts';
import { parametersFor, valuesOf } from '../../src/proof/harness/parameters.ts';
import { deadlineIn, TooLong } from '../../src/proof/harness/plan.ts';
import { createQuietWatch } from '../../src/proof/harness/quiet.ts';
import { createTrace } from '../../src/proof/harness/trace.ts';
import { verdictOf } from '../../src/proof/harness/verdict.ts';
import type {
  Arrangement,
  Measurement,
  Parameter,
  Quiet,
  Verdict,
} from '../../src/proof/result.ts';
import { type Database, startDatabase } from '../../src/proof/servers/database.ts';
import { newName } from '../../src/proof/servers/lent/names.ts';
import { table } from '../../src/proof/table.ts';
import { countersOf, mayShowNothing, settingsOf } from './proofs-expected.ts';

/** Too short for a number that is published, long enough to see which side is slower. */
const SLICE_MS = 40;
const LIMIT_MS = 2_500;

/** Who is wrong three times on a quiet machine is wrong; on a busy one nobody can tell. */
const ATTEMPTS = 3;
const BUSY_ATTEMPTS = 2;

interface Run {
  readonly verdict: Verdict;
  readonly measurement: Measurement;
  readonly quiet: Quiet;
}

const every = Object.values<readonly BenchmarkCase[]>(table).flat();

for (const server of [undefined, 'POSTGRES_URL', 'MYSQL_URL'] as const) {
  const url = server && process.env[server];
  if (server && !url) continue;
  describe(`benchmarks on ${server ?? 'what this package brings'}`, function () {
    this.timeout(60_000);
    let database: Database | undefined;
    before(async () => {
      const lending = { name: newName(), makes: ['tables', 'role'] as const };
      const started = await startDatabase({ url, lending });
      ok(started.state === 'ready', JSON.stringify(started));
      database = started;
    });
    after(() => database?.close());

    const kind = server === 'MYSQL_URL' ? 'mysql' : 'postgres';
    for (const benchmark of every) {
      const kinds = benchmark.needs.databases;
      if (server ? !kinds?.includes(kind) : kinds && !kinds.includes('postgres')) continue;
      const name = `${benchmark.ruleId}/${benchmark.variant}`;
      describe(name, () => {
        const orNone: readonly Verdict[] = mayShowNothing.has(name) ? ['no-difference'] : [];

        it('finds the code before the fix slower', async function () {
          await settled(this, benchmark, database!, {
            arrangement: 'written',
            expected: ['slower', ...orNone],
            // Also where the verdict is none: what is counted is the same on any machine.
            onRun: (run) => server === undefined && assertCounters(name, run),
          });
        });

        // One kind of server is enough for that.
        if (server !== undefined) return;

        it('finds no difference between equals', async function () {
          await settled(this, benchmark, database!, {
            arrangement: 'mended',
            expected: ['no-difference'],
          });
        });

        it('finds the opposite when they are swapped', async function () {
          await settled(this, benchmark, database!, {
            arrangement: 'swapped',
            expected: ['faster', ...orNone],
          });
        });
      });
    }
  });
}

interface Expected {
  readonly arrangement: Arrangement;
  readonly expected: readonly Verdict[];
  onRun?(run: Run): void;
}

/**
 * Runs it until the verdict is the expected one: where that is a difference, at first with the fewest pairs that have an interval,
 * as by `prove --all`; with few pairs, no difference would be seen too easily. Else with as many as fit. Skips the test where the
 * machine is too busy to tell.
 */
async function settled(
  test: Context,
  benchmark: BenchmarkCase,
  database: Database,
  { arrangement, expected, onRun }: Expected,
): Promise<void> {
  const verdicts: Verdict[] = [];
  let isBrief = !expected.includes('no-difference');
  for (let busy = 0; verdicts.length < ATTEMPTS && busy < BUSY_ATTEMPTS; isBrief = false) {
    const run = await runOf(benchmark, database, { arrangement, isBrief });
    if (run === 'missing') test.skip();
    if (run === 'too-long') {
      busy++;
      continue;
    }
    onRun?.(run);
    if (expected.includes(run.verdict)) return;
    // One pair of them that is disturbed hides what more of them show.
    if (isBrief && run.measurement.kind === 'timed') continue;
    if (run.measurement.kind === 'timed' && run.quiet.isBusy) busy++;
    else verdicts.push(run.verdict);
  }
  if (verdicts.length < ATTEMPTS) test.skip();
  fail(`${verdicts.join(', ')} in place of ${expected.join(' or ')}`);
}

async function runOf(
  benchmark: BenchmarkCase,
  database: Database,
  { arrangement, isBrief }: { readonly arrangement: Arrangement; readonly isBrief: boolean },
): Promise<Run | 'missing' | 'too-long'> {
  const trace = createTrace();
  const quiet = createQuietWatch();
  const over = new AbortController();
  const parameters = valuesOf(parametersOf(benchmark));
  let set: SetUp | undefined;
  try {
    set = await benchmark.setUp({
      parameters,
      trace,
      signal: over.signal,
      database: async () => database,
    });
    const measurement = await measure(set, arrangement, {
      deadline: deadlineIn(LIMIT_MS),
      quiet,
      trace,
      sliceMs: SLICE_MS,
      isBrief,
      onProgress() {},
    });
    const found = quiet.result();
    return { verdict: verdictOf(measurement, found), measurement, quiet: found };
  } catch (error) {
    if (error instanceof MissingComponent) return 'missing';
    if (error instanceof TooLong) return 'too-long';
    throw error;
  } finally {
    over.abort();
    await set?.close();
  }
}

function parametersOf(benchmark: BenchmarkCase): readonly Parameter[] {
  const set = settingsOf(`${benchmark.ruleId}/${benchmark.variant}`);
  return parametersFor(benchmark.parameters, { set }, { maxSeconds: 10 });
}

function assertCounters(name: string, { measurement }: Run): void {
  const expected = countersOf(name);
  if (measurement.kind === 'counted') {
    ok(expected, `${name} has no expected counts`);
    deepStrictEqual([measurement.flagged.value, measurement.mended.value], expected);
    return;
  }
  const counted = [measurement.flagged, measurement.mended].map(({ counters }) =>
    Object.fromEntries(counters.map((it) => [it.name, it.value])),
  );
  deepStrictEqual(counted, expected ?? [{}, {}]);
}
