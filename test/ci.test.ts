import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fakeCli, type FakeCli } from './fakes/cli.ts';
import { type Folder, folderWith } from './fakes/folder.ts';
import { itInFull } from './lanes.ts';

/** What is handed out to other projects is run here as they run it, on a repository with one change. */
describe('templates for CI and commits', function () {
  this.timeout(60_000);
  let cli: FakeCli;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());

  interface Project extends Folder {
    run(command: string, env?: Readonly<Record<string, string>>): Run;
  }
  interface Run {
    readonly status: number | null;
    readonly output: string;
  }

  /** `main` is what was there, and the working tree is staged with one more wait. */
  function project(more: Readonly<Record<string, string>> = {}): Project {
    const folder = folderWith({
      'package.json': '{ "private": true }',
      '.gitignore': 'node_modules\nout\n',
      'src/a.js': 'wait(8);\n',
      'node_modules/.bin/deadtime': `#!/bin/sh\nexec "${process.execPath}" "${cli.entry}" "$@"\n`,
      ...more,
    });
    chmodSync(join(folder.path, 'node_modules/.bin/deadtime'), 0o755);
    const { CI, FORCE_COLOR, NO_COLOR, ...inherited } = process.env;
    const run: Project['run'] = (command, env = {}) => {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
        ...{ cwd: folder.path, encoding: 'utf8', env: { ...inherited, ...identity, ...env } },
      });
      return { status, output: stdout + stderr };
    };
    const made = run(
      'git init -q -b main && git add -A && git commit -qm "Wait" && git update-ref refs/remotes/origin/main HEAD',
    );
    strictEqual(made.status, 0, made.output);
    folder.write({ 'src/a.js': 'wait(8);\nwait(9);\n' });
    run('git add -A');
    return { ...folder, run };
  }

  const identity = {
    ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com', GIT_CONFIG_GLOBAL: '/dev/null' },
    ...{ GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' },
  };

  /** The commands of a job, without the one that installs. */
  function commandsIn(file: string, item: RegExp): readonly string[] {
    const commands = [...readFileSync(file, 'utf8').matchAll(item)].map(([, command]) => command!);
    return commands.filter((it) => it !== 'npm ci');
  }

  /** How often the line stands in it with which a report begins. */
  const reportsIn = (summary: string) =>
    readFileSync(summary, 'utf8').split('<!-- deadtime -->').length - 1;

  it('review a pull request on GitHub', () => {
    const { path, run } = project({ 'out/empty': '' });
    const [command, ...others] = commandsIn('src/cli/init/templates/github.yml', /- run: (.+)/g);
    deepStrictEqual(others, []);
    const summary = join(path, 'out/summary.md');
    const env = { GITHUB_BASE_REF: 'main', GITHUB_STEP_SUMMARY: summary };
    const { status, output } = run(command!, env);
    strictEqual(status, 0, output);
    strictEqual(reportsIn(summary), 1);
    strictEqual(run(`${command} --fail-on warn`, env).status, 1);
    match(output, /^::warning file=src\/a\.js,line=2,.*::Waits 9 ms\./m);
    strictEqual(output.includes('Waits 8 ms'), false);
    match(readFileSync(summary, 'utf8'), /src\/a\.js:2/);
  });

  it('review a merge request on GitLab', () => {
    const { path, run } = project();
    const [command] = commandsIn('src/cli/init/templates/gitlab.yml', /^ {4}- (.+)/gm).filter(
      (it) => it.startsWith('npx'),
    );
    const env = { CI_MERGE_REQUEST_DIFF_BASE_SHA: 'origin/main' };
    const { status, output } = run(command!, env);
    strictEqual(status, 0, output);
    strictEqual(run(`${command} --fail-on warn`, env).status, 1);
    const [found, ...others] = JSON.parse(readFileSync(join(path, 'deadtime.json'), 'utf8')) as {
      readonly location: unknown;
    }[];
    deepStrictEqual([found?.location, others], [{ path: 'src/a.js', lines: { begin: 2 } }, []]);
  });

  describe('the action', () => {
    const action = readFileSync('action.yml', 'utf8');
    const script = resolve('src/cli/init/templates/review.sh');

    /** Installs the command line in the folder in which it is run, if that is the one that it is told. */
    const npm = () =>
      [
        '#!/bin/sh',
        'case "$PWD" in */out/deadtime-tool) ;; *) echo "$PWD"; exit 9;; esac',
        'echo "$@" > ../installed',
        'mkdir -p node_modules/.bin',
        `printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' '${process.execPath}' '${cli.entry}' > node_modules/.bin/deadtime`,
        'chmod +x node_modules/.bin/deadtime',
        '',
      ].join('\n');

    function reviewed(it: Project, more: Readonly<Record<string, string>> = {}) {
      it.write({ 'out/empty': '', 'out/tools/npm': npm() });
      // What the pull request has brought.
      it.write({ 'node_modules/.bin/deadtime': '#!/bin/sh\ntouch out/trap\n' });
      chmodSync(join(it.path, 'out/tools/npm'), 0o755);
      return it.run(script, {
        PATH: `${join(it.path, 'out/tools')}:${process.env['PATH']}`,
        ...{ BASE: 'origin/main', FAIL_ON: 'error', VERSION: 'latest' },
        ...{ RUNNER_TEMP: join(it.path, 'out'), GITHUB_REPOSITORY: 'us/shop' },
        GITHUB_STEP_SUMMARY: join(it.path, 'out/summary.md'),
        GITHUB_OUTPUT: join(it.path, 'out/output'),
        ...more,
      });
    }

    it('runs a script with the expected inputs', () => {
      match(action, /run: '"\$GITHUB_ACTION_PATH\/src\/cli\/init\/templates\/review\.sh"'/);
      const given = [...action.matchAll(/^ {8}([A-Z_]+):/gm)].map(([, name]) => name!);
      const own = /\$\{?(BASE|FAIL_ON|VERSION|PULL_REQUEST)\b/g;
      const read = [...readFileSync(script, 'utf8').matchAll(own)].map(([, name]) => name!);
      deepStrictEqual(new Set([...read, 'GH_TOKEN']), new Set(given));
    });

    it('annotates, sums up and hands SARIF on', () => {
      const it = project();
      const { status, output } = reviewed(it, { VERSION: '1.2.3' });
      strictEqual(status, 0, output);
      match(readFileSync(join(it.path, 'out/installed'), 'utf8'), / deadtime@1\.2\.3$/m);
      strictEqual(existsSync(join(it.path, 'out/trap')), false);
      match(output, /^::warning file=src\/a\.js,line=2,/m);
      const summary = join(it.path, 'out/summary.md');
      match(readFileSync(summary, 'utf8'), /^### Deadtime: 1 finding/m);
      strictEqual(reportsIn(summary), 1);
      const [, sarif] = /^sarif=(.+)$/m.exec(readFileSync(join(it.path, 'out/output'), 'utf8'))!;
      strictEqual(existsSync(sarif!), true);
      strictEqual(reviewed(it, { FAIL_ON: 'warn' }).status, 1);
    });

    it('reports the error of its base, and fails', () => {
      const { status, output } = reviewed(project(), { BASE: 'nowhere' });
      strictEqual(status, 2);
      match(output, /nowhere/);
    });

    it('writes one comment and updates it later, but no comment of other users', function () {
      if (spawnSync('jq', ['--version']).status !== 0) this.skip();
      const gh = [
        '#!/bin/sh',
        'echo "$@" >> out/calls',
        'for filter; do :; done',
        'case "$*" in',
        `  *graphql*) echo '{"data":{"viewer":{"login":"github-actions[bot]"}}}' | jq -r "$filter";;`,
        '  *--paginate*) jq -r "$filter" known.json;;',
        'esac',
        '',
      ].join('\n');
      const it = project({ 'known.json': '[]' });
      it.write({ 'out/tools/gh': gh });
      chmodSync(join(it.path, 'out/tools/gh'), 0o755);
      const comment = (id: number, login: string, body: string) => ({ id, user: { login }, body });
      const callsAfter = (...comments: readonly object[]) => {
        it.write({ 'known.json': JSON.stringify(comments) });
        const { status, output } = reviewed(it, { PULL_REQUEST: '7' });
        strictEqual(status, 0, output);
        const calls = readFileSync(join(it.path, 'out/calls'), 'utf8').trim().split('\n');
        it.run('rm out/calls');
        return calls.map((call) => call.replace(/ (?:--paginate|-[Ff]).*/, ''));
      };
      const listed = ['api graphql', 'api repos/us/shop/issues/7/comments'];
      const made = 'api --method POST repos/us/shop/issues/7/comments';
      const changed = 'api --method PATCH repos/us/shop/issues/comments/31';
      const marker = '<!-- deadtime -->\nThree findings.';
      const others = [
        comment(29, 'mallory', marker),
        comment(30, 'github-actions[bot]', `> ${marker}`),
      ];
      deepStrictEqual(callsAfter(), [...listed, made]);
      deepStrictEqual(callsAfter(...others), [...listed, made]);
      const own = comment(31, 'github-actions[bot]', marker);
      deepStrictEqual(callsAfter(...others, own), [...listed, changed]);
      it.run('git checkout -q HEAD -- src');
      deepStrictEqual(callsAfter(...others), listed);
    });
  });

  /** Commits what is staged; `bin` is a hook manager of our own dependencies. */
  function link(it: Project, name: string): void {
    symlinkSync(resolve('node_modules', name), join(it.path, 'node_modules', name));
  }

  function committed(it: Project): void {
    const refused = it.run('git commit -m "Wait more"');
    strictEqual(refused.status, 1, refused.output);
    match(refused.output, /src\/a\.js:2/);
    it.write({ 'src/a.js': 'wait(8);\nrun();\n' });
    const taken = it.run('git add -A && git commit -m "Run"');
    strictEqual(taken.status, 0, taken.output);
  }

  it('review what is staged, by husky', () => {
    const it = project({
      '.husky/pre-commit': readFileSync('src/cli/init/templates/husky-pre-commit', 'utf8'),
    });
    link(it, 'husky');
    const installed = it.run('node node_modules/husky/bin.js');
    strictEqual(installed.status, 0, installed.output);
    committed(it);
  });

  itInFull('review what is staged, by lefthook', function () {
    const it = project({
      'lefthook.yml': readFileSync('src/cli/init/templates/lefthook.yml', 'utf8'),
    });
    link(it, 'lefthook');
    const installed = it.run('node node_modules/lefthook/bin/index.js install');
    strictEqual(installed.status, 0, installed.output);
    committed(it);
  });

  itInFull('review what is staged, by pre-commit', () => {
    const it = project();
    const [entry] = commandsIn('src/cli/init/templates/pre-commit-config.yaml', /entry: (.+)/g);
    const [published] = commandsIn('.pre-commit-hooks.yaml', /entry: (.+)/g);
    const filesOf = (file: string) => /files: (.+)/.exec(readFileSync(file, 'utf8'))?.[1];
    strictEqual(entry, `npx ${published}`);
    strictEqual(
      filesOf('.pre-commit-hooks.yaml'),
      filesOf('src/cli/init/templates/pre-commit-config.yaml'),
    );
    const { status, output } = it.run(entry!);
    strictEqual(status, 1, output);
    match(output, /src\/a\.js:2/);
  });
});
