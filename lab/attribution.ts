// How right `deadtime run` is: generated servers and workers, of which the waits are logged by themselves. It needs `npm run build`.
// Each form has two rows: with the tolerances of the goal, and with the time that other programs had the processor added to each.
//   npm run -w lab attribution -- [--seeds 5] [--first 1] [--forms esm,commonjs,tsx] [--node PATH] [--shape NAME] [--strict]
import { resolve } from 'node:path';
import { type Comparison, comparisonOf } from '../test/runtime/truth/comparison.ts';
import { measured } from '../test/runtime/truth/measured.ts';
import { programOf } from '../test/runtime/truth/program.ts';
import type { Form } from '../test/runtime/truth/writer.ts';
import { readArguments } from '../tools/arguments.ts';

const { values } = readArguments('npm run -w lab attribution -- [--seeds 5]', {
  seeds: { type: 'string', default: '5' },
  first: { type: 'string', default: '1' },
  forms: { type: 'string', default: 'esm,commonjs,tsx' },
  node: { type: 'string', default: process.execPath },
  strict: { type: 'boolean', default: false },
  shape: { type: 'string', multiple: true },
});

const cli = resolve('dist/cli.js');
const { shape: names } = values;
console.log(
  '| Form | Programs | Waits | Counted at their line | With their time | Shares of lines | Parts | Remainder | Preempted |',
);
for (const form of values.forms.split(',') as Form[]) {
  const results = Array.from({ length: Number(values.seeds) }, (_, i) => resultOf(form, i));
  for (const [title, of] of [
    [form, (it: Result) => it.strict],
    [`${form}, without preempted time`, (it: Result) => it.undisturbed],
  ] as const)
    console.log(rowOf(title, results, results.map(of)));
}

interface Result {
  readonly strict: Comparison;
  /** With the time that other programs had the processor as tolerance. */
  readonly undisturbed: Comparison;
  /** Of the time in which the program needed the processor. */
  readonly preempted: number;
}

function resultOf(form: Form, i: number): Result {
  const seed = Number(values.first) + i;
  const program = programOf(seed, { form, ...(names && { names }) });
  const run = measured(program, { cli, node: values.node });
  const strict = comparisonOf(program, run);
  const undisturbed = comparisonOf(program, run, run.stolenMs);
  printMisses(`${form} ${seed}`, values.strict ? strict : undisturbed);
  return { strict, undisturbed, preempted: run.stolenMs / run.recording.durationMs };
}

function printMisses(title: string, { lines, shares, parts }: Comparison): void {
  for (const it of lines.filter((line) => !line.isRight))
    console.log(
      `${title}  line  ${it.place} (${it.shapes}): ${it.waits} waits of ${it.trueMs.toFixed(1)} ms, recorded ${it.recorded} of ${it.recordedMs.toFixed(1)} ms`,
    );
  for (const [kind, all] of [
    ['share', shares],
    ['part', parts],
  ] as const)
    for (const it of all.filter((result) => !result.isRight))
      console.log(
        `${title}  ${kind}  ${it.entry} ${it.part}: ${it.trueMs.toFixed(1)} ms, recorded ${it.recordedMs.toFixed(1)} ms of ${it.wallMs.toFixed(0)} ms`,
      );
}

function rowOf(
  title: string,
  results: readonly Result[],
  comparisons: readonly Comparison[],
): string {
  const lines = comparisons.flatMap((it) => it.lines);
  const parts = comparisons.flatMap((it) => it.parts);
  const all = sum(lines.map((it) => it.waits));
  const waitsAt = (right: typeof lines) =>
    `${((100 * sum(right.map((it) => it.waits))) / all).toFixed(2)} %`;
  const preempted = results.map((it) => Math.round(100 * it.preempted));
  const columns = [
    ...[title, results.length, all],
    waitsAt(lines.filter((it) => it.recorded === it.waits)),
    waitsAt(lines.filter((it) => it.isRight)),
    shareOf(comparisons.flatMap((it) => it.shares)),
    shareOf(parts.filter((it) => it.part !== 'unexplained')),
    shareOf(parts.filter((it) => it.part === 'unexplained')),
    `${Math.min(...preempted)} to ${Math.max(...preempted)} %`,
  ];
  return `| ${columns.join(' | ')} |`;
}

function shareOf(all: readonly { readonly isRight: boolean }[]): string {
  return `${all.filter((it) => it.isRight).length} of ${all.length}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, it) => total + it, 0);
}
