import type { Rule } from '../../rules/define-rule.ts';
import type { Comparison, EntryComparison } from '../runtime/comparison.ts';
import { deadMsOf } from '../runtime/parts.ts';
import { type EntryKind, type Recording, timesOf } from '../runtime/recording.ts';
import { withCommas } from './counts.ts';
import { rulesMarkup } from './html.ts';
import { shownText } from './html-finding.ts';
import { htmlPage } from './html-page.ts';
import { runStylesheet } from './html-run-stylesheet.ts';
import { escaped, table } from './proof/markup.ts';
import {
  ceilingText,
  countText,
  leftAloneText,
  meanOf,
  nounOf,
  openText,
  PART_NAMES,
  type Row,
  rowsOf,
  titleOf,
  unmeasuredText,
} from './run.ts';
import { adviceText } from './run-resources.ts';
import { placeText, rateText, shareText, timeText } from './run-texts.ts';
import {
  changedRows,
  changeText,
  estimateText,
  ONLY_BEFORE,
  runsText,
  timesText,
} from './run-comparison.ts';
import { visible } from './visible.ts';

export interface RunPageContext {
  readonly version: string;
  /** The day of the run: "2026-11-21". */
  readonly date: string;
  readonly rules: readonly Rule[];
  /** A rule's page, in Markdown. */
  pageOf(ruleId: string): string | undefined;
  /** With an earlier recording, and where that is. */
  readonly compared?: { readonly path: string; readonly comparison: Comparison };
}

/** A page has room for more lines than a terminal. */
const MOST_LINES = 40;

/** One file for a browser: the entries, those with most dead time first, each with its parts and lines; pools and the event loop. */
export function runHtml(recording: Recording, context: RunPageContext): string {
  const entries = recording.entries
    .filter((it) => it.count > 0)
    .toSorted((a, b) => deadMsOf(b.parts) - deadMsOf(a.parts));
  const rows = new Map(entries.map((it) => [it, rowsOf(it, recording, MOST_LINES)]));
  const { compared } = context;
  const changed = compared?.comparison.entries.flatMap(changedRows) ?? [];
  const ruleIds = new Set(
    [...[...rows.values()].flat(), ...changed].flatMap(rulesOf).map(ruleIdOf),
  );
  const body = [
    headerOf(recording, context),
    entries.length > 0 ? legend() : '<p>No request, job, test or iteration of a loop ended.</p>',
    '<main>',
    ...entries.map((it) => entryMarkup(it, rows.get(it) ?? [], recording)),
    '</main>',
    ...(compared ? [comparisonMarkup(compared)] : []),
    poolsMarkup(recording),
    databasesMarkup(recording),
    loopMarkup(recording),
    ...[...openText(recording), ...unmeasuredText(recording), ...leftAloneText(recording)].map(
      (it) => `<p>${shownText(it)}</p>`,
    ),
    rulesMarkup([...ruleIds], context),
  ];
  const title = `Dead time of ${recording.program}`;
  return htmlPage({
    ...{ title, version: context.version, styles: runStylesheet },
    body: body.filter((it) => it !== '').join('\n'),
  });
}

function headerOf(
  { program, durationMs, processes, node }: Recording,
  { date, version }: RunPageContext,
): string {
  const facts = [
    `Measured for ${timeText(durationMs)}`,
    ...(processes > 1 ? [`${processes} processes`] : []),
    `Node.js ${node}`,
    ...[date, `Deadtime ${version}`],
  ];
  return `<header><h1>Dead time of ${escaped(visible(program))}</h1>\n<p>${escaped(visible(facts.join(' · ')))}</p></header>`;
}

/** In the order of the bars. */
function legend(): string {
  const items = PART_NAMES.map(
    ([name, text]) => `<li><i class="${name}"></i>${escaped(text)}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>
<p>Each bar is the average time of one entry. Dead time is asleep, waiting for a connection, in sequence and late timers. All times are measured, except those marked as estimated.</p>`;
}

function entryMarkup(entry: EntryKind, rows: readonly Row[], { durationMs }: Recording): string {
  const { kind, count, time, parts, aborted, open } = entry;
  const noun = nounOf(entry);
  const deadMs = deadMsOf(parts);
  const facts = [
    countText(entry),
    `${rateText(timesOf(entry), durationMs)} a second`,
    `p50 ${timeText(time.p50Ms)}`,
    `p95 ${timeText(time.p95Ms)}`,
    ...(aborted > 0 ? [`${withCommas(aborted)} aborted`] : []),
    ...(open > 0 && kind !== 'worker' ? [`${withCommas(open)} still open`] : []),
  ];
  const dead = `${timeText(deadMs / count)} dead of ${timeText(meanOf(entry))} per ${noun} (${shareText(deadMs, time.totalMs)})`;
  return [
    '<details class="entry" open><summary>',
    `<span class="head"><b>${escaped(titleOf(entry))}</b> <span class="facts">${escaped(facts.join(' · '))}</span></span>`,
    `<span class="dead">${escaped(dead)}</span>`,
    barMarkup(entry),
    '</summary>',
    rows.length > 0 ? linesMarkup(rows) : '',
    ...ceilingText(entry).map((it) => `<p>${escaped(it)}</p>`),
    '</details>',
  ].join('\n');
}

/** Its text is that of the parts, for a reader who does not see it; the remainder is always shown. */
function barMarkup({ parts, time, count }: EntryKind): string {
  const shown = PART_NAMES.map(([name, text]) => ({
    ...{ name, share: (100 * parts[name]) / Math.max(time.totalMs, Number.EPSILON) },
    label: `${text} ${timeText(parts[name] / count)} (${shareText(parts[name], time.totalMs)})`,
  }));
  const bars = shown
    .filter(({ share }) => share > 0)
    .map(
      ({ name, share, label }) =>
        `<i class="${name}" style="width: ${share.toFixed(2)}%" title="${escaped(label)}"></i>`,
    );
  const words = shown
    .filter(({ name, share }) => share >= 1 || name === 'unexplainedMs')
    .map(({ label }) => label);
  return `<span class="parts">${bars.join('')}</span>\n<span class="words">${escaped(words.join(' · '))}</span>`;
}

function linesMarkup(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const [place, what] = row;
    const links = rulesOf(row).map(
      (it) => `<a href="#rule-${escaped(ruleIdOf(it))}">${escaped(it)}</a>`,
    );
    return `<tr><th scope="row"><code>${escaped(place)}</code></th><td>${escaped(what)}</td><td>${links.join(', ')}</td></tr>`;
  });
  return `<table><thead><tr><th scope="col">line</th><th scope="col">what it waited for</th><th scope="col">rule</th></tr></thead><tbody>${lines.join('\n')}</tbody></table>`;
}

