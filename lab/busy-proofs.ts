// Proves every case by the built command line while two processes a core are busy, and compares the verdicts with those of a
// calm machine in docs/measurements.json:
//   npm run build && npm run -w lab busy-proofs -- [RULE...] [--runs 1] [--max-seconds 5] [--busy 2 a core]
// Fewer busy processes are the same load where other programs run.
import { spawnSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import type { BenchmarkCase } from '../src/proof/case.ts';
import type { BenchmarkResult } from '../src/proof/result.ts';
import { table } from '../src/proof/table.ts';
import { boundOf } from '../src/report/proof/bound.ts';
import { verdictSentence } from '../src/report/proof/verdict.ts';
import { readArguments } from '../tools/arguments.ts';
import { BUSY_PROCESSES, onBusyMachine } from '../tools/busy-machine.ts';
import { type MeasuredCase, measurements } from '../tools/generate/measurements.ts';

const { values, positionals } = readArguments(
  'npm run -w lab busy-proofs -- [RULE...] [--runs 1] [--max-seconds 5] [--busy 4]',
  {
    runs: { type: 'string', default: '1' },
    'max-seconds': { type: 'string', default: '5' },
    busy: { type: 'string', default: String(BUSY_PROCESSES) },
  },
  (it) => Number(it.values.runs) >= 1,
);

/**
 * `wrong`: a calm machine never gave this verdict. `above`: the verdict is right, and its bound is above each ratio of a calm
 * machine, because waits cost more on a busy one.
 */
const JUDGEMENTS = ['verdict', 'above', 'without', 'wrong'] as const;
type Judgement = (typeof JUDGEMENTS)[number];

const names = Object.values<readonly BenchmarkCase[]>(table)
  .flat()
  .map(({ ruleId, variant }) => `${ruleId}/${variant}`)
  .filter((name) => positionals.length === 0 || positionals.some((it) => name.startsWith(it)));
const calm = new Map(measurements()?.cases.map((it) => [`${it.ruleId}/${it.variant}`, it]));

for (let run = 1; run <= Number(values.runs); run++) {
  const judgements = onBusyMachine(Number(values.busy), () => names.map(judged));
  const count = (judgement: Judgement) => judgements.filter((it) => it === judgement).length;
  const sums = JUDGEMENTS.map((it) => `${count(it)} ${it}`);
  console.log(`run ${run}: ${sums.join(', ')} of ${names.length}`);
}

function judged(name: string): Judgement {
  const result = proven(name);
  const judgement = judgementOf(result, calm.get(name));
  const seconds = (result.durationMs / 1_000).toFixed(1);
  const load = (loadavg()[0]! / availableParallelism()).toFixed(1);
  console.log(
    `${judgement.padEnd(8)}${name} (${seconds} s, load ${load} a core): ${verdictSentence(result)}`,
  );
  return judgement;
}

function proven(name: string): BenchmarkResult {
  const args = ['dist/cli.js', 'prove', name, '--json', '--max-seconds', values['max-seconds']];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (!stdout) throw new Error(`deadtime prove ${name} printed nothing: ${stderr}`);
  return (JSON.parse(stdout) as { results: readonly [BenchmarkResult] }).results[0];
}

function judgementOf(result: BenchmarkResult, known: MeasuredCase | undefined): Judgement {
  if (result.state !== 'completed' || result.verdict === 'machine-busy') return 'without';
  const runs = known?.runs.filter((it) => it.kind !== 'none') ?? [];
  const bound = boundOf(result);
  const ratios = runs.flatMap((it) => (it.kind === 'timed' ? it.ratio : []));
  if (bound?.isAtMost && ratios.every((it) => it <= bound.times)) return 'verdict';
  if (!runs.some((it) => it.verdict === result.verdict)) return 'wrong';
  return bound && bound.times > Math.max(...ratios) ? 'above' : 'verdict';
}
