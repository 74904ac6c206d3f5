import type { Completed, Estimates, Side, Span, TimedMeasurement } from '../../proof/result.ts';
import { countText, durationText, rateText, sideNames } from './figures.ts';
import { escaped } from './markup.ts';
import { type Scale, scaleOf } from './scale.ts';

const WIDTH = 720;
const LEFT = 130;
const RIGHT = 40;

/** A picture with its text alternative: `title` names it, `description` states what a reader would see. */
interface Picture {
  readonly title: string;
  readonly description: string;
  readonly height: number;
  readonly body: string;
}

function figure({ title, description, height, body }: Picture): string {
  return (
    `<figure><figcaption>${escaped(title)}</figcaption>` +
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(`${title}. ${description}`)}">${body}</svg>` +
    `<p class="alternative">${escaped(description)}</p></figure>`
  );
}

/** Every sample of both variants on one axis of time, with their medians. */
export function dotStrips({ flagged, mended, compares }: TimedMeasurement): string {
  const what = compares === 'latency' ? 'the unrelated call' : 'one operation';
  const samples = [...flagged.operations.samplesMs, ...mended.operations.samplesMs];
  if (samples.length === 0) return '';
  const scale = scaleOf([least(samples), most(samples)], [LEFT, WIDTH - RIGHT]);
  const strip = (side: Side, name: string, top: number) => {
    const { samplesMs, medianMs } = side.operations;
    const dots = samplesMs.map((ms, i) => `M${near(scale.at(ms))} ${near(top + spread(i) * 44)}h0`);
    const x = near(scale.at(medianMs));
    return (
      label(name, top + 26) +
      `<path class="dots ${name}" d="${dots.join('')}"/>` +
      `<path class="median" d="M${x} ${top - 4}v52"/>`
    );
  };
  const many = (side: Side, name: string) =>
    `${name}: median ${durationText(side.operations.medianMs)}, ` +
    `95th percentile ${durationText(side.operations.p95Ms)}, ${side.operations.count.toLocaleString('en')} samples`;
  return figure({
    title: `Every sample: the duration of ${what}${scale.isLogarithmic ? ' (logarithmic axis)' : ''}`,
    description: `${many(flagged, 'before')}; ${many(mended, 'after')}.`,
    height: 170,
    body:
      strip(flagged, 'flagged', 14) + strip(mended, 'mended', 78) + axis(scale, 140, durationText),
  });
}

/** Bars of both sides, with the closed form's prediction as ticks. */
export function bars(
  { flagged, mended }: TimedMeasurement,
  prediction?: Completed['prediction'],
): string {
  const predicted = prediction?.unit === 'ms per iteration' ? prediction : undefined;
  const values = [flagged.msPerIteration, mended.msPerIteration];
  const scale = scaleOf(
    [0, most([...values, predicted?.flagged ?? 0, predicted?.mended ?? 0])],
    [LEFT, WIDTH - RIGHT - 60],
  );
  const bar = (side: Side, name: 'flagged' | 'mended', top: number) => {
    const end = scale.at(side.msPerIteration);
    const tick = predicted ? near(scale.at(predicted[name])) : undefined;
    return (
      label(name, top + 17) +
      `<rect class="${name}" x="${LEFT}" y="${top}" width="${near(Math.max(1, end - LEFT))}" height="24"/>` +
      (tick === undefined ? '' : `<path class="prediction" d="M${tick} ${top - 4}v32"/>`) +
      `<text x="${near(end + 8)}" y="${top + 17}">${escaped(durationText(side.msPerIteration))}</text>`
    );
  };
  const said = predicted
    ? ` The closed form gives ${durationText(predicted.flagged)} and ${durationText(predicted.mended)} (ticks).`
    : '';
  return figure({
    title: 'Time per iteration',
    description: `Before ${durationText(flagged.msPerIteration)}, after ${durationText(mended.msPerIteration)}.${said}`,
    height: 110,
    body: bar(flagged, 'flagged', 8) + bar(mended, 'mended', 46) + axis(scale, 82, durationText),
  });
}

