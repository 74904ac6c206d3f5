import type {
  BenchmarkResult,
  Completed,
  CountedMeasurement,
  TimedMeasurement,
} from '../../proof/result.ts';
import { durationText, rateText, ratioText } from './figures.ts';

/** What a benchmark came to, for people, in one or two sentences. */
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

function completedSentence({ verdict, measurement, quiet, isNoisy }: Completed): string {
  if (verdict === 'machine-busy') {
    return `The machine is busy, so the numbers are not valid. ${quiet.signs.join(' ')}`.trim();
  }
  if (measurement.kind === 'counted') return countedSentence(measurement, verdict);
  if (!isNoisy || verdict === 'no-difference') return timedSentence(measurement, verdict);
  const why = quiet.isBusy ? 'the machine is busy' : 'the ratio is unstable';
  return unsteadySentence(measurement, verdict, why);
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
  const what = compares === 'latency' ? 'an unrelated call' : 'each iteration';
  return `${times}x slower: ${sides}. ${durationText(deadMs)} of ${what} is dead time.`;
}

/** Time is lost, but the ratio is not reliable. A median ignores most other work of the machine. */
function unsteadySentence(
  measurement: TimedMeasurement,
  verdict: 'slower' | 'faster',
  why: string,
): string {
  const { compares, flagged, mended } = measurement;
  if (compares === 'throughput') {
    return `${verdict === 'slower' ? 'Less' : 'More'} throughput: ${headlinesOf(measurement).join(' vs ')}; ${why}.`;
  }
  const [a, b] = [flagged.operations.medianMs, mended.operations.medianMs];
  const medians = `${durationText(a)} vs ${durationText(b)} (medians)`;
  if (verdict === 'faster') return `The code before the fix is faster here: ${medians}; ${why}.`;
  const what = compares === 'latency' ? 'an unrelated call' : 'each iteration';
  return `Slower: ${medians}. ${durationText(a - b)} of ${what} is dead time; ${why}.`;
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
      return [durationText(flagged.operations.medianMs), durationText(mended.operations.medianMs)];
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
