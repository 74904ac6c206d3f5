// Takes the suggestions of public repositories, in copies of them, and looks whether the code is still sound:
//   npm run -w lab suggestions -- DIR...   prints what is wrong, and writes the table in lab/notes/accuracy.md.
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { readArguments } from '../tools/arguments.ts';
import { withTable } from '../tools/generate/generated-files.ts';
import { type Trial, trialsIn } from './suggestions/trials.ts';

const page = 'lab/notes/accuracy.md';
const tableStart = '<!-- Written by `npm run -w lab suggestions`. -->';

const { positionals: folders } = readArguments(
  'npm run -w lab suggestions -- DIR...',
  {},
  (it) => it.positionals.length > 0,
);

const rows: string[] = [];
for (const folder of folders) {
  const trials = await tried(folder);
  if (trials.length > 0) rows.push(rowOf(basename(folder).replace('+', '/'), trials));
}
const head = [
  '| repository | suggestions taken | parse | silent | type-check |',
  '|---|--:|--:|--:|--:|',
];
writeFileSync(page, withTable(page, tableStart, ['', ...head, ...rows, ''].join('\n')));

/** In a copy, without what is installed and without history. */
async function tried(folder: string): Promise<readonly Trial[]> {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'deadtime-suggestions-')));
  try {
    cpSync(folder, copy, {
      recursive: true,
      filter: (path) => !/(?:^|[\\/])(?:\.git|node_modules)$/.test(path),
    });
    const trials: Trial[] = [];
    for await (const trial of trialsIn(copy)) {
      trials.push(trial);
      for (const line of faultsOf(trial)) console.log(placeOf(trial, copy), line);
    }
    return trials;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function placeOf({ problem, suggestion }: Trial, root: string): string {
  const { path, start, finding } = problem;
  return `${relative(root, path)}:${start.line} ${finding.ruleId}: ${suggestion.title}:`;
}

function faultsOf({ syntax, types, isReportedAgain }: Trial): readonly string[] {
  return [...syntax, ...types, ...(isReportedAgain ? ['is reported again'] : [])];
}

function rowOf(name: string, trials: readonly Trial[]): string {
  const counts = [
    trials.length,
    trials.filter((it) => it.syntax.length === 0).length,
    trials.filter((it) => !it.isReportedAgain).length,
    trials.filter((it) => it.types.length === 0).length,
  ];
  return `| ${[name, ...counts].join(' | ')} |`;
}
