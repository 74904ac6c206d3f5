import { createColors } from 'picocolors';
import type { Change, Comparison, EntryComparison } from '../runtime/comparison.ts';
import { changeMsOf, type LineComparison, type Pair } from '../runtime/line-comparison.ts';
import { counted, withCommas } from './counts.ts';
import { aligned, nounOf, type Row, titleOf } from './run.ts';
import { timeText } from './run-texts.ts';
import { visible } from './visible.ts';

export interface ComparisonContext {
  readonly hasColors: boolean;
  /** Where the earlier recording is. */
  readonly path: string;
}

/** Of each comparison, a terminal shows these; the recording has all. */
const SHOWN_ENTRIES = 8;
const SHOWN_LINES = 5;
/** A line that changed by less of its entry's time may have done so without a change of the code. */
const LEAST_SHARE = 0.05;

/** What changed since an earlier recording, for a terminal. */
export function comparisonText(
  comparison: Comparison,
  { hasColors, path }: ComparisonContext,
): string {
  const { bold, dim } = createColors(hasColors);
  const { entries, onlyBefore, onlyAfter } = comparison;
  const blocks = entries
    .slice(0, SHOWN_ENTRIES)
    .flatMap((entry) => [
      bold(headOf(entry)),
      ...factsOf(entry),
      ...aligned(changedRows(entry), dim),
      '',
    ]);
  const more = entries.length - SHOWN_ENTRIES;
  return [
    '',
    dim(`Compared with ${visible(path)}: ${runsText(comparison)}`),
    dim('Measured, with 95 % intervals; a machine that is busy in one of the runs changes them.'),
    '',
    ...blocks,
    ...(more > 0 ? [`${more} more kinds of entries are in the recording.`, ''] : []),
    ...onlyText('before', onlyBefore),
    ...onlyText('after', onlyAfter),
    '',
  ].join('\n');
}

/** `node server.js, 61 s → 60 s`: what differs in how both ran. */
export function runsText({ before, after }: Comparison): string {
  const words = [
    arrow({ before: visible(before.program), after: visible(after.program) }),
    arrow({ before: timeText(before.durationMs), after: timeText(after.durationMs) }),
    ...(before.node === after.node
      ? []
      : [`Node.js ${arrow({ before: visible(before.node), after: visible(after.node) })}`]),
    ...(before.processes === after.processes
      ? []
      : [`${before.processes} → ${after.processes} processes`]),
  ];
  return words.join(', ');
}

/** `GET /dashboard   412 → 498 requests   p50 9.1 → 6 ms   p95 14 → 9.2 ms`. */
function headOf(entry: EntryComparison): string {
  const { count, p50Ms, p95Ms } = entry;
  return [
    titleOf(entry),
    `${withCommas(count.before)} → ${counted(count.after, nounOf(entry))}`,
    `p50 ${timesText(p50Ms)}`,
    `p95 ${timesText(p95Ms)}`,
  ].join('   ');
}

function factsOf(entry: EntryComparison): readonly string[] {
  const { time, dead, perSecond, concurrent } = entry;
  const noun = nounOf(entry);
  const both = [
    `  time   ${timesText(time)} per ${noun}: ${changeText(time)}`,
    `  dead   ${timesText(dead)} per ${noun}: ${changeText(dead)}`,
  ];
  if (time.verdict === 'load differed') {
    const load = `${figures(perSecond)} ${noun}s a second, ${figures(concurrent)} concurrently`;
    return [...both, `  load   ${load}; compare runs under the same load`];
  }
  if (time.verdict === 'too few') return both;
  return [...both, ...estimateText(entry).map((it) => `  ${it}`)];
}

/** What the earlier recording promised, next to what came true. */
export function estimateText(entry: EntryComparison): readonly string[] {
  const { estimatedGainMs } = entry;
  if (estimatedGainMs === undefined) return [];
  return [
    `estimated before: ${timeText(estimatedGainMs)} less per ${nounOf(entry)}, for the reads in sequence and the pauses that are gone`,
  ];
}

export function changeText({ before, after, lowMs, highMs, verdict }: Change): string {
  const difference = after - before;
  const [least, most] = [lowMs, highMs].map((it) => signed(it));
  switch (verdict) {
    case 'less':
    case 'more':
      return `${timeText(Math.abs(difference))} ${verdict} (${least} to ${most})`;
    case 'no change seen':
      return `no change seen (${least} to ${most})`;
    case 'load differed':
      return 'not compared, the load differed';
    case 'too few':
      return 'too few to compare';
  }
}

/** The lines that explain a difference: none where there is none. */
export function changedRows({ time, dead, lines }: EntryComparison): readonly Row[] {
  const isChanged = [time, dead].some(({ verdict }) => verdict === 'less' || verdict === 'more');
  if (!isChanged) return [];
  const leastMs = LEAST_SHARE * time.before;
  return lines
    .filter((it) => Math.abs(changeMsOf(it)) >= leastMs)
    .slice(0, SHOWN_LINES)
    .map(rowOf);
}

function rowOf({ file, function: name, code, lines, rules, eachMs, times }: LineComparison): Row {
  const where = lines.after.length > 0 ? lines.after : lines.before;
  const spans = where.length > 1 ? `${where[0]}-${where.at(-1)}` : `${where[0]}`;
  const what = `${visible(code)}${name === undefined ? '' : ` in ${visible(name)}`}`;
  const isNew = lines.before.length === 0;
  const isGone = lines.after.length === 0;
  const each =
    isNew || isGone
      ? `${timeText(isNew ? eachMs.after : eachMs.before)}, ran only ${isNew ? 'after' : 'before'}`
      : timesText(eachMs);
  const often = isNew || isGone || isSame(times) ? '' : `, ${figures(times)} times`;
  return [`${visible(file)}:${spans}`, `${what}: ${each}${often}`, rulesText(rules)];
}

/** In front of a rule whose finding is gone. */
export const ONLY_BEFORE = 'before: ';

/** Those with a finding now, and those that had one only before. */
function rulesText({ before, after }: Pair<readonly string[]>): string {
  const gone = before.filter((it) => !after.includes(it)).map((it) => `${ONLY_BEFORE}${it}`);
  return [...after, ...gone].join(', ');
}

function onlyText(when: 'before' | 'after', names: Comparison['onlyBefore']): readonly string[] {
  const shown = names.slice(0, SHOWN_ENTRIES).map(titleOf);
  const more = names.length - shown.length;
  return shown.length > 0
    ? [`Only ${when}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
    : [];
}

function arrow({ before, after }: Pair<string>): string {
  return before === after ? after : `${before} → ${after}`;
}

/** `9.1 → 6 ms`. */
export function timesText({ before, after }: Pair): string {
  const [from, to] = [timeText(before), timeText(after)];
  const unit = to.slice(to.indexOf(' '));
  return `${from.endsWith(unit) ? from.slice(0, -unit.length) : from} → ${to}`;
}

function signed(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${timeText(Math.abs(ms))}`;
}

function isSame(pair: Pair): boolean {
  return figureText(pair.before) === figureText(pair.after);
}

function figures({ before, after }: Pair): string {
  return `${figureText(before)} → ${figureText(after)}`;
}

function figureText(value: number): string {
  return value >= 10 ? withCommas(Math.round(value)) : String(Math.round(10 * value) / 10);
}
