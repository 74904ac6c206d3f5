import type {
  BenchmarkResult,
  Completed,
  Environment,
  Parameter,
  Side,
  TimedMeasurement,
} from '../../proof/result.ts';
import { htmlPage } from '../html-page.ts';
import { boundOf, boundText } from './bound.ts';
import { countText, durationText, rateText, ratioText, shareText, sideNames } from './figures.ts';
import { escaped, table } from './markup.ts';
import { bars, curves, dotStrips, timeline } from './plots.ts';
import { verdictSentence } from './verdict.ts';

/** A result and its finding. */
export interface Proof {
  readonly result: BenchmarkResult;
  /** The finding that it proves: "src/worker.ts:41" and its message. */
  readonly finding?: { readonly place: string; readonly message: string };
  /** The code that ran, as in its file. */
  readonly source: { readonly path: string; readonly text: string };
}

/** One file that needs no network and no script; every picture has a text alternative. */
export function proofHtml(proofs: readonly Proof[], version: string): string {
  const title = proofs.length === 1 ? proofs[0]!.result.title : `${proofs.length} proofs`;
  const body = [
    `<h1>Deadtime: ${proofs.length === 1 ? 'a proof' : escaped(title)}</h1>`,
    proofs.length > 1 ? contents(proofs) : '',
    ...proofs.map(section),
  ];
  return htmlPage({ title, version, body: body.join('\n') });
}

function contents(proofs: readonly Proof[]): string {
  const lines = proofs.map(
    ({ result }, i) =>
      `<li><a href="#proof-${i}">${escaped(result.title)}</a> <span class="verdict ${toneOf(result)}">${escaped(verdictSentence(result))}</span></li>`,
  );
  return `<ol>${lines.join('')}</ol>`;
}

function section({ result, finding, source }: Proof, i: number): string {
  return [
    `<section id="proof-${i}">`,
    `<h2>${escaped(result.title)}</h2>`,
    `<p class="rule"><code>${escaped(result.ruleId)}</code> · ${escaped(result.variant)} · <strong>${escaped(statusWords[result.status])}</strong></p>`,
    finding
      ? `<blockquote><p><code>${escaped(finding.place)}</code></p><p>${escaped(finding.message)}</p></blockquote>`
      : '',
    `<p class="verdict ${toneOf(result)}">${escaped(verdictSentence(result))}</p>`,
    result.state === 'completed' ? completed(result) : '',
    result.state === 'unavailable' ? needs(result.needs) : '',
    parameters(result.parameters),
    `<h3>Repeat it</h3><pre><code>${escaped(result.command)}</code></pre>`,
    environment(result),
    list('What this does not show', result.doesNotShow),
    `<details><summary>The code that ran: ${escaped(source.path)}</summary><pre><code>${escaped(source.text)}</code></pre></details>`,
    '</section>',
  ].join('\n');
}

const statusWords = {
  simulated: 'simulated: real components on one machine, with delays that the benchmark sets',
  measured: 'measured on your server',
} as const;

function toneOf(result: BenchmarkResult): string {
  return result.state === 'completed' ? result.verdict : result.state;
}

function completed(result: Completed): string {
  const { measurement, prediction, isNoisy, quiet } = result;
  return [
    isNoisy
      ? `<p class="warning">${quiet.isBusy ? quiet.signs.map(escaped).join(' ') : 'The ratio is unstable: it differs between pairs, or between means and medians.'}</p>`
      : '',
    measurement.kind === 'timed'
      ? timed(measurement, result)
      : table('What happened', [
          ['', measurement.flagged.of, ''],
          ...(['flagged', 'mended'] as const).map((name) => [
            `${sideNames[name]}: ${measurement[name].label}`,
            countText(measurement[name].value),
            measurement[name].text,
          ]),
        ]),
    // What the rest of the machine took is no gap of the formula.
    prediction && !quiet.isBusy ? predicted(prediction) : '',
    result.scaling ? curves(result.scaling) : '',
    ...result.sensitivity.map(curves),
  ].join('\n');
}

function timed(measurement: TimedMeasurement, result: Completed): string {
  const { prediction, quiet } = result;
  const bound = boundOf(result);
  const { ratio, flagged, mended, compares } = measurement;
  const shorterMs = Math.min(flagged.msPerIteration, mended.msPerIteration);
  const interval =
    `${ratioText(ratio.value, shorterMs)}, between ${ratioText(ratio.low, shorterMs)} and ${ratioText(ratio.high, shorterMs)} ` +
    `in ${shareText(ratio.confidence)} of such runs (order statistics of ${ratio.pairs.length} pairs), by ${compares}.`;
  return [
    compares === 'time per iteration' ? bars(measurement, prediction) : '',
    quiet.isBusy && !bound
      ? ''
      : `<p>Ratio: ${escaped(bound ? `${boundText(bound, ratio)}, by ${compares}.` : interval)}</p>`,
    sides(flagged, mended),
    dotStrips(measurement),
    timeline(measurement),
  ].join('\n');
}

