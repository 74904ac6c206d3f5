import type { Outcome } from './orders.ts';

interface Repository {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  readonly differences: readonly string[];
}

/** One row for each repository, and one for all. */
export function robustnessTable(
  repositories: readonly Repository[],
  { limitMs, shards }: { readonly limitMs: number; readonly shards: number },
): string {
  const all = {
    name: 'all',
    outcomes: repositories.flatMap((it) => it.outcomes),
    differences: repositories.flatMap((it) => it.differences),
  };
  const rows = repositories.length > 1 ? [...repositories, all] : repositories;
  return [
    '',
    `Node.js ${process.version}, ${new Date().toISOString().slice(0, 10)}; a hang is more than ${limitMs / 1_000} s of CPU in one file, ` +
      `and the runs are one in order, one in reverse, and one in ${shards} parts.`,
    '',
    '<!-- prettier-ignore -->',
    '| Repository | Files | Lines | Read whole | Refused | Crashes | Hangs | Findings with a fault | Files that differ between runs | Findings | Suggestions | Slowest file, CPU |',
    '|---|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map((it) => `| ${rowOf(it).join(' | ')} |`),
    '',
  ].join('\n');
}

function rowOf({ name, outcomes, differences }: Repository): readonly string[] {
  const examined = outcomes.flatMap((it) => ('examined' in it ? [it.examined] : []));
  const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
  const deaths = outcomes.flatMap((it) => ('death' in it ? [it.death] : []));
  const crashes =
    deaths.filter((it) => it === 'crash').length + sum(examined.map((it) => it.crashes.length));
  const counts = (numbers: readonly number[]) => numbers.map((it) => it.toLocaleString('en'));
  return [
    name,
    ...counts([
      outcomes.length,
      sum(examined.map((it) => it.lines)),
      examined.filter((it) => it.refused.length === 0).length,
    ]),
    refusals(examined.flatMap((it) => [...new Set(it.refused)])) || '0',
    ...counts([
      crashes,
      deaths.filter((it) => it === 'hang').length,
      sum(examined.map((it) => it.faults.length)),
      differences.length,
      sum(examined.map((it) => it.findings)),
      sum(examined.map((it) => it.suggestions)),
    ]),
    `${Math.max(0, ...outcomes.map((it) => ('cpuMs' in it ? Math.round(it.cpuMs) : 0)))} ms`,
  ];
}

/** `12 syntax, 1 nesting` */
function refusals(reasons: readonly string[]): string {
  return [...new Set(reasons)]
    .sort()
    .map((reason) => `${reasons.filter((it) => it === reason).length} ${reason}`)
    .join(', ');
}
