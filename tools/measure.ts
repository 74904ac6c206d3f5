import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { BenchmarkCase } from '../src/proof/case.ts';
import type { BenchmarkResult, Completed, TimedMeasurement } from '../src/proof/result.ts';
import { boundOf, roundedDown } from '../src/report/proof/bound.ts';
import { table } from '../src/proof/table.ts';
import { packageVersion } from '../src/cli/package.ts';
import { readArguments } from './arguments.ts';
import { BUSY_PROCESSES, onBusyMachine } from './busy-machine.ts';
import {
  type MeasuredCase,
  type MeasuredRun,
  measurements,
  measurementsPath,
} from './generate/measurements.ts';

// Measures every benchmark several times on a quiet machine and once on a busy one, and writes what the pages show.
// `npm run measure -- no-hot-path-sleep no-leaked-connection/lost` measures those again and keeps the rest.
const { values, positionals } = readArguments(
  'npm run measure -- [RULE...] [--runs 5] [--max-seconds 5]',
  { runs: { type: 'string', default: '5' }, 'max-seconds': { type: 'string', default: '5' } },
  (it) => Number(it.values.runs) >= 1,
);
/** How often a benchmark is run again that a busy machine has spoiled. */
const ATTEMPTS = 3;

const count = Number(values.runs);

/** Each by itself: `--all` is content with fewer pairs. */
const names = Object.values<readonly BenchmarkCase[]>(table)
  .flat()
  .map(nameOf)
  .filter((name) => positionals.length === 0 || positionals.some((it) => name.startsWith(it)));
if (names.length === 0) throw new Error(`No benchmark begins with ${positionals.join(' or ')}.`);
// Those of one benchmark in a row: how well it repeats, not how the machine changes in a quarter of an hour.
const runs = names.map((name) => {
  console.log(name);
  return Array.from({ length: count }, () => settled(name));
});
console.log('the run under load');
const busy = onBusyMachine(BUSY_PROCESSES, () => names.map(proven));
const kept = positionals.length > 0 ? measurements() : undefined;
const measured = runs.map((it, i) => caseOf(it, busy[i]!));
const { database, ...environment } = runs[0]![0]!.environment;
const databases = [...runs.flat(), ...busy].flatMap((it) => it.environment.database ?? []);
writeFileSync(
  measurementsPath,
  `${JSON.stringify(
    {
      writtenBy: 'npm run measure',
      version: kept?.version ?? packageVersion(),
      environment: kept?.environment ?? environment,
      databases: [...new Set([...(kept?.databases ?? []), ...databases])].sort(),
      cases: inOrder([
        ...measured.map((it) => (kept ? { ...it, environment } : it)),
        ...(kept?.cases ?? []).filter((it) => !names.includes(nameOf(it))),
      ]),
    },
    undefined,
    1,
  )}\n`,
);

function nameOf({ ruleId, variant }: Pick<MeasuredCase, 'ruleId' | 'variant'>): string {
  return `${ruleId}/${variant}`;
}

/** As in the table. */
function inOrder(cases: readonly MeasuredCase[]): readonly MeasuredCase[] {
  const all = Object.values<readonly BenchmarkCase[]>(table).flat().map(nameOf);
  return cases.toSorted((a, b) => all.indexOf(nameOf(a)) - all.indexOf(nameOf(b)));
}

/** Something else ran meanwhile: another time may be quieter. */
function settled(name: string): BenchmarkResult {
  let latest = proven(name);
  for (let attempt = 0; attempt < ATTEMPTS && isUnsettled(latest); attempt++) {
    console.log(`  once more: ${name}`);
    latest = proven(name);
  }
  return latest;
}

function isUnsettled(result: BenchmarkResult): boolean {
  if (result.state === 'completed') return result.quiet.isBusy;
  return result.state === 'failed' && result.reason === 'time-limit';
}

function proven(name: string): BenchmarkResult {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...process.execArgv,
      ...['src/cli/main.ts', 'prove', name, '--json', '--max-seconds', values['max-seconds']],
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  if (!stdout) throw new Error(`deadtime prove ${name} printed nothing: ${stderr}`);
  const [result] = (JSON.parse(stdout) as { results: readonly BenchmarkResult[] }).results;
  return result!;
}

function caseOf(runs: readonly BenchmarkResult[], busy: BenchmarkResult): MeasuredCase {
  const { ruleId, variant, title } = runs[0]!;
  const completed = runs.find((it): it is Completed => it.state === 'completed');
  return {
    ...{ ruleId, variant, title },
    flagged: completed?.measurement.flagged.label ?? '',
    mended: completed?.measurement.mended.label ?? '',
    runs: runs.map(runOf),
    underLoad: runOf(busy),
  };
}

function runOf(result: BenchmarkResult): MeasuredRun {
  switch (result.state) {
    case 'completed':
      return completedRun(result);
    case 'unavailable':
      return { kind: 'none', why: `needs ${result.needs.map((it) => it.what).join(' and ')}` };
    case 'failed':
      return { kind: 'none', why: result.message };
    case 'cancelled':
      return { kind: 'none', why: 'cancelled' };
  }
}

function completedRun(result: Completed): MeasuredRun {
  const { measurement, verdict, isNoisy, prediction } = result;
  if (measurement.kind === 'counted') {
    const { flagged, mended } = measurement;
    return { kind: 'counted', verdict, flagged: flagged.text, mended: mended.text };
  }
  const { tolerance = {}, gap } = prediction ?? {};
  const bound = boundOf(result);
  return {
    kind: 'timed',
    ...{ verdict, isNoisy, compares: measurement.compares },
    ...headlineOf(measurement),
    ratio: rounded(measurement.ratio.value),
    ...(bound && !bound.isAtMost && { atLeast: roundedDown(bound.times) }),
    gap: {
      ...(gap && tolerance.flagged !== undefined ? { flagged: rounded(gap.flagged) } : {}),
      ...(gap && tolerance.mended !== undefined ? { mended: rounded(gap.mended) } : {}),
    },
    tolerance,
  };
}

function headlineOf({ compares, flagged, mended }: TimedMeasurement) {
  const msOf = (side: typeof flagged) =>
    rounded(compares === 'latency' ? side.operations.medianMs : side.msPerIteration);
  return { flaggedMs: msOf(flagged), mendedMs: msOf(mended) };
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
