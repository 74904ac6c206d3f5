// Mutates the fixtures for some time, and checks what no analysis may do: throw, point outside of the text, give two results
// for one text, suggest code that does not parse, or give a different result after an edit than for the same text without one.
//   npm run -w lab fuzz -- [--seed 1] [--minutes 1]
// Each kind of failure is printed once, reduced to the smallest program.
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { readArguments } from '../tools/arguments.ts';
import { faultsIn, type Program } from './fuzz/invariants.ts';
import { baseProgramsIn, programsFrom } from './fuzz/programs.ts';
import { shrunk } from './fuzz/shrunk.ts';

const { values } = readArguments('npm run -w lab fuzz -- [--seed 1] [--minutes 1]', {
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '1' },
});
const end = Date.now() + 60_000 * Number(values.minutes);
const programs = programsFrom(baseProgramsIn('fixtures'));
const known = new Set<string>();
/** The number of mutations per seed, so that the seed in a failure reproduces it. */
const BATCH = 200;
let count = 0;

for (let seed = Number(values.seed); Date.now() < end; seed++) {
  for (const program of fc.sample(programs, { seed, numRuns: BATCH })) {
    count++;
    for (const fault of faultsIn(program)) {
      const kind = kindOf(fault);
      if (known.has(kind)) continue;
      known.add(kind);
      print(seed, fault, smallestLike(program, kind));
    }
  }
  // The parser frees its memory only between turns of the event loop: without a turn, 12 GB in 50 minutes.
  await setImmediate();
}
console.log(`${count} programs, ${known.size} kinds of failures`);
process.exitCode = known.size > 0 ? 1 : 0;

/** The same for the same fault at another place. */
function kindOf(fault: string): string {
  return fault
    .split('\n')
    .slice(0, 2)
    .join('\n')
    .replaceAll(/\d+|"[^"]*"|`[^`]*`/g, '');
}

function smallestLike(program: Program, kind: string): Program {
  const fails = (it: Program) => faultsIn(it).some((fault) => kindOf(fault) === kind);
  const alone = { ...program, beside: {} };
  const start = fails(alone) ? alone : program;
  return { ...start, text: shrunk(start.text, (text) => fails({ ...start, text })) };
}

function print(seed: number, fault: string, { path, text, beside, edit }: Program): void {
  console.log(
    `--- seed ${seed}, ${path}${Object.keys(beside)
      .map((it) => ` + ${it}`)
      .join('')}`,
  );
  console.log(fault);
  console.log(
    text.replaceAll(/[\r\u2028\u2029\uFEFF]/g, (it) => `{U+${it.charCodeAt(0).toString(16)}}`),
  );
  console.log(`edit: ${JSON.stringify(edit)}`);
}
