// Follows findings through a repository's history and says how many keep their fingerprints:
//   npm run fingerprints -- --repository DIR --windows 10
// A window is 50 commits of the main line. A finding counts when no commit in it changed a line of its function, white space
// and renamed files aside, and it is found at both ends.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { patchesIn, type Hunk } from '../changes/patch.ts';
import { rules } from '../rules/index.ts';
import { createClock } from '../scan/clock.ts';
import { configurationsOf } from '../scan/configuration.ts';
import { filesOf } from '../scan/files.ts';
import { projectModules } from '../scan/project.ts';
import { scanFiles } from '../scan/scan-files.ts';
import { readArguments } from './arguments.ts';

const COMMITS = 50;

/** Below it, exit with 1: baselines and code scanning lose findings that nobody touched. */
const LEAST_KEPT = 0.99;

interface Place {
  readonly file: string;
  /** Rule and message. */
  readonly kind: string;
  readonly line: number;
  /** The first and the last line of the function around it. */
  readonly unit: readonly [number, number];
  readonly fingerprint: string;
}

const { values } = readArguments(
  'npm run fingerprints -- --repository DIR [--windows 10]',
  { repository: { type: 'string', default: '' }, windows: { type: 'string', default: '10' } },
  (it) => it.values.repository !== '',
);

const scratch = mkdtempSync(join(tmpdir(), 'deadtime-history-'));
const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: scratch, encoding: 'utf8', maxBuffer: 1 << 30 });
try {
  git('clone', '--quiet', '--shared', '--no-checkout', values.repository, '.');
  const ends = git(
    'rev-list',
    '--first-parent',
    `--max-count=${Number(values.windows) * COMMITS + 1}`,
    'HEAD',
  )
    .trim()
    .split('\n')
    .filter((_, i) => i % COMMITS === 0)
    .reverse();
  let [kept, lost] = [0, 0];
  let before: { readonly commit: string; readonly places: readonly Place[] } | undefined;
  for (const commit of ends) {
    const places = await placesAt(commit);
    if (before) {
      const pairs = untouched(before.places, places, hunksBetween(before.commit, commit));
      const same = pairs.filter(([a, b]) => a.fingerprint === b.fingerprint);
      kept += same.length;
      lost += pairs.length - same.length;
      console.log(
        `${commit.slice(0, 10)}: ${same.length} of ${pairs.length} (${places.length} found)`,
      );
      for (const [a, b] of pairs) {
        if (a.fingerprint !== b.fingerprint) console.log(`  ${b.file}:${b.line} ${b.kind}`);
      }
    }
    before = { commit, places };
  }
  console.log(`${kept} of ${kept + lost} untouched findings kept their fingerprints.`);
  if (kept < LEAST_KEPT * (kept + lost)) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function placesAt(commit: string): Promise<readonly Place[]> {
  git('checkout', '--quiet', '--force', commit);
  const clock = createClock();
  const { problems } = await scanFiles(filesOf(['.'], { cwd: scratch }), {
    ...{ rules, clock, modules: projectModules(scratch, clock) },
    configurations: configurationsOf(rules, { profile: 'audit' }),
  });
  return problems.map(({ path, finding, start, unit, fingerprint }) => {
    const text = readFileSync(path, 'utf8');
    const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
    return {
      file: relative(scratch, path),
      kind: `${finding.ruleId} ${finding.messageId}`,
      ...{ line: start.line, unit: [lineAt(unit[0]), lineAt(unit[1])], fingerprint },
    };
  });
}

interface Renamed {
  readonly to: string;
  readonly hunks: readonly Hunk[];
}

function hunksBetween(a: string, b: string): ReadonlyMap<string, Renamed> {
  const patch = git(
    'diff',
    '--ignore-all-space',
    '--find-renames',
    '--unified=0',
    '--no-color',
    a,
    b,
  );
  return new Map(
    patchesIn(patch).flatMap(({ from, to, hunks }) =>
      from === undefined ? [] : [[from, { to: to ?? '', hunks }] as const],
    ),
  );
}

/** Pairs of the same finding at both ends. */
function untouched(
  before: readonly Place[],
  after: readonly Place[],
  changes: ReadonlyMap<string, Renamed>,
): readonly (readonly [Place, Place])[] {
  return before.flatMap((place) => {
    const { file, kind, line, unit } = place;
    const { to, hunks } = changes.get(file) ?? { to: file, hunks: [] };
    if (hunks.some((it) => it.from <= unit[1] && unit[0] < it.from + it.removed.length)) return [];
    const shift = hunks
      .filter((it) => it.from <= line)
      .reduce((sum, it) => sum + it.added.length - it.removed.length, 0);
    const same = after.filter(
      (it) => it.file === to && it.kind === kind && it.line === line + shift,
    );
    // Two on one line cannot be told apart by their place.
    return same.length === 1 ? [[place, same[0]!] as const] : [];
  });
}
