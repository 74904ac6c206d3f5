// Analyses all code below folders, broken files and test fixtures included, with every rule, and counts forbidden results:
//   npm run -w lab robustness -- DIR... [--limit 5] [--write]
// Each file is analysed three times: in order, in reverse order by a second process, and in the parts that `--shard` makes,
// each by its own process. The limit is CPU seconds per file. With --write, the table goes to docs/explanations/reliability.md.
import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { filesOfShard } from '../src/cli/shard.ts';
import { readArguments } from '../tools/arguments.ts';
import { withTable } from '../tools/generate/generated-files.ts';
import { mayHoldCode } from './robustness/faults.ts';
import { type Outcome, outcomesOf } from './robustness/orders.ts';
import { robustnessTable } from './robustness/table.ts';

const { values, positionals } = readArguments(
  'npm run -w lab robustness -- DIR... [--limit 5] [--write]',
  { limit: { type: 'string', default: '5' }, write: { type: 'boolean', default: false } },
  (it) => it.positionals.length > 0,
);
const limitMs = 1_000 * Number(values.limit);
const SHARDS = 3;

const results = [];
for (const folder of positionals.map((it) => resolve(process.env['INIT_CWD'] ?? '.', it))) {
  const result = await resultFor(folder);
  results.push(result);
  for (const line of complaintsOf(result)) console.log(`${result.name}: ${line}`);
}
const table = robustnessTable(results, { limitMs, shards: SHARDS });
console.log(table);
if (values.write) {
  const page = 'docs/explanations/reliability.md';
  const start = '<!-- Written by `npm run -w lab robustness -- DIR... --write`. -->';
  writeFileSync(page, withTable(page, start, table));
}
process.exitCode = results.some((it) => complaintsOf(it).length > 0) ? 1 : 0;

/** What became of the files of one folder. */
interface Result {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  /** Files for which two runs differ, and both results. */
  readonly differences: readonly string[];
}

async function resultFor(root: string): Promise<Result> {
  const paths = codeBelow(root);
  const shards = Array.from({ length: SHARDS }, (_, i) =>
    filesOfShard(paths, { index: i + 1, count: SHARDS }, root),
  );
  const [first, reversed, ...parts] = await Promise.all(
    [paths, paths.toReversed(), ...shards].map((it) => outcomesOf({ root, paths: it, limitMs })),
  );
  const others = [reversed!, parts.flat()].map((it) => new Map(it.map((one) => [one.path, one])));
  return {
    name: basename(root).replace('+', '/'),
    outcomes: first!,
    differences: first!.flatMap((it) => {
      const said = [it, ...others.map((other) => other.get(it.path)!)].map(saidOf);
      const isSame = said.every((one) => one === said[0]);
      return isSame ? [] : [`${relative(root, it.path)}: runs differ: ${said.join(' / ')}`];
    }),
  };
}

function saidOf(outcome: Outcome): string {
  return 'death' in outcome ? `${outcome.death}, ${outcome.message}` : outcome.examined.digest;
}

function complaintsOf({ outcomes, differences }: Result): readonly string[] {
  return [
    ...outcomes.flatMap((it) => {
      if ('death' in it) return [`${it.death} in ${it.path}: ${it.message}`];
      const { crashes, faults } = it.examined;
      return [...crashes, ...faults].map((fault) => `${it.path}: ${fault}`);
    }),
    ...differences,
  ];
}

/** In the order of the names; links are not followed. */
function codeBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile() && mayHoldCode(it.name))
    .map((it) => join(it.parentPath, it.name))
    .sort();
}
