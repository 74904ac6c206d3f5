import { existsSync, readFileSync } from 'node:fs';
import { medianOf } from '../../src/proof/harness/statistics.ts';
import type { Environment, Tolerance, Verdict } from '../../src/proof/result.ts';

/** The measurements that `npm run measure` writes and the pages show. */
export interface Measurements {
  readonly writtenBy: string;
  readonly version: string;
  readonly environment: Omit<Environment, 'database'>;
  readonly databases: readonly string[];
  readonly cases: readonly MeasuredCase[];
}

export interface MeasuredCase {
  readonly ruleId: string;
  readonly variant: string;
  readonly title: string;
  /** The labels of the sides. */
  readonly flagged: string;
  readonly mended: string;
  /** Where it was measured at a later time than the rest. */
  readonly environment?: Measurements['environment'];
  /** Sequentially, on an idle machine. */
  readonly runs: readonly MeasuredRun[];
  /** One with as many busy processes as the machine has cores, twice. */
  readonly underLoad: MeasuredRun | undefined;
}

export type MeasuredRun =
  | {
      readonly kind: 'timed';
      readonly verdict: Verdict;
      readonly compares: 'time per iteration' | 'throughput' | 'latency';
      /** Milliseconds of the compared quantity; under load, between two completions. */
      readonly flaggedMs: number;
      readonly mendedMs: number;
      readonly ratio: number;
      readonly isNoisy: boolean;
      /** On a busy machine, where a ratio means anything: how many times slower it is at least. */
      readonly atLeast?: number;
      /** Only where the case claims a tolerance: how far the measurement lies from the closed form. */
      readonly gap: { readonly flagged?: number; readonly mended?: number };
      /** The claim of the case. */
      readonly tolerance: Tolerance;
    }
  | {
      readonly kind: 'counted';
      readonly verdict: Verdict;
      readonly flagged: string;
      readonly mended: string;
    }
  | { readonly kind: 'none'; readonly why: string };

export const measurementsPath = 'docs/measurements.json';

export type TimedRun = Extract<MeasuredRun, { readonly kind: 'timed' }>;

/** The runs on an idle machine. */
export function believed(runs: readonly MeasuredRun[]): readonly TimedRun[] {
  return runs.filter((it): it is TimedRun => it.kind === 'timed' && it.verdict !== 'machine-busy');
}

/** The runs with a ratio worth quoting. */
export function quoted(runs: readonly MeasuredRun[]): readonly TimedRun[] {
  return believed(runs).filter((it) => !it.isNoisy);
}

/** How far the ratio of one of the runs lies from their median, as a part of it. */
export function spreadOf(runs: readonly TimedRun[]): number {
  const ratio = medianOf(runs.map((it) => it.ratio));
  return Math.max(...runs.map((it) => Math.abs(it.ratio / ratio - 1)));
}

/** Undefined before the first measurement. */
export function measurements(): Measurements | undefined {
  if (!existsSync(measurementsPath)) return undefined;
  return JSON.parse(readFileSync(measurementsPath, 'utf8')) as Measurements;
}
