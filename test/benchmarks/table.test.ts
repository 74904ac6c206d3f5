import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { BenchmarkCase, ParameterSpec, Values } from '../../src/proof/case.ts';
import { parametersFor, valuesOf } from '../../src/proof/harness/parameters.ts';
import { table } from '../../src/proof/table.ts';
import { allTargets } from '../../src/cli/proof-targets.ts';
import type { Evidence } from '../../rules/define-rule.ts';
import { rules } from '../../rules/index.ts';
import { evidenceIn } from './evidence.ts';
// It needs the same evidence, which takes long to find.
import './provenance.ts';

const entries = Object.entries<readonly BenchmarkCase[]>(table);
const every = entries.flatMap(([, cases]) => cases);

/** What was measured, somewhere: enough for each closed form. */
const machine = {
  cores: 2,
  roundTripMs: 0.1,
  connectMs: 3,
  fsyncMs: 0.3,
  loopTurnMs: 0.002,
  workMs: 3,
};

describe('the table of benchmarks', () => {
  for (const [ruleId, cases] of entries) {
    it(`has cases of ${ruleId}, each of its own variant`, () => {
      ok(cases.length > 0);
      deepStrictEqual(
        cases.filter((it) => it.ruleId !== ruleId),
        [],
      );
      strictEqual(new Set(cases.map((it) => it.variant)).size, cases.length);
      ok(existsSync(`src/proof/cases/${ruleId}.ts`));
    });
  }

  it('is run whole, and on a server of the user’s where that is asked', () => {
    const namesOf = (isOnServer: boolean) => allTargets(table, { isOnServer }).map((it) => it.name);
    strictEqual(namesOf(false).length, every.length);
    const onServer = namesOf(true);
    ok(onServer.includes('no-autocommit-in-loop/insert'));
    ok(!onServer.includes('no-blocking-sleep/blocking'));
  });

  for (const benchmark of every) {
    describe(`${benchmark.ruleId}/${benchmark.variant}`, () => {
      it('states what it is and what it does not show', () => {
        match(benchmark.title, /^[A-Z].*[^.]$/);
        ok(benchmark.doesNotShow.length > 0);
        for (const sentence of benchmark.doesNotShow) match(sentence, /^\S.*\.$/);
      });

      it('has defaults within its limits', () => {
        const defaults = valuesOf(parametersFor(benchmark.parameters, {}, { maxSeconds: 5 }));
        deepStrictEqual(unfit(benchmark.parameters, defaults), []);
        for (const spec of benchmark.parameters) {
          match(spec.description, /^\S.*[^.]$/);
          if (spec.unit !== 'word') ok(spec.default <= (spec.longest ?? Infinity), spec.name);
        }
      });

      it('predicts a number from its defaults', () => {
        const defaults = valuesOf(parametersFor(benchmark.parameters, {}, { maxSeconds: 5 }));
        const prediction = benchmark.predict?.(defaults, machine);
        if (!prediction) return;
        ok(Number.isFinite(prediction.flagged) && Number.isFinite(prediction.mended));
        ok(prediction.flagged !== prediction.mended, 'the shapes cost the same');
      });

      it('scales with one of its parameters', () => {
        if (benchmark.scalesWith === undefined) return;
        ok(benchmark.parameters.some((it) => it.name === benchmark.scalesWith));
      });
    });
  }

  for (const rule of rules) {
    it(`has a case for every finding in the fixtures of ${rule.id}`, () => {
      const seen = new Set<string>();
      for (const { evidence } of evidenceIn(rule.id)) seen.add(assertRunnable(rule.id, evidence));
      ok(seen.size > 0);
    });
  }
});

/** One case takes it, and gets values that it can run; returns that case's variant. */
function assertRunnable(ruleId: string, evidence: Evidence): string {
  const cases = entries.find(([id]) => id === ruleId)?.[1] ?? [];
  const takers = cases.filter((it) => it.parametersOf(evidence));
  strictEqual(takers.length, 1, `${ruleId} ${JSON.stringify(evidence)}`);
  const [taker] = takers;
  const read = taker!.parametersOf(evidence) as Values;
  deepStrictEqual(unfit(taker!.parameters, read), [], JSON.stringify(evidence));
  const values = valuesOf(parametersFor(taker!.parameters, { code: read }, { maxSeconds: 5 }));
  deepStrictEqual(unfit(taker!.parameters, values), []);
  return taker!.variant;
}

function unfit(specs: readonly ParameterSpec[], values: Values): readonly string[] {
  return Object.entries(values)
    .filter(([name, value]) => {
      const spec = specs.find((it) => it.name === name);
      if (!spec) return true;
      if (spec.unit === 'word') return !spec.words.includes(String(value));
      return !(Number(value) >= spec.min && Number(value) <= spec.max);
    })
    .map(([name, value]) => `${name}=${value}`);
}