function sides(flagged: Side, mended: Side): string {
  const row = (name: string, figure: (side: Side) => string) => [
    name,
    figure(flagged),
    figure(mended),
  ];
  const counters = flagged.counters.map(({ name, per }) =>
    row(`${name} per ${per}`, (side) => {
      const counter = side.counters.find((it) => it.name === name && it.per === per);
      return counter ? countText(counter.value) : 'not counted';
    }),
  );
  const gauges = flagged.gauges.map(({ name }) =>
    row(`${name}, peak`, (side) => {
      const gauge = side.gauges.find((it) => it.name === name);
      return gauge ? countText(gauge.peak) : 'not watched';
    }),
  );
  return table('Both sides', [
    ['', `before: ${flagged.label}`, `after: ${mended.label}`],
    row('time per iteration', (side) => durationText(side.msPerIteration)),
    row('throughput cap', (side) => rateText(side.perSecond)),
    ...counters,
    ...gauges,
    row('25th percentile', (side) => durationText(side.operations.p25Ms)),
    row('median', (side) => durationText(side.operations.medianMs)),
    row('95th percentile', (side) => durationText(side.operations.p95Ms)),
    row('longest', (side) => durationText(side.operations.maxMs)),
    ...(flagged.openLoop ? [row('at a fixed rate, 95th percentile', fixedRate)] : []),
    row('event loop busy', (side) => shareText(side.eventLoopUtilization)),
    row('iterations', (side) => countText(side.iterations)),
  ]);
}

function fixedRate({ openLoop }: Side): string {
  return openLoop ? durationText(openLoop.responses.p95Ms) : 'not run';
}

function predicted({
  formula,
  unit,
  flagged,
  mended,
  gap,
  tolerance,
}: NonNullable<Completed['prediction']>): string {
  const inUnit = (value: number) =>
    unit === 'per second'
      ? rateText(value)
      : unit === 'count'
        ? countText(value)
        : durationText(value);
  const row = (name: keyof typeof sideNames, value: number) => [
    sideNames[name],
    inUnit(value),
    `${gap[name] >= 0 ? '+' : '−'}${shareText(Math.abs(gap[name]))}`,
    tolerance?.[name] === undefined ? 'claims nothing' : `±${shareText(tolerance[name])}`,
  ];
  return (
    `<h3>Estimated before the run</h3><p><code>${escaped(formula)}</code></p>` +
    table(`The closed form, ${unit}`, [
      ['', 'estimated', 'measurement differs by', 'claimed'],
      row('flagged', flagged),
      row('mended', mended),
    ])
  );
}

function needs(missing: readonly { readonly what: string; readonly command?: string }[]): string {
  return list(
    'What is missing',
    missing.map(({ what, command }) => (command ? `${what}: ${command}` : what)),
  );
}

const sources: Readonly<Record<Parameter['source'], string>> = {
  code: 'from the code',
  default: 'the library’s default',
  profile: 'deadtime.profile.json',
  assumed: 'assumed',
  suggested: 'suggested',
  set: 'set by the user',
};

function parameters(all: readonly Parameter[]): string {
  if (all.length === 0) return '';
  return table('Parameters', [
    ['', 'value', 'where it comes from', 'what it is'],
    ...all.map(({ name, value, unit, source, description, note }) => [
      name,
      parameterText(value, unit),
      sources[source],
      note ? `${description}. ${note}` : description,
    ]),
  ]);
}

function parameterText(value: Parameter['value'], unit: Parameter['unit']): string {
  if (typeof value !== 'number') return String(value);
  if (unit === 'ms') return durationText(value);
  if (unit === 'share') return shareText(value);
  return unit === 'bytes' ? `${countText(value)} bytes` : countText(value);
}

function environment({
  environment: it,
  durationMs,
}: {
  environment: Environment;
  durationMs: number;
}) {
  return table('Where it ran', [
    ['', ''],
    ['date', it.date],
    ['Node.js', it.node],
    ['platform', it.platform],
    ['processor', `${it.cpu}, ${it.cores} cores`],
    ['load before the run', it.load.toFixed(1)],
    ...(it.database ? [['database', it.database]] : []),
    ['duration', durationText(durationMs)],
  ]);
}

function list(heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `<h3>${escaped(heading)}</h3><ul>${lines.map((it) => `<li>${escaped(it)}</li>`).join('')}</ul>`;
}
