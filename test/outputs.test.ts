import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Log } from 'sarif';
import { exitCodeOf, type Thresholds } from '../src/cli/thresholds.ts';
import type { FixInstructions } from '../src/report/fix.ts';
import { fakeCli, type FakeCli } from './fakes/cli.ts';
import { type Folder, folderWith } from './fakes/folder.ts';
import { problemAt, resultOf } from './fakes/results.ts';

/** A finding of `-f json`, as far as it is read here. */
interface WithFix {
  readonly file: string;
  readonly fix: FixInstructions;
}

describe('reports of the command line', function () {
  let cli: FakeCli;
  let project: Folder;
  before(async () => (cli = await fakeCli()));
  beforeEach(() => (project = folderWith({ 'a.js': 'wait(9);', 'b.js': 'wait(80);' })));
  after(() => cli.remove());

  const run = (...args: readonly string[]) => cli.run(args, { cwd: project.path });
  const textOf = (name: string) => readFileSync(join(project.path, name), 'utf8');

  it('go to files and to standard output, several in one run', async () => {
    const { stdout, code } = await run('-f', 'compact', '-f', 'json:reports/all.json');
    strictEqual(code, 0);
    strictEqual(
      stdout,
      'b.js:1:1: warning no-wait: Waits 80 ms.\na.js:1:1: warning no-wait: Waits 9 ms.\n',
    );
    strictEqual((JSON.parse(textOf('reports/all.json')) as { version: number }).version, 2);
    deepStrictEqual(readdirSync(join(project.path, 'reports')), ['all.json']);
  });

  it('keep standard output empty when all go to files, and fail for invalid outputs', async () => {
    const args = ['-f', 'compact:a.txt'];
    deepStrictEqual(await run(...args), {
      ...{ code: 0, stdout: '' },
      stderr: 'deadtime: wrote compact to a.txt\n',
    });
    strictEqual((await run(...args, '--fail-on', 'error', '--fail-on-cost', '0.08s')).code, 1);
  });

  it('have colors in a terminal, not in a file', async () => {
    const env = { FORCE_COLOR: '1' };
    await cli.run(['-f', 'text:a.txt'], { cwd: project.path, env });
    match(textOf('a.txt'), /^b\.js:1:1 {2}warning {2}no-wait$/m);
  });

  it('do not leave the folder by a link of the project', async () => {
    const outside = folderWith({ 'own.txt': 'mine' }).path;
    symlinkSync(join(outside, 'own.txt'), join(project.path, 'out.txt'));
    symlinkSync(outside, join(project.path, 'reports'));
    symlinkSync('a.js', join(project.path, 'inside.txt'));
    for (const name of ['out.txt', 'reports/new.txt']) {
      const { code, stderr } = await run('-f', `compact:${name}`);
      match(stderr, /was not written: a link leads out of the project, to /);
      strictEqual(code, 2);
    }
    deepStrictEqual(readdirSync(outside), ['own.txt']);
    strictEqual(readFileSync(join(outside, 'own.txt'), 'utf8'), 'mine');
    strictEqual((await run('-f', `compact:${join(outside, 'own.txt')}`)).code, 0);
    strictEqual((await run('-f', 'compact:inside.txt')).code, 0);
  });

  it('are the same from every spelling of the folder', async () => {
    const link = join(folderWith({}).path, 'link');
    symlinkSync(project.path, link);
    const expected = await run('-f', 'json');
    deepStrictEqual(await run('-f', 'json', realpathSync(project.path)), expected);
    deepStrictEqual(await cli.run(['-f', 'json'], { cwd: link, env: { PWD: link } }), expected);
  });

  it('are written whole, or not at all', async () => {
    project.write({ 'old.json': 'old', 'folder/x': '' });
    const { code, stderr, stdout } = await run('-f', 'json:old.json', '-f', 'text:folder');
    deepStrictEqual([code, stdout], [2, '']);
    strictEqual(stderr, 'deadtime: Cannot write folder: it is a folder\n');
    strictEqual(textOf('old.json'), 'old');
    deepStrictEqual(readdirSync(project.path).sort(), ['a.js', 'b.js', 'folder', 'old.json']);
    match((await run('-f', 'json:a.js/out.json')).stderr, /^deadtime: Cannot write a\.js\/out/);
  });

  it('replace what a link points to, and write into devices', async () => {
    mkdirSync(join(project.path, 'real'));
    writeFileSync(join(project.path, 'real/out.txt'), 'old');
    symlinkSync('real/out.txt', join(project.path, 'out.txt'));
    await run('-f', 'compact:out.txt');
    match(textOf('real/out.txt'), /^b\.js/);
    strictEqual((await run('-f', 'compact:/dev/null')).code, 0);
    strictEqual(statSync('/dev/null').isFile(), false);
  });

  it('are for an agent where one reads and no option overrides it', async () => {
    const env = { CLAUDECODE: '1' };
    const { stdout, code } = await cli.run([], { cwd: project.path, env });
    match(
      stdout,
      /^deadtime: 2 findings\nb\.js:1 a\.js:1 no-wait \(changes order\): Wait for nothing\.\n/,
    );
    strictEqual(code, 0);
    match((await cli.run(['-f', 'text'], { cwd: project.path, env })).stdout, /^b\.js:1:1 /);
  });

  it('of GitHub are in the summary of the step, too, behind what is there', async () => {
    project.write({ 'summary.md': 'Before.\n' });
    const env = { GITHUB_STEP_SUMMARY: join(project.path, 'summary.md') };
    const { stdout } = await cli.run(['-f', 'github'], { cwd: project.path, env });
    match(stdout, /^::warning file=b\.js,line=1,/);
    match(textOf('summary.md'), /^Before\.\n<!-- deadtime -->\n### Deadtime: 2 findings \(2 warn/);
    project.write({ 'summary.md': ' '.repeat(1024 * 1024 - 300) });
    await cli.run(['-f', 'github'], { cwd: project.path, env });
    ok(textOf('summary.md').length < 1024 * 1024);
  });

  it('name a command that verifies their fix', async () => {
    project.write({ 'b.js': 'run();', 'src/c.js': 'run();\nwait(1);' });
    const { stdout } = await run('-f', 'json', '--profile', 'strict');
    const { findings } = JSON.parse(stdout) as { findings: readonly WithFix[] };
    deepStrictEqual(findings.map((it) => it.file).toSorted(), ['a.js', 'src/c.js']);
    for (const { file, fix } of findings) {
      const [npx, deadtime, ...words] = fix.verify.split(' ');
      deepStrictEqual([npx, deadtime], ['npx', 'deadtime']);
      strictEqual((await run(...words)).code, 1);
      const mended = fix.edits.toReversed().reduce((text, { range: [start, end], text: own }) => {
        return text.slice(0, start) + own + text.slice(end);
      }, textOf(file));
      project.write({ [file]: mended });
      deepStrictEqual([(await run(...words)).code, fix.verify], [0, fix.verify]);
    }
  });

  it('of shards merge into the report of the whole', async () => {
    const part = (index: number) => [`--shard`, `${index}/2`, '-f', `json:${index}.json`] as const;
    for (const index of [1, 2]) await run(...part(index), '--fail-on', 'off');
    const whole = await run('-f', 'json');
    deepStrictEqual(await run('merge', '2.json', '1.json'), whole);
    const kept = await run('merge', '1.json', '2.json', '-o', 'all.json');
    deepStrictEqual(kept, { code: 0, stdout: '', stderr: '' });
    strictEqual(textOf('all.json'), whole.stdout);
    const half = await run('merge', '1.json');
    deepStrictEqual(half, {
      ...{ code: 2, stdout: '' },
      stderr: 'deadtime: Cannot merge: shard 2 of 2 is missing.\n',
    });
    await run('-f', 'sarif:1.sarif', '--fail-on', 'off');
    const log = JSON.parse(textOf('1.sarif')) as Log;
    log.runs[0]!.properties = { leftOut: 7 };
    writeFileSync(join(project.path, '2.sarif'), JSON.stringify(log));
    match(
      (await run('merge', '1.sarif', '2.sarif')).stderr,
      /^deadtime: The sarif report omits the 7 least costly findings: /,
    );
    match((await run('merge', 'none.json')).stderr, /^deadtime: Cannot read none\.json: ENOENT/);
  });

  it('have options that mean something', async () => {
    for (const [args, reason] of [
      [['-f', 'pdf'], /The formats are text, compact, /],
      [['--shard', '3/2'], /It is a part and how many there are/],
      [['-f', 'json:'], /"json:" names no file/],
      [['--fail-on', 'never'], /Allowed choices are error, warn, any, off/],
      [['--fail-on-cost', '10'], /It is a time, as 50ms or 2s/],
      [['-f', 'json', '-f', 'text'], /Two reports cannot both go to standard output/],
      [['-f', 'json:a.txt', '-f', 'text:a.txt'], /Two reports cannot both go to a\.txt/],
    ] as const) {
      const { code, stderr } = await run(...args);
      strictEqual(code, 2);
      match(stderr, reason);
    }
  });
});

describe('the exit code', () => {
  const small = problemAt(1, 'warning', { evidence: { costMs: 9 } });
  const grave = problemAt(2, 'error');
  const codesOf = (thresholds: Thresholds) =>
    [problemAt(3, 'information'), small, grave].map((it) => exitCodeOf(resultOf([it]), thresholds));

  it('is 1 for an error, unless another severity or a cost is asked for', () => {
    deepStrictEqual(codesOf({}), [0, 0, 1]);
    deepStrictEqual(codesOf({ failOn: 'any' }), [1, 1, 1]);
    deepStrictEqual(codesOf({ failOn: 'warn' }), [0, 1, 1]);
    deepStrictEqual(codesOf({ failOn: 'error' }), [0, 0, 1]);
    deepStrictEqual(codesOf({ failOn: 'off' }), [0, 0, 0]);
    deepStrictEqual(codesOf({ failOnCost: 9 }), [0, 1, 0]);
    deepStrictEqual(codesOf({ failOnCost: 10 }), [0, 0, 0]);
    deepStrictEqual(codesOf({ failOn: 'error', failOnCost: 9 }), [0, 1, 1]);
  });

  it('is 3 for a rule that failed where no finding counts', () => {
    const notice = { path: '/project/a.js', reason: 'rule-failure', message: 'failed' } as const;
    strictEqual(exitCodeOf(resultOf([small], [notice]), { failOn: 'error' }), 3);
    strictEqual(exitCodeOf(resultOf([grave], [notice]), {}), 1);
  });
});