/** One run of each side on the same axis: calls, and between them the dead time. */
export function timeline({ flagged, mended }: TimedMeasurement): string {
  const spans = [...flagged.timeline, ...mended.timeline];
  if (spans.length === 0) return '';
  const scale = scaleOf([0, most(spans.map(({ endMs }) => endMs))], [LEFT, WIDTH - RIGHT]);
  let top = 6;
  const rows = (
    [
      ['flagged', flagged],
      ['mended', mended],
    ] as const
  ).flatMap(([name, side]) => {
    const heading = `<text class="heading" x="0" y="${top + 13}">${sideNames[name]}</text>`;
    top += 20;
    const labels = [...new Set(side.timeline.map((it) => it.label))].slice(0, 12);
    return [
      heading,
      ...labels.map((text) => {
        const bars = side.timeline.filter((it) => it.label === text);
        const row = label(text, top + 12) + bars.map((it) => span(it, scale, top)).join('');
        top += 20;
        return row;
      }),
    ];
  });
  return figure({
    title: 'One run of each (red: waiting that the fix removes)',
    description: `${sumOf(flagged, 'before')} ${sumOf(mended, 'after')}`,
    height: top + 32,
    body: rows.join('') + axis(scale, top + 4, durationText),
  });
}

function span({ kind, startMs, endMs }: Span, scale: Scale, top: number): string {
  const x = scale.at(startMs);
  const width = Math.max(0.5, scale.at(endMs) - x);
  return `<rect class="${kind}" x="${near(x)}" y="${top}" width="${near(width)}" height="15"/>`;
}

function sumOf({ timeline }: Side, name: string): string {
  const total = (kind: Span['kind']) =>
    timeline.filter((it) => it.kind === kind).reduce((sum, it) => sum + it.endMs - it.startMs, 0);
  const end = most(timeline.map(({ endMs }) => endMs));
  return (
    `${name}: ${durationText(end)} from start to end, with ${durationText(total('call'))} in calls ` +
    `and ${durationText(total('dead'))} of dead time.`
  );
}

/** The closed form over one parameter, both sides. */
export function curves({ parameter, unit, predicts, points }: Estimates): string {
  const numeric = points.filter(({ value }) => typeof value === 'number');
  if (numeric.length < 2) return '';
  const xs = numeric.map(({ value }) => Number(value));
  const ys = numeric.flatMap(({ flagged, mended }) => [flagged, mended]);
  const x = scaleOf([least(xs), most(xs)], [LEFT, WIDTH - RIGHT]);
  const y = scaleOf([least(ys), most(ys)], [180, 14]);
  const inY = {
    'per second': rateText,
    'ms per iteration': durationText,
    ms: durationText,
    count: countText,
  };
  const inX = (value: number) => (unit === 'ms' ? durationText(value) : countText(value));
  const line = (name: 'flagged' | 'mended') =>
    `<polyline class="line ${name}" points="${numeric
      .map((it) => `${near(x.at(Number(it.value)))},${near(y.at(it[name]))}`)
      .join(' ')}"/>`;
  const grid = y.ticks.map(
    (tick) =>
      `<path class="grid" d="M${LEFT} ${near(y.at(tick))}H${WIDTH - RIGHT}"/>` +
      `<text class="tick" text-anchor="end" x="${LEFT - 8}" y="${near(y.at(tick) + 4)}">${escaped(inY[predicts](tick))}</text>`,
  );
  const last = numeric.at(-1)!;
  return figure({
    title: `Estimated over ${parameter}: ${predicts}`,
    description:
      `At ${parameter} = ${inX(Number(last.value))}: before ${inY[predicts](last.flagged)}, ` +
      `after ${inY[predicts](last.mended)}. From the closed form; only one point was run.`,
    height: 220,
    body: grid.join('') + line('flagged') + line('mended') + axis(x, 186, inX),
  });
}

function axis(scale: Scale, top: number, text: (value: number) => string): string {
  const ticks = scale.ticks.map((tick) => {
    const x = near(scale.at(tick));
    return (
      `<path class="grid" d="M${x} ${top}v6"/>` +
      `<text class="tick" text-anchor="middle" x="${x}" y="${top + 19}">${escaped(text(tick))}</text>`
    );
  });
  return `<path class="axis" d="M${LEFT} ${top}H${WIDTH - RIGHT}"/>${ticks.join('')}`;
}

/** Names longer than the margin are cut; the picture's text has them whole. */
function label(text: string, y: number): string {
  const short = text.length > 20 ? `${text.slice(0, 19)}…` : text;
  return `<text class="label" text-anchor="end" x="${LEFT - 10}" y="${y}">${escaped(short)}<title>${escaped(text)}</title></text>`;
}

/** 0 to 1, the same for the same sample in every report: the golden ratio spreads neighbours apart. */
function spread(i: number): number {
  return (i * 0.618034) % 1;
}

function near(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), 0);
}
