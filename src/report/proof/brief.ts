import type { BenchmarkResult, TimedMeasurement } from '../../proof/result.ts';
import { boundOf, boundText } from './bound.ts';
import { ratioText, shareText } from './figures.ts';
import { environmentText } from './text.ts';
import { visible } from '../visible.ts';
import { verdictSentence } from './verdict.ts';

/** A proof in a few lines: the verdict, how steady it is, where it was measured, and what it does not show. */
export function proofBrief(result: BenchmarkResult): string {
  const needs = result.state === 'unavailable' ? result.needs : [];
  return [
    verdictSentence(result),
    ...ratioLines(result),
    ...needs.map(({ what, command }) => (command === undefined ? what : `${what}: ${command}`)),
    ...(result.state === 'completed' ? completedLines(result) : []),
    `Repeat: ${result.command}`,
  ]
    .map(visible)
    .join('\n');
}

type Completed = Extract<BenchmarkResult, { readonly state: 'completed' }>;

function ratioLines(result: BenchmarkResult): readonly string[] {
  if (result.state !== 'completed' || result.measurement.kind === 'counted') return [];
  const { measurement, quiet } = result;
  const bound = boundOf(result);
  if (bound) return [`The ratio is ${boundText(bound, measurement.ratio)}.`];
  // A number that is wrong is worse than none.
  return quiet.isBusy ? [] : [intervalText(measurement)];
}

function intervalText({ ratio, flagged, mended }: TimedMeasurement): string {
  const shorterMs = Math.min(flagged.msPerIteration, mended.msPerIteration);
  const [low, high] = [ratio.low, ratio.high].map((it) => ratioText(it, shorterMs));
  return `${low} to ${high} times, the ${shareText(ratio.confidence)} interval of ${ratio.pairs.length} pairs.`;
}

function completedLines(result: Completed): readonly string[] {
  const { shape, status, doesNotShow } = result;
  const ran =
    shape.kind === 'replay'
      ? `the waits of ${shape.unit}, with a query in place of each`
      : 'the rule’s own case with the values of the code';
  const where = status === 'simulated' ? 'Simulated' : 'Measured';
  return [
    `Ran ${ran}.`,
    `${where} on ${environmentText(result)}.`,
    ...doesNotShow.map((it) => `Does not show: ${it}`),
  ];
}
