// How right `deadtime run` is: generated servers and workers, of which the waits are logged by themselves. It needs `npm run build`.
//   npm run -w lab attribution -- [--seeds 5] [--first 1] [--forms esm,commonjs,tsx] [--node PATH] [--shape NAME] [--slack]
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
  slack: { type: 'boolean', default: false },
  shape: { type: 'string', multiple: true },
});

const cli = resolve('dist/cli.js');
const { shape: names } = values;
for (const form of values.forms.split(',') as Form[]) {
  const comparisons = Array.from({ length: Number(values.seeds) }, (_, i) => {
    const seed = Number(values.first) + i;
    const program = programOf(seed, { form, ...(names && { names }) });
    const run = measured(program, { cli, node: values.node });
    const slackMs = values.slack ? run.stolenMs : 0;
    const result = comparisonOf(program, run, slackMs);
    printMisses(`${form} ${seed} (${run.stolenMs.toFixed(0)} ms stolen)`, result);
    return result;
  });
  printTotals(form, comparisons);
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

function printTotals(form: string, comparisons: readonly Comparison[]): void {
  const lines = comparisons.flatMap((it) => it.lines);
  const waits = (all: typeof lines) => all.reduce((sum, it) => sum + it.waits, 0);
  const right = waits(lines.filter((it) => it.isRight));
  const share = (all: readonly { readonly isRight: boolean }[]) =>
    `${all.filter((it) => it.isRight).length} of ${all.length}`;
  const parts = comparisons.flatMap((it) => it.parts);
  console.log(
    `| ${form} | ${comparisons.length} | ${right} of ${waits(lines)} (${((100 * right) / waits(lines)).toFixed(2)} %) | ${share(comparisons.flatMap((it) => it.shares))} | ${share(parts.filter((it) => it.part !== 'unexplained'))} | ${share(parts.filter((it) => it.part === 'unexplained'))} |`,
  );
}
