import { deepStrictEqual, ok } from 'node:assert/strict';
import type { BenchmarkCase, MachineValues } from '../../src/proof/case.ts';
import { scalingOf, sensitivityOf } from '../../src/proof/harness/closed-forms.ts';
import { parametersFor, valuesOf } from '../../src/proof/harness/parameters.ts';
import type { Estimates } from '../../src/proof/result.ts';
import { table } from '../../src/proof/table.ts';
import { countersOf, settingsOf } from './proofs-expected.ts';

const every = Object.values<readonly BenchmarkCase[]>(table).flat();

/** As of a run: everything was measured, and differs from what is assumed without a measurement. */
const machine: Required<MachineValues> = {
  ...{ cores: 3, queryMs: 0.23, roundTripMs: 0.17, requestMs: 1.3, serverLateMs: 0.41 },
  ...{ timerLateMs: 0.29, resumeMs: 0.07, connectMs: 3.7, connectTrips: 4, fsyncMs: 0.61 },
  ...{ loopTurnMs: 0.0021, workMs: 2.9, besideMs: 0.13 },
};

/** The parameters with values as by `--set`, on top of those under which the case shows its effect. */
function withSet({ ruleId, variant, parameters }: BenchmarkCase, set: Setting) {
  const settings = { ...settingsOf(`${ruleId}/${variant}`), ...set };
  return parametersFor(parameters, { set: settings }, { maxSeconds: 5 });
}

type Setting = Readonly<Record<string, string>>;

function predictedWith(benchmark: BenchmarkCase, set: Setting) {
  return benchmark.predict?.(valuesOf(withSet(benchmark, set)), machine);
}

/** Every curve that a result of the case prints, with its numeric and its named parameters. */
function curvesOf(benchmark: BenchmarkCase): readonly Estimates[] {
  const parameters = withSet(benchmark, {}).map((it) => ({ ...it, source: 'assumed' as const }));
  const scaling = scalingOf(benchmark, parameters, machine);
  return [...(scaling ? [scaling] : []), ...sensitivityOf(benchmark, parameters, machine)];
}

/** The names in a formula: those of parameters, of measured values, and words such as `min`. */
function namesIn(formula: string): ReadonlySet<string> {
  return new Set(formula.match(/[A-Za-z]+/g));
}

describe('closed forms', () => {
  for (const benchmark of every) {
    describe(`${benchmark.ruleId}/${benchmark.variant}`, () => {
      it('estimates, along each parameter, what --set would predict', () => {
        for (const { parameter, predicts, points } of curvesOf(benchmark)) {
          for (const { value, flagged, mended } of points) {
            const predicted = predictedWith(benchmark, { [parameter]: String(value) })!;
            const isTurned = predicted.unit !== predicts;
            const inUnit = (it: number) => (isTurned ? 1_000 / it : it);
            deepStrictEqual(
              [flagged, mended],
              [inUnit(predicted.flagged), inUnit(predicted.mended)],
              `${parameter} ${value}`,
            );
          }
        }
      });

      it('prints no flat curve', () => {
        for (const { parameter, points } of curvesOf(benchmark)) {
          const sides = points.map((it) => `${it.flagged} ${it.mended}`);
          ok(new Set(sides).size > 1, parameter);
        }
      });

      it('depends on each parameter that its formula names, with all values measured', () => {
        const formula = predictedWith(benchmark, {})?.formula;
        if (formula === undefined) return;
        for (const spec of benchmark.parameters) {
          if (spec.unit === 'word' || !namesIn(formula).has(spec.name)) continue;
          const sides = [spec.min, spec.default, spec.longest ?? spec.max].map((value) => {
            const predicted = predictedWith(benchmark, { [spec.name]: String(value) })!;
            return `${predicted.flagged} ${predicted.mended}`;
          });
          ok(new Set(sides).size > 1, `${spec.name} changes nothing`);
        }
      });

      it('depends on no other number than those that its formula names', () => {
        const formula = predictedWith(benchmark, {})?.formula;
        if (formula === undefined) return;
        const named = (name: string) => hiddenNames.has(name) || namesIn(formula).has(name);
        const curves = curvesOf(benchmark).filter((it) => it.unit !== 'word');
        deepStrictEqual(
          curves.filter((it) => !named(it.parameter)),
          [],
        );
      });
    });
  }

  it('adds the network’s time once per counted round trip', () => {
    let compared = 0;
    for (const benchmark of every) {
      const counts = countersOf(`${benchmark.ruleId}/${benchmark.variant}`);
      if (!benchmark.parameters.some((it) => it.name === 'roundTripMs') || !counts) continue;
      const near = predictedWith(benchmark, { roundTripMs: '0' });
      const far = predictedWith(benchmark, { roundTripMs: '10' });
      const trips = counts.map((it) => (it as Readonly<Record<string, number>>)['round trips']);
      if (!near || !far || trips.includes(undefined)) continue;
      const added = [far.flagged - near.flagged, far.mended - near.mended];
      deepStrictEqual(
        added.map((it) => Math.round(it)),
        trips.map((it) => it! * 10),
        `${benchmark.ruleId}/${benchmark.variant}`,
      );
      compared++;
    }
    ok(compared > 5);
  });
});

/** Part of `yieldMs`; and with a second user, the formula changes to one of throughput, which names them. */
const hiddenNames: ReadonlySet<string> = new Set(['pressureMs', 'users']);
