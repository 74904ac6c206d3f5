import { medianOf } from '../../src/proof/harness/statistics.ts';
import { durationText, rateText, ratioText, shareText } from '../../src/report/proof/figures.ts';
import {
  believed,
  type MeasuredCase,
  type MeasuredRun,
  type Measurements,
  quoted,
  spreadOf,
  type TimedRun,
} from './measurements.ts';

/** The costs of a rule, for its page; undefined without a measurement. */
export function costTable(measured: Measurements, ruleId: string): string | undefined {
  const cases = measured.cases.filter((it) => it.ruleId === ruleId);
  if (cases.length === 0) return undefined;
  return [
    `Measured by \`npm run measure\`: ${machineOf(measured)}.`,
    `The figures are medians of ${cases[0]!.runs.length} runs; \`deadtime prove ${ruleId}\` repeats them where you are.`,
    '',
    ...tableOf(
      ['Benchmark', 'Before', 'After', 'Times slower'],
      cases.map((it) => [titleOf(it), ...costCells(it)]),
    ),
  ].join('\n');
}

/** With its own machine and day, where these are not those of the table. */
function titleOf({ title, environment }: MeasuredCase): string {
  if (!environment) return title;
  const { cores, cpu, node, date } = environment;
  return `${title} (${cores} × ${cpu}, Node.js ${node}, ${date.slice(0, 10)})`;
}

function machineOf({ environment, databases, version }: Measurements): string {
  const { cores, cpu, platform, node, date } = environment;
  return [
    `Deadtime ${version}`,
    `${cores} × ${cpu}`,
    platform,
    `Node.js ${node}`,
    ...databases,
    date.slice(0, 10),
  ].join(', ');
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((it) => it.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    '<!-- prettier-ignore -->',
    line(head),
    `|${'---|'.repeat(head.length)}`,
    ...rows.map(line),
  ];
}

function costCells({ runs }: MeasuredCase): readonly string[] {
  const counted = runs.find((it) => it.kind === 'counted');
  if (counted) return [counted.flagged, counted.mended, ''];
  const timed = believed(runs);
  const [first] = timed;
  if (!first) return [whyNot(runs), '', ''];
  const flaggedMs = medianOf(timed.map((it) => it.flaggedMs));
  const mendedMs = medianOf(timed.map((it) => it.mendedMs));
  const steady = quoted(runs);
  return [
    figureOf(first.compares, flaggedMs),
    figureOf(first.compares, mendedMs),
    steady.length > 0
      ? ratioText(medianOf(steady.map((it) => it.ratio)), Math.min(flaggedMs, mendedMs))
      : 'varies',
  ];
}

function whyNot(runs: readonly MeasuredRun[]): string {
  const reason = runs.find((it) => it.kind === 'none');
  return reason?.kind === 'none' ? reason.why : 'the machine was busy';
}

function figureOf(compares: TimedRun['compares'], ms: number): string {
  switch (compares) {
    case 'time per iteration':
      return durationText(ms);
    case 'throughput':
      return rateText(1_000 / ms);
    case 'latency':
      return `${durationText(ms)} for an unrelated call`;
  }
}

/** How well the benchmarks repeat, for docs/explanations/how-we-measure.md. */
export function spreadTable(measured: Measurements): string {
  return [
    `${machineOf(measured)}.`,
    '',
    ...tableOf(
      ['Benchmark', 'Ratio', 'Within (runs)', 'Verdicts', 'From the closed form', 'Under load'],
      measured.cases.map((it) => [`\`${it.ruleId}/${it.variant}\``, ...spreadCells(it)]),
    ),
  ].join('\n');
}

function spreadCells({ runs, underLoad }: MeasuredCase): readonly string[] {
  const steady = quoted(runs);
  const shorterMs = Math.min(...steady.map((it) => Math.min(it.flaggedMs, it.mendedMs)));
  const gaps = believed(runs).flatMap(({ gap }) =>
    [gap.flagged, gap.mended].filter((it) => it !== undefined),
  );
  return [
    steady.length > 0
      ? ratioText(medianOf(steady.map((it) => it.ratio)), shorterMs)
      : believed(runs).length > 0
        ? 'varies'
        : '',
    steady.length > 1 ? `±${shareText(spreadOf(steady))} (${steady.length})` : '',
    verdictsOf(runs),
    gaps.length > 0 ? `at most ${shareText(Math.max(...gaps.map(Math.abs)))} off` : '',
    underLoad ? verdictsOf([underLoad]) + loadedRatio(underLoad) : '',
  ];
}

function loadedRatio(run: MeasuredRun): string {
  if (run.kind !== 'timed' || run.verdict === 'machine-busy') return '';
  const shorterMs = Math.min(run.flaggedMs, run.mendedMs);
  if (run.atLeast !== undefined) return `, at least ${run.atLeast}`;
  return run.isNoisy ? ', no ratio' : `, ${ratioText(run.ratio, shorterMs)}`;
}

/** "5 × slower"; a benchmark that could not run states why, in its first sentence. */
function verdictsOf(runs: readonly MeasuredRun[]): string {
  const words = runs.map((it) => (it.kind === 'none' ? it.why.split('. ', 1)[0]! : it.verdict));
  const [first] = words;
  if (runs.length === 1) return first ?? '';
  return [...new Set(words)]
    .map((word) => `${words.filter((it) => it === word).length} × ${word}`)
    .join(', ');
}
