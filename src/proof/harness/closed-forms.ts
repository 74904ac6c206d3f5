import type {
  BenchmarkCase,
  MachineValues,
  NumberSpec,
  ParameterSpec,
  Prediction,
  Values,
} from '../case.ts';
import type {
  Estimates,
  Measurement,
  Parameter,
  ParameterValue,
  PredictionResult,
  PredictionUnit,
} from '../result.ts';
import { valuesOf } from './parameters.ts';

/** The closed form at the run's own values, next to the measurement. */
export function predictionOf(
  benchmark: BenchmarkCase,
  parameters: readonly Parameter[],
  machine: MachineValues,
  measurement: Measurement,
): PredictionResult | undefined {
  const prediction = benchmark.predict?.(valuesOf(parameters), machine);
  if (!prediction) return undefined;
  const measured = measuredIn(measurement, prediction.unit);
  if (!measured) return undefined;
  return {
    ...prediction,
    gap: {
      flagged: gapOf(measured.flagged, prediction.flagged),
      mended: gapOf(measured.mended, prediction.mended),
    },
  };
}

/** Nothing, as predicted, is no gap. */
function gapOf(measured: number, predicted: number): number {
  return measured === predicted ? 0 : measured / predicted - 1;
}

/** Both sides in the prediction's unit; undefined where the measurement has no such number. */
function measuredIn(
  { kind, ...measurement }: Measurement,
  unit: PredictionUnit,
): { readonly flagged: number; readonly mended: number } | undefined {
  const { flagged, mended } = measurement;
  const numberOf = (side: typeof flagged) => {
    if ('value' in side) return unit === 'count' ? side.value : undefined;
    if (unit === 'ms per iteration') return side.msPerIteration;
    if (unit === 'per second') return side.perSecond;
    return unit === 'ms' ? side.operations.medianMs : undefined;
  };
  const numbers = { flagged: numberOf(flagged), mended: numberOf(mended) };
  return numbers.flagged === undefined || numbers.mended === undefined
    ? undefined
    : { flagged: numbers.flagged, mended: numbers.mended };
}

/** How much the result depends on each assumed value: the closed form at half and twice the value. */
export function sensitivityOf(
  benchmark: BenchmarkCase,
  parameters: readonly Parameter[],
  machine: MachineValues,
): readonly Estimates[] {
  return parameters.flatMap(({ name, source, value }) => {
    const spec = benchmark.parameters.find((it) => it.name === name);
    if (source !== 'assumed' || !spec) return [];
    const around = spec.unit === 'word' ? spec.words : within(spec, pointsAround(Number(value)));
    return estimatesOver(benchmark, parameters, machine, { spec, at: around }) ?? [];
  });
}

/** A time that is left out by default shows what it would change. */
function pointsAround(value: number): readonly number[] {
  return value === 0 ? [0, 1, 10] : [value / 2, value, value * 2];
}

/** The closed form along the one parameter that makes the argument. */
export function scalingOf(
  benchmark: BenchmarkCase,
  parameters: readonly Parameter[],
  machine: MachineValues,
): Estimates | undefined {
  const spec = benchmark.parameters.find((it) => it.name === benchmark.scalesWith);
  const own = parameters.find((it) => it.name === spec?.name);
  if (!spec || !own || spec.unit === 'word') return undefined;
  const factors = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];
  const at = within(
    spec,
    factors.map((it) => it * Number(own.value)),
  );
  return estimatesOver(benchmark, parameters, machine, { spec, at });
}

/** Undefined where the closed form does not depend on the parameter: it states nothing about it. */
function estimatesOver(
  benchmark: BenchmarkCase,
  parameters: readonly Parameter[],
  machine: MachineValues,
  { spec, at }: { readonly spec: ParameterSpec; readonly at: readonly ParameterValue[] },
): Estimates | undefined {
  const values: Values = valuesOf(parameters);
  const predictions = inOneUnit(
    at.flatMap((value) => {
      const prediction = benchmark.predict?.({ ...values, [spec.name]: value }, machine);
      return prediction ? [{ value, ...prediction }] : [];
    }),
  );
  const [first, ...others] = predictions;
  const depends = others.some((it) => it.flagged !== first!.flagged || it.mended !== first!.mended);
  if (!first || !depends) return undefined;
  return {
    parameter: spec.name,
    unit: spec.unit,
    predicts: first.unit,
    points: predictions.map(({ value, flagged, mended }) => ({ value, flagged, mended })),
  };
}

type Point = Pick<Prediction, 'unit' | 'flagged' | 'mended'> & { readonly value: ParameterValue };

/** One user is timed by iterations, several by their throughput: together, all of them by throughput. */
function inOneUnit(points: readonly Point[]): readonly Point[] {
  if (new Set(points.map((it) => it.unit)).size < 2) return points;
  return points.map(({ value, unit, flagged, mended }) =>
    unit === 'ms per iteration'
      ? { value, unit: 'per second', flagged: 1_000 / flagged, mended: 1_000 / mended }
      : { value, unit, flagged, mended },
  );
}

function within({ unit, min, max }: NumberSpec, values: readonly number[]): readonly number[] {
  const isWhole = unit === 'count' || unit === 'bytes';
  const allowed = values
    .map((it) => (isWhole ? Math.round(it) : it))
    .map((it) => Math.min(max, Math.max(min, it)));
  return [...new Set(allowed)];
}
