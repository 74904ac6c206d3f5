import { createColors } from 'picocolors';
import type {
  BenchmarkResult,
  Completed,
  CountedMeasurement,
  Distribution,
  Environment,
  Estimates,
  Parameter,
  PredictionResult,
  PredictionUnit,
  Ratio,
  Shape,
  Side,
  TimedMeasurement,
} from '../../proof/result.ts';
import { type Bound, boundOf, boundText } from './bound.ts';
import { countText, durationText, rateText, ratioText, shareText, sideNames } from './figures.ts';
import type { Proof } from './html.ts';
import { visible, visibleLines } from '../visible.ts';
import { verdictSentence } from './verdict.ts';

export interface ProofTextOptions {
  readonly hasColors: boolean;
}

/** From this difference between the closed form and the measurement on, the report names it. */
const NAMED_GAP = 0.25;

/** A proof for a terminal: the verdict first, then its reasons. */
export function proofText(
  { result, finding }: Omit<Proof, 'source'>,
  { hasColors }: ProofTextOptions,
): string {
  const { bold, cyan, dim } = createColors(hasColors);
  const place = finding ? [`${bold(visible(finding.place))}  ${visible(finding.message)}`] : [];
  const lines = [
    ...place,
    `${cyan(`${result.ruleId}/${result.variant}`)}  ${result.title}`,
    ...(result.arrangement === 'written' ? [] : [controls[result.arrangement]]),
    // A failure quotes the server, which is not trusted.
    bold(visibleLines(verdictSentence(result))),
    ...(result.state === 'completed' ? completedLines(result) : []),
    ...(result.state === 'unavailable' ? result.needs.map(needLine) : []),
    ...rows('Repeat', [visible(result.command)]),
  ];
  return `${lines.join('\n')}\n${dim('')}\n`;
}

const controls = {
  mended: 'Control: the code after the fix ran on both sides, so there must be no difference.',
  swapped: 'Control: the sides are swapped, so the code after the fix must look slower.',
} as const;

/** A label in front of the first of some lines. */
function rows(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, i) => `  ${(i === 0 ? label : '').padEnd(11)} ${line}`);
}

function completedLines(result: Completed): readonly string[] {
  return [
    ...measuredLines(result),
    ...shapeLines(result.shape),
    ...rows('Parameters', result.parameters.map(parameterText)),
    ...rows(capital(result.status), [environmentText(result)]),
    ...rows('Not shown', result.doesNotShow),
  ];
}

function measuredLines(result: Completed): readonly string[] {
  const { measurement, prediction, sensitivity, isNoisy, quiet } = result;
  if (measurement.kind === 'counted') return countedLines(measurement);
  const counted = rows('Counted', countersOf(measurement));
  // A number that is wrong is worse than none; a count is right on any machine.
  if (result.verdict === 'machine-busy') {
    return [...counted, ...rows('Busy', quiet.signs)];
  }
  return [
    ...timedLines(measurement, boundOf(result)),
    ...counted,
    // What the rest of the machine took is no gap of the formula.
    ...(prediction && !quiet.isBusy ? predictionLines(prediction) : []),
    ...rows('Estimated', sensitivity.map(estimateText)),
    ...rows('Noisy', [
      ...(isNoisy && !quiet.isBusy
        ? ['The ratio is unstable: it differs between pairs, or between means and medians.']
        : []),
      ...quiet.signs,
    ]),
  ];
}

/** More lines than that are in the page that --html writes. */
const LONGEST_PROGRAM = 14;

function shapeLines(shape: Shape): readonly string[] {
  if (shape.kind === 'case') {
    if (shape.because === undefined) return [];
    return rows('Ran', [`the rule’s own case; your code is not replayed: ${shape.because}`]);
  }
  const lines = shape.flagged.trimEnd().split('\n');
  const shown = lines.length > LONGEST_PROGRAM ? [...lines.slice(0, LONGEST_PROGRAM), '…'] : lines;
  return rows('Replayed', [`${shape.unit}, with a query for each wait:`, ...shown]);
}

