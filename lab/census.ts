// Counts the awaits that Deadtime understands in public repositories, and what hides the rest:
//   npm run -w lab census -- DIR...   writes the tables in lab/notes/coverage.md.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { readArguments } from '../tools/arguments.ts';
import { withTable } from '../tools/generate/generated-files.ts';

const page = 'lab/notes/coverage.md';
const tableStart = '<!-- Written by `npm run -w lab census`. -->';
const program = resolve('src/cli/main.ts');
const loader = import.meta.resolve('tsx');
/** So many packages are listed. */
const PACKAGES = 30;

interface Census {
  readonly name: string;
  readonly awaits: number;
  readonly understood: number;
  readonly roots: readonly {
    readonly cause: string;
    readonly name: string;
    readonly awaits: number;
  }[];
}

const { positionals: folders } = readArguments(
  'npm run -w lab census -- DIR...',
  {},
  (it) => it.positionals.length > 0,
);

const all = folders.map(censusOf).filter(({ awaits }) => awaits > 0);
writeFileSync(page, withTable(page, tableStart, ['', ...tables(all), ''].join('\n')));

function censusOf(folder: string): Census {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', loader, program, 'coverage', '--json', '.'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30 },
  );
  if (!stdout) throw new Error(`coverage printed nothing for ${folder}: ${stderr}`);
  return {
    name: basename(folder).replace('+', '/'),
    ...(JSON.parse(stdout) as Omit<Census, 'name'>),
  };
}

function tables(all: readonly Census[]): readonly string[] {
  const awaits = sum(all.map((it) => it.awaits));
  const understood = sum(all.map((it) => it.understood));
  const shares = all.map((it) => it.understood / it.awaits).sort((a, b) => a - b);
  const median = shares[Math.floor(shares.length / 2)]!;
  return [
    `Pooled ${percent(understood / awaits)} of ${awaits} awaits in ${all.length} repositories; median ${percent(median)}.`,
    '',
    '| repository | awaits | understood | what hides most |',
    '|---|--:|--:|---|',
    ...all.map(
      (it) =>
        `| ${it.name} | ${it.awaits} | ${percent(it.understood / it.awaits)} | ${largest(it)} |`,
    ),
    '',
    '| cause | awaits hidden | repositories |',
    '|---|--:|--:|',
    ...rows(all, ({ cause }) => cause),
    '',
    '| package | awaits hidden | repositories |',
    '|---|--:|--:|',
    ...rows(all, ({ cause, name }) => (cause === 'package' ? name : undefined)).slice(0, PACKAGES),
  ];
}

function largest({ roots }: Census): string {
  return roots
    .slice(0, 3)
    .map((it) => `\`${it.name.replaceAll('|', '\\|')}\` (${it.cause}, ${it.awaits})`)
    .join(', ');
}

function rows(
  all: readonly Census[],
  nameOf: (root: Census['roots'][number]) => string | undefined,
): readonly string[] {
  const counts = new Map<string, { awaits: number; readonly repositories: Set<string> }>();
  for (const census of all) {
    for (const root of census.roots) {
      const name = nameOf(root);
      if (name === undefined) continue;
      const count = counts.get(name) ?? { awaits: 0, repositories: new Set<string>() };
      count.awaits += root.awaits;
      count.repositories.add(census.name);
      counts.set(name, count);
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b.awaits - a.awaits)
    .map(([name, { awaits, repositories }]) => `| ${name} | ${awaits} | ${repositories.size} |`);
}

function percent(share: number): string {
  return `${Math.floor(100 * share)} %`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
