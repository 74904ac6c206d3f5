import { createColors } from 'picocolors';
import type { MachineProfile, Times } from '../../proof/measure/results.ts';
import { countText, durationText, rateText } from '../proof/figures.ts';
import { environmentLine, quietLines, table } from './lines.ts';

/** What a person reads in a terminal: every measured time, and what it means for code that waits for it. */
export function profileText(
  { environment, loopTurn, database, quiet }: MachineProfile,
  { hasColors }: { readonly hasColors: boolean },
): string {
  const { bold, dim } = createColors(hasColors);
  const rows = [
    ...(database
      ? [
          row(
            'Round trip',
            database.roundTrip,
            (it) => `sequential queries: at most ${perSecond(it)}`,
          ),
          row('Connect', database.connect, () => 'before the first query of a connection'),
          ...optional(database.commit, (it) =>
            row('Commit', it, (ms) => `sequential commits: at most ${perSecond(ms)}`),
          ),
          ...optional(database.flush, (it) =>
            row('Flush', it, () => 'of 8 KiB to the server’s disk'),
          ),
        ]
      : []),
    row('Turn, idle loop', loopTurn.idle, () => 'setImmediate'),
    row(
      'Turn, busy loop',
      loopTurn.busy,
      () => 'the same alongside an HTTP server and four clients',
    ),
    row(
      'Timer of 0 ms',
      loopTurn.timer,
      (it) => `a loop that yields with it: at most ${perSecond(it)}`,
    ),
  ];
  const [head, ...lines] = table([
    ['', '25 %', 'median', '95 %', 'count'],
    ...rows.map((it) => it.cells),
  ]);
  return [
    `${bold('Measured')}  ${environmentLine(environment)}`,
    dim(head!),
    ...lines.map((line, i) => `${line}  ${dim(rows[i]!.meaning)}`),
    ...quietLines(quiet),
    '',
  ].join('\n');
}

function row(name: string, times: Times, meaning: (medianMs: number) => string) {
  const { p25Ms, medianMs, p95Ms, count } = times;
  return {
    cells: [name, ...[p25Ms, medianMs, p95Ms].map(durationText), countText(count)],
    meaning: meaning(medianMs),
  };
}

function optional<T, R>(value: T | undefined, read: (value: T) => R): readonly R[] {
  return value === undefined ? [] : [read(value)];
}

function perSecond(ms: number): string {
  return rateText(1_000 / ms);
}