function needLine({ what, command }: { readonly what: string; readonly command?: string }): string {
  return visible(command === undefined ? `  ${what}` : `  ${what}: ${command}`);
}

const BAR_WIDTH = 40;

function timedLines(measurement: TimedMeasurement, bound: Bound | undefined): readonly string[] {
  const { flagged, mended, compares, ratio } = measurement;
  const lengths = { flagged: lengthOf(flagged, compares), mended: lengthOf(mended, compares) };
  const longest = Math.max(lengths.flagged, lengths.mended);
  const shorterMs = Math.min(flagged.msPerIteration, mended.msPerIteration);
  const coverage = `${shareText(ratio.confidence)} interval of ${ratio.pairs.length} pairs`;
  return [
    ...rows('Before', [flagged.label, barOf(lengths.flagged / longest), paceText(flagged)]),
    ...rows('After', [mended.label, barOf(lengths.mended / longest), paceText(mended)]),
    ...rows(compares === 'latency' ? 'The call' : 'Single', [
      ...[sideNames.flagged, sideNames.mended].map(
        (name, i) => `${name}: ${distributionText([flagged, mended][i]!.operations)}`,
      ),
    ]),
    ...rows('Fixed rate', openLoopTexts(measurement)),
    ...rows('Event loop', [
      `busy ${shareText(flagged.eventLoopUtilization)} before, ${shareText(mended.eventLoopUtilization)} after`,
    ]),
    ...rows('Dead time', [
      `${durationText(measurement.deadMs)} (${measurement.deadRangeMs.map(durationText).join(' to ')}, ${coverage})`,
    ]),
    ...rows('Ratio', [bound ? boundText(bound, ratio) : ratioLine(ratio, shorterMs)]),
  ];
}

function ratioLine({ value, low, high, byMedian, byP25 }: Ratio, shorterMs: number): string {
  const [middle, least, most] = [value, low, high].map((it) => ratioText(it, shorterMs));
  return [
    `${middle} (${least} to ${most})`,
    ...(byMedian === undefined ? [] : [`${ratioText(byMedian, shorterMs)} by the median`]),
    ...(byP25 === undefined ? [] : [`${ratioText(byP25, shorterMs)} by the 25th percentile`]),
  ].join('; ');
}

/** What the bars draw: the longer, the worse, except where throughput is compared. */
function lengthOf(side: Side, compares: TimedMeasurement['compares']): number {
  if (compares === 'throughput') return side.perSecond;
  return compares === 'latency' ? side.operations.medianMs : side.msPerIteration;
}

/** Eighths of a character, because one in forty is coarse. */
function barOf(share: number): string {
  const eighths = Math.max(1, Math.round(share * BAR_WIDTH * 8));
  return '█'.repeat(eighths >> 3) + ' ▏▎▍▌▋▊▉'.charAt(eighths & 7).trim();
}

function paceText({ msPerIteration, perSecond }: Side): string {
  return `${durationText(msPerIteration)} per iteration, at most ${rateText(perSecond)}`;
}

function distributionText({ p25Ms, medianMs, p95Ms, count }: Distribution): string {
  return (
    `25 % within ${durationText(p25Ms)}, half within ${durationText(medianMs)}, ` +
    `95 % within ${durationText(p95Ms)} (${countText(count)} samples)`
  );
}

function openLoopTexts({ flagged, mended }: TimedMeasurement): readonly string[] {
  if (!flagged.openLoop || !mended.openLoop) return [];
  return [
    `${rateText(flagged.openLoop.perSecond)}, each call timed from when it should have started`,
    `before: ${distributionText(flagged.openLoop.responses)}`,
    `after: ${distributionText(mended.openLoop.responses)}`,
  ];
}

