// Compares findings with hand labels of real code and writes lab/notes/accuracy.md:
//   npm run -w lab accuracy -- --labels DIR --corpus DIR
// The labels' folder holds *.jsonl and the score.mjs that reads them; the corpus one checkout a repository, named owner+name.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { format } from 'prettier';
import { rules } from '../rules/index.ts';
import { readArguments } from '../tools/arguments.ts';
import { peerFindings, peers } from './accuracy-peers.ts';
import { buildPackage } from '../tools/build/build.ts';

const page = 'lab/notes/accuracy.md';
const handWritten = '<!-- Written by hand below this line; `npm run -w lab accuracy` keeps it. -->';
/** Of a loop that writes, one of these speaks: the first of loops that only read, too. */
const writers = ['no-independent-await-in-loop', 'no-autocommit-in-loop'];

interface Row {
  readonly rule: string;
  readonly right: number;
  readonly wrong: number;
  readonly arguable: number;
  readonly unjudged: number;
  readonly missed: number;
}

const { values } = readArguments(
  'npm run -w lab accuracy -- --labels DIR --corpus DIR',
  { labels: { type: 'string', default: '' }, corpus: { type: 'string', default: '' } },
  (it) => it.values.labels !== '' && it.values.corpus !== '',
);
const labels = resolve(values.labels);
const corpus = resolve(values.corpus);

await buildPackage();
const scratch = mkdtempSync(join(tmpdir(), 'deadtime-accuracy-'));
try {
  const findings = join(scratch, 'findings.json');
  writeFileSync(findings, JSON.stringify({ findings: repositories().flatMap(findingsIn) }));
  writeFileSync(page, await pageOf(findings, await besidePeers(rowsOf(score(findings, 'wrong')))));
  console.log(`wrote ${page}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function repositories(): readonly string[] {
  return readdirSync(corpus, { withFileTypes: true })
    .filter((it) => it.isDirectory() && it.name.includes('+'))
    .map((it) => it.name)
    .sort();
}

/** Each repository is scanned from the corpus's folder, so that places read owner+name/path. */
function findingsIn(repository: string): readonly unknown[] {
  const cli = resolve('dist/cli.js');
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [cli, 'check', repository, '--no-cache', '--format', 'json'],
    { cwd: corpus, encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  if (status !== 0 && status !== 1) throw new Error(`${repository}: exit ${status}\n${stderr}`);
  return (JSON.parse(stdout) as { findings: readonly unknown[] }).findings;
}

function score(findings: string, list: string): readonly string[] {
  const files = readdirSync(labels).filter((it) => it.endsWith('.jsonl'));
  const flags = files.flatMap((it) => [
    it.startsWith('complete') ? '--complete' : '--labels',
    join(labels, it),
  ]);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(labels, 'score.mjs'), ...flags, '--root', corpus, '--list', list, findings],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout.split('\n');
}

/** The lines `rule right wrong arguable unjudged missed precision recall` of the scorer's table. */
function rowsOf(lines: readonly string[]): readonly Row[] {
  const ids = new Set(rules.map((it) => it.id));
  return lines.flatMap((line): Row[] => {
    const [rule = '', ...numbers] = line.trim().split(/\s+/);
    if (!ids.has(rule)) return [];
    const [right = 0, wrong = 0, arguable = 0, unjudged = 0, missed = 0] = numbers.map(Number);
    return [{ rule, right, wrong, arguable, unjudged, missed }];
  });
}

/** `place rule | kind: reason` lines of the rules that exist. */
function listedOf(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => rules.some((it) => line.includes(` ${it.id} | `)));
}

/** A table: each rule that a peer asks about as well, with the precision and recall of both. */
async function besidePeers(own: readonly Row[]): Promise<string> {
  const cells = new Map<string, string[]>();
  for (const [peer, findings] of await peerFindings(labels, corpus)) {
    const file = join(scratch, 'peer.json');
    writeFileSync(file, JSON.stringify({ findings }));
    const wrong = score(file, 'wrong');
    const theirs = rowsOf(wrong);
    for (const { rule } of own) {
      const row = peer.asks[rule] && theirs.find((it) => it.rule === rule);
      const cell = row ? sharesOf({ ...row, wrong: placesIn(wrong, rule) }) : '–';
      cells.set(rule, [...(cells.get(rule) ?? []), cell]);
    }
  }
  const asked = own.filter(({ rule }) => cells.get(rule)?.some((it) => it !== '–'));
  return [
    `| rule | Deadtime | ${peers.map((it) => it.name).join(' | ')} |`,
    `|---|---|${peers.map(() => '---').join('|')}|`,
    ...asked.map(
      (it) => `| \`${it.rule}\` | ${sharesOf(it)} | ${cells.get(it.rule)!.join(' | ')} |`,
    ),
  ].join('\n');
}

