// Plants bugs in sound code, one at a time, and counts those that are reported:
//   npm run seeds [-- RULE...]   prints what is missed; without a rule, the table in lab/notes/accuracy.md is written anew.
import { writeFileSync } from 'node:fs';
import { rules } from '../rules/index.ts';
import { readArguments } from './arguments.ts';
import { withTable } from './generated-files.ts';
import { mutationsByRule } from './seeds/mutations/index.ts';
import { projectsFor } from './seeds/projects.ts';
import { placeOf, seedsTable } from './seeds/table.ts';
import { trialsIn } from './seeds/trials.ts';

const page = 'lab/notes/accuracy.md';
const tableStart = '<!-- Written by `npm run seeds`. -->';

const { positionals: named } = readArguments('npm run seeds [-- RULE...]', {});
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