function countersOf({ flagged, mended }: TimedMeasurement): readonly string[] {
  const counters = flagged.counters.map(({ name, per, value }) => {
    const other = mended.counters.find((it) => it.name === name && it.per === per);
    return `${against(value, other?.value)} ${name} per ${per}`;
  });
  const gauges = flagged.gauges.map(({ name, peak }) => {
    const other = mended.gauges.find((it) => it.name === name);
    return `${against(peak, other?.peak)} ${name} at most`;
  });
  return [...counters, ...gauges];
}

function against(value: number, other: number | undefined): string {
  return other === undefined
    ? countText(value)
    : `${countText(value)} before, ${countText(other)} after:`;
}

function countedLines({ flagged, mended }: CountedMeasurement): readonly string[] {
  return [
    ...rows('Before', [`${flagged.label}: ${flagged.text}`]),
    ...rows('After', [`${mended.label}: ${mended.text}`]),
  ];
}

function predictionLines({
  formula,
  unit,
  flagged,
  mended,
  gap,
}: PredictionResult): readonly string[] {
  const lines = [
    `${inUnit(flagged, unit)} before, ${inUnit(mended, unit)} after: ${formula}`,
    `measured ${gapText(gap.flagged)} before, ${gapText(gap.mended)} after`,
  ];
  const isFar = Math.abs(gap.flagged) > NAMED_GAP || Math.abs(gap.mended) > NAMED_GAP;
  return rows('Predicted', [
    ...lines,
    ...(isFar ? ['first-principle gap: the formula does not include a cost or a saving'] : []),
  ]);
}

function gapText(gap: number): string {
  return `${gap >= 0 ? '+' : '-'}${shareText(Math.abs(gap))}`;
}

export function inUnit(value: number, unit: PredictionUnit): string {
  switch (unit) {
    case 'per second':
      return rateText(value);
    case 'count':
      return countText(value);
    case 'ms':
    case 'ms per iteration':
      return durationText(value);
  }
}

/** "sleepMs 10: 10.2 ms vs 0.2 ms": the closed form, where the parameter is assumed. */
function estimateText({ parameter, unit, predicts, points }: Estimates): string {
  const at = points.map(
    ({ value, flagged, mended }) =>
      `at ${valueText(value, unit)} ${inUnit(flagged, predicts)} vs ${inUnit(mended, predicts)}`,
  );
  return `${parameter}: ${at.join(', ')}`;
}

const sources: Readonly<Record<Parameter['source'], string>> = {
  code: 'from the code',
  default: 'default',
  profile: 'deadtime.profile.json',
  assumed: 'assumed',
  suggested: 'suggested',
  set: 'set',
};

export function parameterText(parameter: Parameter): string {
  return `${parameterValueText(parameter)}, ${parameter.description}`;
}

/** "roundTripMs 0.5 ms (assumed)". */
export function parameterValueText({ name, value, unit, source, note }: Parameter): string {
  // The note of a value from the code contains its origin.
  const from = [...(source === 'code' && note ? [] : [sources[source]]), note]
    .filter((it) => it !== undefined)
    .join(': ');
  return `${name} ${valueText(value, unit)} (${from})`;
}

function valueText(value: Parameter['value'], unit: Parameter['unit']): string {
  if (typeof value !== 'number') return String(value);
  if (unit === 'ms') return durationText(value);
  if (unit === 'share') return shareText(value);
  return unit === 'bytes' ? `${countText(value)} bytes` : countText(value);
}

/** The machine, its database and when it was. */
export function environmentText({ environment, durationMs }: BenchmarkResult): string {
  const { database, node, platform, cpu, cores, load, date }: Environment = environment;
  return [
    ...(database === undefined ? [] : [database]),
    `Node.js ${node}`,
    platform,
    `${cores} × ${cpu}`,
    `load ${load.toFixed(1)}`,
    date.slice(0, 16).replace('T', ' '),
    `in ${durationText(durationMs)}`,
  ].join(', ');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