function sharesOf({ right, wrong, missed }: Row): string {
  return `${shareOf(right, right + wrong)} of ${right + wrong} right, ${shareOf(right, right + missed)} found`;
}

/** A peer that reports each await of a loop is wrong about the loop once. */
function placesIn(wrong: readonly string[], rule: string): number {
  const places = listedOf(wrong)
    .filter((line) => line.includes(` ${rule} | `))
    .map((line) => (line.includes('| unlabelled') ? line : line.replace(/:\d+ /, ' ')));
  return new Set(places).size;
}

async function pageOf(findings: string, table: string): Promise<string> {
  const wrong = score(findings, 'wrong');
  const rows = rowsOf(wrong);
  const text = `<!-- Written by \`npm run -w lab accuracy\`, except for what follows the second comment. -->
# Accuracy on hand-labelled code

Places in public back ends were read by hand and judged: report it (positive) or stay silent (negative).
Debatable places count for neither side.
Precision is the share of judged reports that are right, recall the share of positives that are found; both in the default profile.

| rule | right | wrong | arguable | missed | precision | recall |
|---|--:|--:|--:|--:|--:|--:|
${rows.map(tableRow).join('\n')}
${tableRow(rows.reduce(sum, { rule: 'all', right: 0, wrong: 0, arguable: 0, unjudged: 0, missed: 0 }))}

${repositories().length} repositories, ${rows.reduce((all, it) => all + it.unjudged, 0)} further reports in places that nobody labelled.

## Loops that write, under either rule

One cause is reported once: the rows of a loop by one of these two rules, where the labels name one, the other or both.
With a report of either taken for both:

| rule | right | wrong | arguable | missed | precision | recall |
|---|--:|--:|--:|--:|--:|--:|
${underEither(findings).map(tableRow).join('\n')}

## Beside other linters

The same labels, with what other linters report in the labelled files about the same question.
Several reports about one labelled place count once.

${table}

## False alarms

${bullets(listedOf(wrong))}

## Misses

${bullets(listedOf(score(findings, 'missed')))}

`;
  const kept = existsSync(page) ? readFileSync(page, 'utf8').split(handWritten)[1] : undefined;
  const options = { parser: 'markdown', printWidth: 1000 } as const;
  return `${await format(text, options)}\n${handWritten}${kept ?? '\n'}`;
}

/** Those rules' rows, with each finding about a loop that writes counted for both. */
function underEither(findings: string): readonly Row[] {
  const file = join(scratch, 'either.json');
  const all = JSON.parse(readFileSync(findings, 'utf8')) as {
    findings: { ruleId: string; messageId: string }[];
  };
  const [reader] = writers;
  const either = all.findings
    .filter((it) => writers.includes(it.ruleId))
    .flatMap((it) =>
      it.ruleId === reader && it.messageId !== 'writes'
        ? [it]
        : writers.map((ruleId) => ({ ...it, ruleId })),
    );
  writeFileSync(file, JSON.stringify({ findings: either }));
  return rowsOf(score(file, 'wrong')).filter((it) => writers.includes(it.rule));
}

function sum(a: Row, b: Row): Row {
  return {
    rule: a.rule,
    right: a.right + b.right,
    wrong: a.wrong + b.wrong,
    arguable: a.arguable + b.arguable,
    unjudged: a.unjudged + b.unjudged,
    missed: a.missed + b.missed,
  };
}

function tableRow({ rule, right, wrong, arguable, missed }: Row): string {
  return `| ${rule === 'all' ? 'all' : `\`${rule}\``} | ${right} | ${wrong} | ${arguable} | ${missed} | ${shareOf(right, right + wrong)} | ${shareOf(right, right + missed)} |`;
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}

/** One line a rule and cause, as the labels call it. */
function bullets(lines: readonly string[]): string {
  const causes = new Map<string, number>();
  for (const line of lines) {
    const [, rule, cause] = / (\S+) \| (unlabelled|[^:]+)/.exec(line) ?? [];
    const key = `\`${rule}\`: ${cause}`;
    causes.set(key, (causes.get(key) ?? 0) + 1);
  }
  if (causes.size === 0) return 'None.';
  return [...causes]
    .sort((a, b) => b[1] - a[1])
    .map(([cause, count]) => `- ${count} × ${cause}`)
    .join('\n');
}
