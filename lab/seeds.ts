// Plants bugs in correct code, one at a time, and counts the reported ones:
//   npm run -w lab seeds [-- RULE...] prints the misses; without a rule, it writes the table in lab/notes/accuracy.md again.
import { writeFileSync } from 'node:fs';
import { rules } from '../rules/index.ts';
import { readArguments } from '../tools/arguments.ts';
import { withTable } from '../tools/generate/generated-files.ts';
import { mutationsByRule } from './seeds/mutations/index.ts';
import { projectsFor } from './seeds/projects.ts';
import { placeOf, seedsTable } from './seeds/table.ts';
import { trialsIn } from './seeds/trials.ts';

const page = 'lab/notes/accuracy.md';
const tableStart = '<!-- Written by `npm run -w lab seeds`. -->';

const { positionals: named } = readArguments('npm run -w lab seeds [-- RULE...]', {});
const trials = rules
  .filter(({ id }) => named.length === 0 || named.includes(id))
  .flatMap((rule) => {
    const kinds = mutationsByRule[rule.id];
    return kinds ? projectsFor(rule, kinds).flatMap((it) => [...trialsIn(it, rule, kinds)]) : [];
  });
for (const it of trials.filter(({ isFound }) => !isFound)) console.log(`missed: ${placeOf(it)}`);
console.log(
  `${trials.filter((it) => it.isFound).length} of ${trials.length} planted bugs are found`,
);
if (named.length === 0) writeFileSync(page, withTable(page, tableStart, seedsTable(trials)));
