import { deepStrictEqual, ok } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { FileProbes, Plan } from '../../src/runtime/plan.ts';
import { builtCli } from '../fakes/built-cli.ts';
import { itInFull, sampled } from '../lanes.ts';
import { type Comparison, comparisonOf } from './truth/comparison.ts';
import { measured } from './truth/measured.ts';
import { programOf } from './truth/program.ts';
import type { Form } from './truth/writer.ts';

const isStripping = Boolean((process.features as { readonly typescript?: unknown }).typescript);

/** Each with a seed of its own. */
const forms: readonly Form[] = [
  ...(['esm', 'commonjs', 'tsx'] as const),
  ...(isStripping ? (['stripped'] as const) : []),
];

/** Counts are exact on any machine, and times are not: `npm run -w lab attribution` judges these. */
const SLACK_MS = 100;

describe('a recording of a generated program', function () {
  this.timeout(300_000);
  let cli: string;
  before(async () => {
    cli = await builtCli();
    ok(existsSync(cli));
  });

  for (const [i, form] of forms.entries()) {
    (i === 0 ? it : itInFull)(`is what the program logs of itself, as ${form}`, () => {
      const program = programOf(i + 1, { form, times: 1 });
      const run = measured(program, { cli });
      const result = comparisonOf(program, run, run.stolenMs + SLACK_MS);
      ok(result.lines.length > 70 && result.shares.length > 70);
      deepStrictEqual(wrongIn(result), []);
    });
  }

  const names = ['a literal sleep', 'a statement', 'a transaction', 'helpers of Promise.all'];
  for (const [without, mutate, expected] of sampled([
    ['sleeps', sitesBut('sleep'), ['line a literal sleep', 'line a worker']],
    ['statements', sitesBut('db'), ['line a statement', 'line a worker']],
    ['requests', sitesBut('network'), ['line helpers of Promise.all']],
    ['loops', inFiles((it) => ({ ...it, sources: [] })), ['count']],
    [
      'methods of drivers',
      (plan: Plan) => ({ ...plan, drivers: [] }),
      ['statements', 'checkouts', 'releases'],
    ],
  ] as const)) {
    it(`is wrong without probes of ${without}`, () => {
      const program = programOf(7, { form: 'esm', names, times: 1 });
      const wrong = wrongIn(comparisonOf(program, measured(program, { cli, mutate }), Infinity));
      for (const it of expected) ok(wrong.includes(it), `${it} is not in ${wrong.join()}`);
    });
  }
});

function wrongIn({ lines, shares, parts }: Comparison): readonly string[] {
  return [
    ...lines.filter((it) => !it.isRight).map((it) => `line ${it.shapes}`),
    ...shares.filter((it) => !it.isRight).map((it) => `share ${JSON.stringify(it)}`),
    ...parts.filter((it) => !it.isRight).map((it) => it.part),
  ];
}

function sitesBut(kind: string): (plan: Plan) => Plan {
  return inFiles((it) => ({ ...it, sites: it.sites.filter((site) => site.kind !== kind) }));
}

function inFiles(change: (probes: FileProbes) => FileProbes): (plan: Plan) => Plan {
  return (plan) => ({
    ...plan,
    files: plan.files.map((it) => ({ ...it, probes: change(it.probes) })),
  });
}
