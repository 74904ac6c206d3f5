import { createColors } from 'picocolors';
import type { PoolDemand, PoolSize, PoolTest, PoolTestRow } from '../../proof/measure/results.ts';
import { countText, durationText, shareText } from '../proof/figures.ts';
import { environmentLine, needsText, quietLines, table } from './lines.ts';

/** The closed form claims that much; more is named. */
const NAMED_GAP = 0.05;

interface TextOptions {
  readonly hasColors: boolean;
}

/** The answer first, then the ways to it: Little's law, the published formula, and the server's limit. */
export function poolSizeText(sizing: PoolSize, { hasColors }: TextOptions): string {
  const { bold } = createColors(hasColors);
  const { demand, wanted, published, allowed, connections, requestsPerSecond, others } = sizing;
  const { users, queryMs, workers } = demand;
  const each = workers === 1 ? '' : ' for each worker';
  return [
    bold(answerSentence(sizing)),
    line('Demand', demandText(demand)),
    line(
      'Little’s law',
      `${wanted}${each}: ${countText(requestsPerSecond)} requests per second, ${durationText(queryMs)} each, are ${countText(connections)} running`,
    ),
    line(
      'Published formula',
      `${published}${each}: ceil(${users} · ${queryMs} / 1000 · 1.2), for one request per user and second`,
    ),
    line('Server’s limit', `${allowed}${each}: ${limitText(demand)}`),
    line(
      'Estimated',
      others
        .map((it) => `${it.wanted} when users think for ${durationText(it.thinkMs)}`)
        .join(', '),
    ),
    '',
  ].join('\n');
}

function line(label: string, text: string): string {
  return `  ${label.padEnd(18)} ${text}`;
}

function answerSentence({ wanted, allowed, size, demand: { workers } }: PoolSize): string {
  const each = workers === 1 ? '' : ` in each of ${workers} workers`;
  if (size === wanted) return `A pool of ${size}${each}.`;
  if (size === 0) return `${workers} workers are more than the server has connections for.`;
  return (
    `A pool of ${size}${each}, and requests will wait: ${wanted} are needed, and the server's limit allows ${allowed}. ` +
    `Shorter queries, a higher limit, or a pooler in front of the server.`
  );
}

function demandText({ users, queryMs, thinkMs, isThinkAssumed }: PoolDemand): string {
  const think = isThinkAssumed
    ? `${durationText(thinkMs)} (assumed; --think-ms sets it)`
    : durationText(thinkMs);
  return `${countText(users)} users, queries of ${durationText(queryMs)}, and between them each user thinks for ${think}`;
}

function limitText({ serverMax, isServerMaxAssumed, workers }: PoolDemand): string {
  const source = isServerMaxAssumed ? '; assumed: PostgreSQL’s default, --server-max sets it' : '';
  return `(${serverMax} - 3 for administrators) / ${workers} ${workers === 1 ? 'worker' : 'workers'}${source}`;
}

/** The result of the load test, next to that of the closed form. */
export function poolTestText(test: PoolTest, { hasColors }: TextOptions): string {
  const { bold, dim } = createColors(hasColors);
  switch (test.state) {
    case 'not-run':
      return `Not tested: ${test.reason}.\n`;
    case 'unavailable':
      return `Not tested, because something is missing:\n${needsText(test.needs)}`;
    case 'failed':
      return `The test failed: ${test.message}\n`;
    case 'cancelled':
      return 'Cancelled.\n';
    case 'simulated':
      return [
        `${bold('Simulated')}  ${environmentLine(test.environment)}`,
        `  ${loadText(test)}`,
        ...tableOf(test.rows).map((it, i) => (i < 2 ? dim(it) : it)),
        ...test.rows.flatMap(gapLines),
        ...quietLines(test.quiet),
        '',
      ].join('\n');
  }
}

function loadText({
  users,
  queryMs,
  timeScale,
}: Extract<PoolTest, { state: 'simulated' }>): string {
  const scale =
    timeScale === 1
      ? ''
      : `; run with all times divided by ${countText(timeScale)}, shown as requested`;
  return `${countText(users)} users on one pool; a query needed ${durationText(queryMs)} on the idle server${scale}`;
}

function tableOf(rows: readonly PoolTestRow[]): readonly string[] {
  const cells = rows.map(({ size, measured, predicted }) => [
    `  ${size}`,
    countText(measured.requests),
    figure(measured.requestsPerSecond),
    figure(predicted.requestsPerSecond),
    durationText(measured.averageMs),
    durationText(predicted.averageMs),
    durationText(measured.p95Ms),
    countText(measured.peakQueue),
    figure(measured.meanQueue),
    figure(predicted.queue),
  ]);
  const heads = [
    ['  ', '', 'requests', '', 'average', '', '', 'queue', '', ''],
    [
      '  pool',
      'requests',
      'a second',
      'predicted',
      'response',
      'predicted',
      'p95',
      'peak',
      'mean',
      'predicted',
    ],
  ];
  return table([...heads, ...cells]);
}

function figure(value: number): string {
  return value >= 100 ? countText(Math.round(value)) : value.toFixed(1);
}

function gapLines({ size, predicted, measured }: PoolTestRow): readonly string[] {
  const gap = measured.requestsPerSecond / predicted.requestsPerSecond - 1;
  if (Math.abs(gap) <= NAMED_GAP) return [];
  const why =
    measured.eventLoopUtilization > 0.9
      ? `: this process was the limit, its event loop was busy ${shareText(measured.eventLoopUtilization)} of the time`
      : '';
  const than = gap < 0 ? 'fewer' : 'more';
  return [
    `  A pool of ${size} served ${shareText(Math.abs(gap))} ${than} requests than predicted${why}.`,
  ];
}
