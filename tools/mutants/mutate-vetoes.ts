import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { readArguments } from '../arguments.ts';
import type { Baseline } from './judge.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { uncompilable } from './compiled.ts';
import { bundleJudge, judgeIn } from './workers.ts';

/** Beginnings of paths: `rules/no-leaked-connection src/analysis/ownership`. */
const { positionals: named } = readArguments('npm run test:vetoes [-- PATH...]', {});
const isJudged = (path: string) => named.length === 0 || named.some((it) => path.startsWith(it));
const mutants = globSync(['rules/*/rule.ts', 'src/{analysis,engine,patterns}/**/*.ts'])
  .filter(isJudged)
  .sort()
  .flatMap(mutantsOf);

mkdirSync('node_modules/.cache', { recursive: true });
const folder = mkdtempSync(resolve('node_modules/.cache/mutants-'));
try {
  process.exitCode = await run(join(folder, 'judge.mjs'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(bundle: string): Promise<number> {
  await bundleJudge(mutants, bundle);
  const first = judgeIn(bundle);
  const baseline = await first.baseline();
  first.end();
  if (baseline.failing !== undefined) {
    console.error(`Without a mutation, this fixture fails already: ${baseline.failing}`);
    return 1;
  }
  const unnoticed = await survivorsIn(bundle, baseline);
  const narrowing = uncompilable(unnoticed);
  const survivors = unnoticed.filter((it) => !narrowing.has(it));
  for (const { path, line, veto } of survivors) {
    console.log(`${path}:${line}  no fixture fails without: ${veto}`);
  }
  // In mocha's words, which .ci/run counts.
  console.log(`  ${mutants.length - survivors.length} passing`);
  if (survivors.length > 0) console.log(`  ${survivors.length} failing`);
  return survivors.length > 0 ? 1 : 0;
}

async function survivorsIn(bundle: string, baseline: Baseline): Promise<readonly Mutant[]> {
  const survivors = new Set<number>();
  const queue = [...mutants.keys()];
  const lanes = Array.from({ length: Math.min(4, availableParallelism()) }, async () => {
    let judge = judgeIn(bundle);
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const fixtures = fixturesFor(mutant, baseline);
      const isOnLoad = baseline.onLoad.includes(mutant);
      const own = isOnLoad ? judgeIn(bundle, mutant) : judge;
      const verdict = await own.verdictOn({ mutant, fixtures }, limitMsOf(fixtures, baseline));
      if (verdict !== 'ended' && verdict.failing === undefined) survivors.add(mutant);
      if (isOnLoad) own.end();
      else if (verdict === 'ended') judge = judgeIn(bundle);
    }
    judge.end();
  });
  await Promise.all(lanes);
  return mutants.filter((_, index) => survivors.has(index));
}

/** By what the original took on this machine: two at a time take longer, and a worker may have to start. */
function limitMsOf(asked: readonly number[], { fixtures }: Baseline): number {
  const all = fixtures.reduce((sum, { ms }) => sum + ms, 0);
  return 10_000 + 2 * all + 4 * asked.reduce((sum, it) => sum + fixtures[it]!.ms, 0);
}

/**
 * The fixtures of the mutant's rule that reach its veto; all of them, where it is reached before any is read. The fixture that
 * reaches the fewest comes first: it is the likeliest to be about this veto, and the quickest to run.
 */
function fixturesFor(mutant: number, { fixtures, onLoad }: Baseline): readonly number[] {
  const own = mutants[mutant]!.ruleId;
  return fixtures
    .flatMap(({ ruleId, reached }, index) =>
      (own === undefined || own === ruleId) && (onLoad.includes(mutant) || reached.includes(mutant))
        ? [{ index, others: reached.length }]
        : [],
    )
    .sort((a, b) => a.others - b.others)
    .map(({ index }) => index);
}
