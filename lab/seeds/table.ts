import { missedBecause } from './misses.ts';
import type { Trial } from './trials.ts';

/** The recall of each rule, and what is missed, for lab/notes/accuracy.md. */
export function seedsTable(trials: readonly Trial[]): string {
  const ruleIds = [...new Set(trials.map((it) => it.ruleId))];
  const rows = ruleIds.map((id) =>
    rowOf(
      `\`${id}\``,
      trials.filter((it) => it.ruleId === id),
    ),
  );
  return [
    '',
    '| rule | kinds of bugs | planted | found | recall | shown by default |',
    '|---|--:|--:|--:|--:|--:|',
    ...rows,
    rowOf('all', trials),
    '',
    'Missed:',
    '',
    ...missesIn(trials),
    '',
  ].join('\n');
}

function rowOf(name: string, trials: readonly Trial[]): string {
  const found = trials.filter((it) => it.isFound);
  const kinds = new Set(trials.map((it) => `${it.ruleId} ${it.mutation}`));
  const shown = found.filter((it) => it.isShownByDefault).length;
  const recall = `${Math.round((100 * found.length) / trials.length)} %`;
  return `| ${[name, kinds.size, trials.length, found.length, recall, shown].join(' | ')} |`;
}

/** One line for each reason. */
function missesIn(trials: readonly Trial[]): readonly string[] {
  const places = new Map<string, string[]>();
  for (const it of trials) {
    if (it.isFound) continue;
    const key = `\`${it.ruleId}\`, ${missedBecause(it) ?? 'not looked into yet'}`;
    places.set(key, [...(places.get(key) ?? []), it.mutation]);
  }
  if (places.size === 0) return ['None.'];
  return [...places].map(([key, mutations]) => `- ${mutations.length} × ${key}`);
}

/** For the terminal. */
export function placeOf(trial: Trial): string {
  const reason = missedBecause(trial);
  return `${trial.place}  ${trial.ruleId}: ${trial.mutation}${reason ? ` (${reason})` : ''}`;
}