function rulesOf([, , rules]: Row): readonly string[] {
  return rules === '' ? [] : rules.split(', ');
}

function ruleIdOf(name: string): string {
  return name.startsWith(ONLY_BEFORE) ? name.slice(ONLY_BEFORE.length) : name;
}

function comparisonMarkup({ path, comparison }: NonNullable<RunPageContext['compared']>): string {
  const { entries, onlyBefore, onlyAfter } = comparison;
  const only = [
    ...onlyBefore.map((it) => `${titleOf(it)}: only before`),
    ...onlyAfter.map((it) => `${titleOf(it)}: only after`),
  ];
  return [
    table(`Compared with ${visible(path)}: ${runsText(comparison)}`, [
      ['', 'p50', 'p95', 'time per entry', '95 % interval', 'dead time per entry', '95 % interval'],
      ...entries.map((it) => [
        ...[titleOf(it), timesText(it.p50Ms), timesText(it.p95Ms)],
        ...[timesText(it.time), changeText(it.time)],
        ...[timesText(it.dead), changeText(it.dead)],
      ]),
    ]),
    ...entries.map(changesMarkup),
    ...only.map((it) => `<p>${escaped(it)}</p>`),
  ].join('\n');
}

/** What explains the difference of one kind, where there is one. */
function changesMarkup(entry: EntryComparison): string {
  const rows = changedRows(entry);
  const title = escaped(titleOf(entry));
  return [
    ...estimateText(entry).map((it) => `<p>${title}: ${escaped(it)}</p>`),
    ...(rows.length > 0 ? [`<p>${title}: what changed most</p>`, linesMarkup(rows)] : []),
  ].join('\n');
}

function poolsMarkup(recording: Recording): string {
  const { pools } = recording;
  if (pools.length === 0) return '';
  const advice = pools.flatMap((it) => {
    const text = adviceText(it, recording);
    return text === ''
      ? []
      : [`${visible(it.driver)}${it.at ? ` (${placeText(it.at)})` : ''}: ${text}`];
  });
  return [poolTable(pools), ...advice.map((it) => `<p>${escaped(it)}</p>`)].join('\n');
}

function poolTable(pools: Recording['pools']): string {
  return table('Connection pools', [
    [
      '',
      'size',
      'checkouts',
      'wait p50',
      'wait p95',
      'most held',
      'most waiting',
      'held each',
      'of it without a statement',
    ],
    ...pools.map((pool) => {
      const { driver, at, size, wait, hold, mostHeld, mostWaiting, idleHoldMs } = pool;
      const checkouts = timesOf({ ...pool, count: wait.count });
      return [
        `${visible(driver)}${at ? ` (${placeText(at)})` : ''}`,
        ...[size === undefined ? 'not resolved' : String(size), withCommas(checkouts)],
        ...[timeText(wait.p50Ms), timeText(wait.p95Ms), String(mostHeld), String(mostWaiting)],
        ...[timeText(hold.totalMs / Math.max(hold.count, 1)), shareText(idleHoldMs, hold.totalMs)],
      ];
    }),
  ]);
}

function databasesMarkup({ databases, durationMs }: Recording): string {
  if (databases.length === 0) return '';
  return table('Databases', [
    ['', 'statements', 'a second', 'p50', 'p95', 'rejected', 'commits', 'a second'],
    ...databases.map(({ driver, statements, time, rejected, commits = 0 }) => [
      ...[visible(driver), withCommas(statements), rateText(statements, durationMs)],
      ...[timeText(time.p50Ms), timeText(time.p95Ms), withCommas(rejected)],
      ...[withCommas(commits), rateText(commits, durationMs)],
    ]),
  ]);
}

/** How late a timer fires, and how long work waits for a thread. */
function loopMarkup({ eventLoop, threadPool }: Recording): string {
  const { lagP50Ms, lagP99Ms, lagMaxMs, utilisation } = eventLoop;
  const { p50Ms, p95Ms, maxMs } = threadPool;
  return [
    table('Event loop', [
      ['', 'busy', 'p50', 'p99', 'at most'],
      [
        ...['lag', shareText(utilisation, 1)],
        ...[timeText(lagP50Ms), timeText(lagP99Ms), timeText(lagMaxMs)],
      ],
    ]),
    table('Thread pool', [
      ['', 'p50', 'p95', 'at most'],
      ['queue', timeText(p50Ms), timeText(p95Ms), timeText(maxMs)],
    ]),
  ].join('\n');
}
