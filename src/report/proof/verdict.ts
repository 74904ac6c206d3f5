import { deadBounds } from '../../proof/bounds.ts';
import type {
  BenchmarkResult,
  Completed,
  CountedMeasurement,
  TimedMeasurement,
} from '../../proof/result.ts';
import { boundOf, roundedDown } from './bound.ts';
import { durationText, rateText, ratioText } from './figures.ts';

/** The result of a benchmark, for people, in one or two sentences. */
export function verdictSentence(result: BenchmarkResult): string {
  switch (result.state) {
    case 'completed':
      return completedSentence(result);
    case 'unavailable':
      return `It cannot run here: it needs ${result.needs.map(({ what }) => what).join('; ')}.`;
    case 'failed':
      return result.message;
    case 'cancelled':
      return 'Cancelled before there was a result.';
  }
}

function completedSentence(result: Completed): string {
  const { verdict, measurement, isNoisy, quiet } = result;
  if (verdict === 'machine-busy') return 'The machine is busy, try again.';
  if (measurement.kind === 'counted') return countedSentence(measurement, verdict);
  if (quiet.isBusy) return busySentence(measurement, verdict, boundOf(result)?.text);
  if (!isNoisy || verdict === 'no-difference') return timedSentence(measurement, verdict);
  return unsteadySentence(measurement, verdict);
}

function timedSentence(
  measurement: TimedMeasurement,
  verdict: Exclude<Completed['verdict'], 'machine-busy'>,
): string {
  const [flagged, mended] = headlinesOf(measurement);
  const sides = `${flagged} vs ${mended}`;
  if (verdict === 'no-difference') return `No difference seen: ${sides}.`;
  const { ratio, compares, deadMs } = measurement;
  const shorterMs = Math.min(measurement.flagged.msPerIteration, measurement.mended.msPerIteration);
  if (verdict === 'faster') {
    return `The code before the fix is ${ratioText(1 / ratio.value, shorterMs)}x faster here: ${sides}.`;
  }
  const times = ratioText(ratio.value, shorterMs);
  if (compares === 'throughput') return `${times}x less throughput: ${sides}.`;
  return `${times}x slower: ${sides}. ${durationText(deadMs)} of ${lostFrom(compares)} is dead time.`;
}

/** Of the machine as it is: the bounds hold for both sides alongside other programs. Medians ignore most of their work. */
function busySentence(
  measurement: TimedMeasurement,
  verdict: Exclude<Completed['verdict'], 'machine-busy'>,
  bound: string | undefined,
): string {
  const { compares } = measurement;
  const isRate = compares === 'throughput';
  const figures = isRate ? headlinesOf(measurement) : mediansOf(measurement);
  const sides = `${figures.join(' vs ')}${isRate ? '' : ' (medians)'}`;
  const atLeast = bound === undefined ? '' : `at least ${bound}x `;
  switch (verdict) {
    case 'no-difference': {
      const above = bound === undefined ? '' : ` above ${bound}x`;
      return `No difference${above} seen on a busy machine: ${sides}.`;
    }
    case 'faster':
      return `The code before the fix is ${atLeast}faster here, on a busy machine: ${sides}.`;
    case 'slower': {
      const what = capital(`${atLeast}${isRate ? 'less throughput' : 'slower'}`);
      if (isRate) return `${what} on a busy machine: ${sides}.`;
      const dead = durationText(roundedDown(deadBounds(measurement).low));
      return `${what} on a busy machine: ${sides}. At least ${dead} of ${lostFrom(compares)} is dead time.`;
    }
  }
}

/** Time is lost, but the ratio is not reliable. A median ignores most other work of the machine. */
function unsteadySentence(measurement: TimedMeasurement, verdict: 'slower' | 'faster'): string {
  const why = 'the ratio is unstable';
  const { compares, flagged, mended } = measurement;
  if (compares === 'throughput') {
    return `${verdict === 'slower' ? 'Less' : 'More'} throughput: ${headlinesOf(measurement).join(' vs ')}; ${why}.`;
  }
  const [a, b] = [flagged.operations.medianMs, mended.operations.medianMs];
  const medians = `${mediansOf(measurement).join(' vs ')} (medians)`;
  if (verdict === 'faster') return `The code before the fix is faster here: ${medians}; ${why}.`;
  return `Slower: ${medians}. ${durationText(a - b)} of ${lostFrom(compares)} is dead time; ${why}.`;
}

/** What has the dead time in it. */
function lostFrom(compares: TimedMeasurement['compares']): string {
  return compares === 'latency' ? 'an unrelated call' : 'each iteration';
}

function mediansOf({ flagged, mended }: TimedMeasurement): readonly [string, string] {
  return [durationText(flagged.operations.medianMs), durationText(mended.operations.medianMs)];
}

/** The figure of each side that its ratio compares. */
function headlinesOf(measurement: TimedMeasurement): readonly [string, string] {
  const { flagged, mended, compares } = measurement;
  switch (compares) {
    case 'time per iteration':
      return [durationText(flagged.msPerIteration), durationText(mended.msPerIteration)];
    case 'throughput':
      return [rateText(flagged.perSecond), rateText(mended.perSecond)];
    case 'latency':
      return mediansOf(measurement);
  }
}

function countedSentence(
  { flagged, mended }: CountedMeasurement,
  verdict: Completed['verdict'],
): string {
  const sides = `before: ${flagged.text}; after: ${mended.text}`;
  return verdict === 'no-difference' ? `No difference seen: ${sides}.` : `${capital(sides)}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
