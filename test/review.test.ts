import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeCli, type FakeCli, type RunOptions } from './fakes/cli.ts';
import { type Folder, folderWith } from './fakes/folder.ts';
import { repositoryWith } from './fakes/git-repository.ts';
import type { JsonReport } from '../src/report/json.ts';

const baselineName = 'deadtime.baseline.json';

describe('commands about changes', () => {
  let cli: FakeCli;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());

  const run = ({ path }: Folder, args: readonly string[], options: Partial<RunOptions> = {}) =>
    cli.run(args, { cwd: path, ...options });

  describe('deadtime review', () => {
    it('prints what the change brings in any format, and exits as check does', async () => {
      const repository = repositoryWith({ 'a.js': 'wait(9);\n' });
      deepStrictEqual(await run(repository, ['review', '-f', 'compact']), {
        ...{ code: 0, stdout: '', stderr: '' },
      });
      repository.write({ 'a.js': 'wait(9);\nwait(80);\n' });
      const args = ['review', '-f', 'compact', '-f', 'json:out.json', '--fail-on', 'warn'];
      const found = await run(repository, args);
      deepStrictEqual(found, {
        ...{ code: 1, stderr: 'deadtime: wrote json to out.json\n' },
        stdout: 'a.js:2:1: warning no-wait: Waits 80 ms.\n',
      });
      const { findings } = JSON.parse(readFileSync(join(repository.path, 'out.json'), 'utf8')) as {
        findings: unknown[];
      };
      strictEqual(findings.length, 1);
      strictEqual((await run(repository, ['review'])).code, 0);
    });

    it('takes each kind of change', async () => {
      const repository = repositoryWith({ 'a.js': 'run();\n' });
      repository.write({ 'a.js': 'run();\nwait(9);\n' });
      const patch = `${repository.git('diff')}\n`;
      const compact = async (args: readonly string[], input?: string) => {
        const options = input === undefined ? {} : { input };
        return (await run(repository, ['review', '-f', 'compact', ...args], options)).stdout;
      };
      const expected = 'a.js:2:1: warning no-wait: Waits 9 ms.\n';
      strictEqual(await compact(['-'], patch), expected);
      repository.git('add', '--all');
      strictEqual(await compact(['--staged']), expected);
      repository.commit();
      strictEqual(await compact(['--commit', 'HEAD']), expected);
      strictEqual(await compact(['--base', 'HEAD~1']), expected);
      repository.write({ 'a.patch': patch });
      strictEqual(await compact(['--patch', 'a.patch']), expected);
    });

    it('prints the estimate above the proof, as far as the time reaches', async () => {
      const repository = repositoryWith({});
      repository.write({ 'a.js': 'wait(7);\n' });
      const proven = async (seconds: string) => {
        const args = ['review', '-f', 'compact', '--prove', seconds];
        return (await run(repository, args)).stdout.split('\n').slice(2, -1);
      };
      const estimate = ['a.js:1  no-wait', '  Estimated  7 ms vs 1 ms: `sleepMs vs 1`'];
      deepStrictEqual(await proven('60'), [
        ...estimate,
        '  Measured   Before: request 51 failed; after: none failed.',
      ]);
      deepStrictEqual(await proven('1'), [
        ...estimate,
        '  Measured   not within 1 s; run deadtime prove a.js:1',
      ]);
      const mixed = await run(repository, ['review', '-f', 'sarif', '--prove']);
      match(mixed.stderr, /--prove prints text, compact, markdown, json/);
    });

    it('puts the estimate next to the proof in JSON and in a comment', async () => {
      const repository = repositoryWith({});
      repository.write({ 'a.js': 'wait(7);\n' });
      const args = ['review', '-f', 'json', '-f', 'markdown:out.md', '--prove', '60'];
      const { stdout } = await run(repository, args);
      const { findings } = JSON.parse(stdout) as { findings: Record<string, unknown>[] };
      const [estimated, measured] = [
        '7 ms vs 1 ms: `sleepMs vs 1`',
        'Before: request 51 failed; after: none failed.',
      ];
      deepStrictEqual(
        findings.map((it) => [it['estimated'], it['measured']]),
        [[estimated, measured]],
      );
      const comment = readFileSync(join(repository.path, 'out.md'), 'utf8');
      match(
        comment,
        /^\| Severity \| Where \| What \| Cost \| Estimated \| Measured \|\n\|(?: --- \|){6}$/m,
      );
      strictEqual(comment.includes(`| ${estimated} | ${measured} |`), true, comment);
    });

    it('exits with 2 for what is no change', async () => {
      const repository = repositoryWith({});
      const failures = [
        [['--staged', '--base', 'main'], /Use only one of --base, --staged, --commit and --patch/],
        [['--base', 'nowhere'], /git has no commit "nowhere" here/],
        [['--patch', 'none.patch'], /The patch cannot be read: ENOENT/],
        [['none.patch'], /A patch in a file is --patch none\.patch/],
      ] as const;
      for (const [args, reason] of failures) {
        const { code, stderr } = await run(repository, ['review', ...args]);
        strictEqual(code, 2);
        match(stderr, reason);
      }
      const outside = await run(folderWith({}), ['review']);
      strictEqual(outside.code, 2);
      match(outside.stderr, /^deadtime: fatal: not a git repository/);
    });
  });

  describe('deadtime baseline', () => {
    it('leaves what is there, with reason and date, and reports what comes', async () => {
      const folder = folderWith({ 'a.js': 'function a() { wait(9); }\n', 'b/b.js': 'wait(8);\n' });
      const made = await run(folder, ['baseline', '--reason', 'an import']);
      deepStrictEqual(made, {
        code: 0,
        stderr: '',
        stdout: `2 added to ${baselineName}, 0 already in it.\n`,
      });
      const { findings } = JSON.parse(readFileSync(join(folder.path, baselineName), 'utf8')) as {
        findings: Record<string, string>[];
      };
      deepStrictEqual(
        findings.map(({ rule, file, reason }) => [rule, file, reason]),
        [
          ['no-wait', 'a.js', 'an import'],
          ['no-wait', 'b/b.js', 'an import'],
        ],
      );
      match(findings[0]!['date']!, /^\d{4}-\d\d-\d\d$/);

      const clean = await run(folder, ['--fail-on', 'warn']);
      strictEqual(clean.code, 0);
      strictEqual(
        clean.stdout,
        'Nothing new found in 2 files, 2 lines. 2 more in the baseline; --no-baseline shows them.\n',
      );
      const json = await run(folder, ['-f', 'json']);
      match(json.stderr, /^deadtime: 2 more in the baseline; --no-baseline also shows them\n$/);
      strictEqual((JSON.parse(json.stdout) as JsonReport).stats.baselined, 2);
      strictEqual((await run(folder, ['--no-baseline', '--fail-on', 'warn'])).code, 1);
      strictEqual((await run(folder, ['--quiet'])).stderr, '');

      folder.write({ 'c.js': 'function a() { wait(9); }\n' });
      const { stdout, code } = await run(folder, ['-f', 'compact', '--fail-on', 'warn']);
      deepStrictEqual(
        [code, stdout],
        [1, 'c.js:1:10: warning no-wait: Waits 9 ms.\n'.replace('10', '16')],
      );
    });

    it('recognizes a function that was moved or formatted, and removes entries that are gone', async () => {
      const folder = folderWith({ 'a.js': 'function a() { wait(9); }\n', 'b.js': 'wait(8);\n' });
      await run(folder, ['baseline']);
      mkdirSync(join(folder.path, 'src'));
      renameSync(join(folder.path, 'a.js'), join(folder.path, 'src/c.js'));
      folder.write({
        'src/c.js': 'run();\n\nfunction a() {\n  // slow\n  wait(9)\n}\n',
        'b.js': 'run();\n',
      });
      strictEqual((await run(folder, [])).code, 0);
      strictEqual(
        (await run(folder, ['baseline'])).stdout,
        `0 added to ${baselineName}, 2 already in it. No longer found: 1; --prune removes them.\n`,
      );
      // What was not scanned stays.
      strictEqual(
        (await run(folder, ['baseline', '--prune', 'src'])).stdout,
        `0 removed, 2 left in ${baselineName}.\n`,
      );
      strictEqual(
        (await run(folder, ['baseline', '--prune'])).stdout,
        `1 removed, 1 left in ${baselineName}.\n`,
      );
      strictEqual((await run(folder, [])).code, 0);
    });

    it('keeps entries of an unreadable file, and names the file', async () => {
      const text = 'function a() { wait(9); }\n';
      const folder = folderWith({ 'a.js': text });
      await run(folder, ['baseline']);
      folder.write({ 'a.js': `${text}class {\n`, 'b.js': text });
      const { stdout, stderr } = await run(folder, ['baseline', '--prune']);
      strictEqual(stdout, `0 removed, 1 left in ${baselineName}.\n`);
      match(stderr, /^deadtime: a\.js: could not parse: .*\n$/);
      // Nor does it stand for the same elsewhere.
      strictEqual((await run(folder, ['--fail-on', 'warn'])).code, 1);
    });

    it('keeps entries of a stricter profile, and reports errors', async () => {
      const folder = folderWith({ 'a.js': 'wait(1);\n' });
      strictEqual(
        (await run(folder, ['baseline'])).stdout,
        `0 added to ${baselineName}, 0 already in it.\n`,
      );
      await run(folder, ['baseline', '--profile', 'strict']);
      strictEqual(
        (await run(folder, ['baseline', '--prune'])).stdout,
        `0 removed, 1 left in ${baselineName}.\n`,
      );
      const path = join(folder.path, baselineName);
      const isNone = /is no baseline\. Fix it, or remove it and run deadtime baseline\.\n$/;
      const isUnreadable =
        /^deadtime: The baseline cannot be read: .*deadtime\.baseline\.json is no regular file\. Make it readable, or remove it and run deadtime baseline\.\n$/;
      const breaks = [
        [() => writeFileSync(path, '{ "findings": 1 }'), isNone],
        [() => mkdirSync(path), isUnreadable],
        ...(process.platform === 'win32'
          ? []
          : ([[() => execFileSync('mkfifo', [path]), isUnreadable]] as const)),
      ] as const;
      for (const [breakIt, said] of breaks) {
        rmSync(path, { recursive: true });
        breakIt();
        for (const args of [[], ['baseline']]) {
          const { code, stderr } = await run(folder, args);
          strictEqual(code, 2);
          match(stderr, said);
        }
      }
    });

    it('is heeded by a review', async () => {
      const repository = repositoryWith({ 'a.js': 'run();\n' });
      repository.write({ 'a.js': 'run();\nwait(9);\n' });
      await run(repository, ['baseline']);
      const args = ['review', '--quiet', '--fail-on', 'warn'];
      strictEqual((await run(repository, args)).code, 0);
      strictEqual((await run(repository, [...args, '--no-baseline'])).code, 1);
    });
  });

  describe('deadtime hook', () => {
    let home: Folder;
    beforeEach(() => (home = folderWith({})));

    const hook = (folder: Folder, call: unknown) =>
      run(folder, ['hook'], {
        input: typeof call === 'string' ? call : JSON.stringify(call),
        env: { XDG_CACHE_HOME: home.path, HOME: home.path, LOCALAPPDATA: home.path },
      });
    const claude = ({ path }: Folder, file: string, session = 'one') => ({
      ...{ session_id: session, cwd: path, hook_event_name: 'PostToolUse', tool_name: 'Edit' },
      tool_input: { file_path: join(path, file), old_string: 'a', new_string: 'b' },
    });

    it('stops an agent for what its edit has brought, once in a session', async () => {
      const repository = repositoryWith({ 'a.js': 'wait(9);\n', 'b.js': 'wait(8);\n' });
      const silent = { code: 0, stdout: '', stderr: '' };
      deepStrictEqual(await hook(repository, claude(repository, 'a.js')), silent);
      repository.write({ 'a.js': 'wait(9);\nwait(80);\n', 'b.js': 'wait(8);\nwait(70);\n' });
      const stopped = await hook(repository, claude(repository, 'a.js'));
      deepStrictEqual([stopped.code, stopped.stdout], [2, '']);
      match(stopped.stderr, /^deadtime: 1 finding\na\.js:2 no-wait /);
      deepStrictEqual(await hook(repository, claude(repository, 'a.js')), silent);
      strictEqual((await hook(repository, claude(repository, 'a.js', 'two'))).code, 2);
    });

    it('names a file that it cannot parse, once in a session', async () => {
      const repository = repositoryWith({ 'a.js': 'wait(9);\n' });
      repository.write({ 'a.js': 'wait(9);\nconst = 1;\n' });
      const { code, stderr } = await hook(repository, claude(repository, 'a.js'));
      strictEqual(code, 2);
      match(stderr, /a\.js.*could not parse/);
      strictEqual((await hook(repository, claude(repository, 'a.js'))).code, 0);
      strictEqual((await hook(repository, claude(repository, 'a.js', 'two'))).code, 2);
    });

    it('reports at most ten in one answer, and the rest after the next edit', async () => {
      const repository = repositoryWith({});
      const calls = Array.from({ length: 13 }, (_, i) => `wait(${100 - i});\n`);
      repository.write({ 'new.js': calls.join('') });
      match(
        (await hook(repository, claude(repository, 'new.js'))).stderr,
        /^deadtime: 10 findings/,
      );
      match((await hook(repository, claude(repository, 'new.js'))).stderr, /^deadtime: 3 findings/);
      strictEqual((await hook(repository, claude(repository, 'new.js'))).code, 0);
    });

    it('understands the calls of Codex, Cursor and Copilot', async () => {
      const repository = repositoryWith({ 'a b.js': 'run();\n' });
      repository.write({ 'a b.js': 'run();\nwait(9);\n' });
      const { path } = repository;
      const patch =
        '*** Begin Patch\n*** Update File: a b.js\n@@\n run();\n+wait(9);\n*** End Patch\n';
      const calls = [
        {
          ...{ session_id: 'codex', cwd: path, hook_event_name: 'PostToolUse' },
          ...{ tool_name: 'apply_patch', tool_input: { command: patch } },
        },
        {
          ...{ conversation_id: 'cursor', workspace_roots: [path] },
          ...{ hook_event_name: 'afterFileEdit', file_path: join(path, 'a b.js'), edits: [] },
        },
        {
          ...{ sessionId: 'copilot', cwd: path, toolName: 'edit' },
          toolArgs: JSON.stringify({ path: join(path, 'a b.js'), old_str: 'a', new_str: 'b' }),
        },
        {
          ...{ sessionId: 'vscode', cwd: path, hookEventName: 'PostToolUse' },
          ...{ tool_name: 'multi_replace_string_in_file' },
          tool_input: { replacements: [{ filePath: join(path, 'a b.js') }] },
        },
      ];
      for (const call of calls) {
        const { code, stderr } = await hook(folderWith({}), call);
        deepStrictEqual([code, /a b\.js"?:2/.test(stderr)], [2, true]);
      }
    });

    it('never stops an agent for anything else', async () => {
      const repository = repositoryWith({ 'a.js': 'run();\n' });
      repository.write({ 'a.js': 'wait(9);\n', 'README.md': 'wait(9);\n' });
      const { path } = repository;
      const call = claude(repository, 'a.js');
      const silent = [
        ...[
          { ...call, tool_name: 'Read' },
          { ...call, hook_event_name: 'PreToolUse' },
        ],
        ...[claude(repository, 'README.md'), claude(repository, 'gone.js'), { cwd: path }],
        { ...call, tool_name: 'Bash', tool_input: { command: 'rm a.js' } },
      ];
      for (const it of silent) {
        deepStrictEqual(await hook(repository, it), { code: 0, stdout: '', stderr: '' });
      }
      const outside = await hook(repository, { ...call, tool_input: { file_path: '/etc/a.js' } });
      deepStrictEqual(outside, {
        ...{ code: 0, stdout: '' },
        stderr: `deadtime: /etc/a.js is outside of ${path}: not scanned\n`,
      });
      const failures = [
        ['{ "cwd": ', /^deadtime hook: standard input holds no JSON object/],
        ['[]', /^deadtime hook: standard input holds no JSON object/],
        ['', /^deadtime hook: standard input holds no JSON object/],
        [{ ...call, cwd: join(path, 'gone') }, /^deadtime hook: ENOENT/],
      ] as const;
      for (const [input, reason] of failures) {
        const { code, stderr } = await hook(repository, input);
        strictEqual(code, 1);
        match(stderr, reason);
      }
      rmSync(join(path, '.git/HEAD'));
      const broken = await hook(repository, call);
      strictEqual(broken.code, 1);
      match(broken.stderr, /^deadtime hook: /);
    });

    it('takes a whole file for new where there is no git, and heeds the baseline', async () => {
      const folder = folderWith({ 'a.js': 'wait(9);\n' });
      strictEqual((await hook(folder, claude(folder, 'a.js'))).code, 2);
      await run(folder, ['baseline']);
      strictEqual((await hook(folder, claude(folder, 'a.js', 'two'))).code, 0);
    });
  });
});
