import { deepStrictEqual, doesNotMatch, match, strictEqual } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { formats } from '../../src/report/formats.ts';
import { requests, type Review, type ServerOptions } from '../../server/protocol.ts';
import { fakeCli, type FakeCli } from '../fakes/cli.ts';
import { connected, type EditorOptions } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';
import { repositoryWith } from '../fakes/git-repository.ts';
import { hostileProject, type HostileProject } from '../fakes/hostile-project.ts';

describe('a hostile project', function () {
  this.timeout(60_000);
  // The traps are shell scripts.
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  let cli: FakeCli;
  let project: HostileProject;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());
  beforeEach(() => (project = hostileProject()));

  const run = (args: readonly string[], input = '') =>
    cli.run(args, { cwd: project.path, env: project.env, input });

  it('has traps that work', () => {
    const { path, env } = project;
    const git = (...args: readonly string[]) => {
      spawnSync('git', [...args], { cwd: path, stdio: 'ignore' });
    };
    git('diff');
    // It answers nothing, and Git ends.
    rmSync(join(path, '.git/included'));
    git('diff');
    git('diff', '--no-ext-diff');
    git('add', '--all');
    git('commit', '--message', 'caught');
    git('cat-file', '-p', '0123456789012345678901234567890123456789');
    spawnSync('postgres', { cwd: path, env: { ...process.env, ...env } });
    createRequire(join(path, 'package.json'))('typescript');
    const set = [
      ...['core.fsmonitor', 'diff.trap.command', 'diff.trap.textconv', 'fetch'],
      ...['filter.trap.clean', 'filter.trap.process', 'hook post-index-change'],
      ...[
        'hook pre-commit',
        'hook reference-transaction',
        'package typescript',
        'program postgres',
      ],
    ];
    deepStrictEqual(
      set.filter((it) => !project.traces().includes(it)),
      [],
    );
  });

  it('is checked, and nothing of it is run', async () => {
    const [first, ...others] = Object.keys(formats);
    const files = others.flatMap((it) => ['-f', `${it}:${join(folderWith({}).path, it)}`]);
    const { code, stdout } = await run(['check', '-f', first!, ...files, '--fail-on', 'any']);
    match(stdout, /^src\/b\.js:1:1/m);
    strictEqual(code, 1);
    strictEqual((await run(['--print-config', 'src/a.js'])).code, 0);
    match((await run(['explain', 'src/b.js:1'])).stdout, /Waits 8 ms/);
    deepStrictEqual(project.traces(), []);
  });

  it('is reviewed, and nothing of it is run', async () => {
    const found = async (...args: readonly string[]) => {
      const { stdout, stderr } = await run(['review', '-f', 'compact', ...args]);
      return [
        stdout.match(/^src\/\w\.js:\d+/gm) ?? [],
        stderr.replaceAll(/^.* (?:is code|is compared without its filter), .*\n/gm, ''),
      ];
    };
    deepStrictEqual(await found(), [['src/b.js:1'], '']);
    deepStrictEqual(await found('--base', 'main'), [['src/b.js:1'], '']);
    deepStrictEqual(await found('--staged'), [[], '']);
    deepStrictEqual(await found('--commit', 'HEAD'), [['src/a.js:3'], '']);
    deepStrictEqual(project.traces(), []);
  });

  it('is reviewed where PATH leads to the project alone, and its programs are not run', async () => {
    const { path, env } = project;
    const bins = join(path, 'node_modules/.bin');
    for (const PATH of ['.', '', `${bins}:.:`, bins, undefined]) {
      await cli.run(['review', '-f', 'compact'], { cwd: path, env: { ...env, PATH } });
      deepStrictEqual([PATH, project.traces()], [PATH, []]);
    }
    spawnSync('git', { cwd: path, env: { ...env, PATH: '' } });
    deepStrictEqual(project.traces(), ['program git']);
  });

  it('is edited by an agent, and nothing of it is run', async () => {
    const { code, stderr } = await run(['hook'], edited());
    match(stderr, /src\/b\.js:1 no-wait/);
    strictEqual(code, 2);
    deepStrictEqual(project.traces(), []);
  });

  it('is looked at by the tools of an agent, and nothing of it is run', async () => {
    const client = new Client({ name: 'a test', version: '1.0.0' });
    const { path, env } = project;
    await client.connect(serverOf(['mcp'], { path, env }));
    const diff =
      '--- a/src/a.js\n+++ b/src/a.js\n@@ -3,2 +3,3 @@\n run(ts);\n wait(7);\n+wait(6);\n';
    const calls = [
      ['check_code', {}],
      ['check_code', { diff }],
      ['check_code', { code: 'wait(9);', paths: ['src/new.ts'] }],
      ['explain_finding', { id: 'src/b.js:1' }],
      ['prove_finding', { id: 'src/a.js:4' }],
    ] as const;
    for (const [name, parameters] of calls) {
      const { isError } = await client.callTool({ name, arguments: parameters });
      deepStrictEqual([name, isError ?? false], [name, false]);
    }
    await client.close();
    deepStrictEqual(project.traces(), []);
  });

  it('is opened in an editor, trusted or not, and nothing of it is run', async () => {
    // Who trusts a project has its TypeScript run.
    const clients: readonly ServerOptions[] = [{}, { isTrusted: false }];
    for (const options of clients) {
      const { severities, findings } = await seenBy({ options });
      deepStrictEqual([severities, findings.length], [[2], options.isTrusted === false ? 0 : 1]);
    }
    deepStrictEqual(project.traces(), []);
  });

  describe('that is configured by code', () => {
    const names = ['js', 'mjs', 'cjs', 'ts', 'mts'].map((it) => `deadtime.config.${it}`);
    const configure = (name: string) => {
      const said = "{ rules: { 'no-wait': 'error' } }";
      const exporting = name.endsWith('.cjs') ? 'module.exports =' : 'export default';
      project.write({ [name]: `${project.trap(name)}${exporting} ${said};\n` });
    };
    /** Where Node.js strips no types, it is said what would run it. */
    const runs = (name: string) =>
      !name.endsWith('ts') ||
      Boolean((process.features as { readonly typescript?: unknown }).typescript);
    const refused = /deadtime\.config\.\w+ is code, and Deadtime runs it only with permission\./;

    it('is not run unless its user says so, and nothing else of it is then', async () => {
      for (const name of names) {
        configure(name);
        const { code, stderr } = await run(['check']);
        deepStrictEqual([name, code, refused.test(stderr)], [name, 2, true]);
        deepStrictEqual(project.traces(), []);
        strictEqual((await run(['check', '--trust-config'])).code, runs(name) ? 1 : 2);
        deepStrictEqual(project.traces(), runs(name) ? [name] : []);
        rmSync(join(project.path, name));
        project.traces().forEach(project.forget);
      }
    });

    /** What each command says where the configuration is heeded, and where it is not. */
    const commands: readonly (readonly [args: readonly string[], RegExp, RegExp])[] = [
      [['--print-config', 'src/a.js'], /"error"/, refused],
      [['check', '--no-cache', '-f', 'compact'], /src\/b\.js:1:1: error/, refused],
      [['review', '-f', 'compact'], /src\/b\.js:1:1: error/, refused],
      [['baseline'], /2 added/, refused],
      [['explain', 'src/b.js:1'], /error/, /warning/],
      [['prove', 'src/a.js:4'], /Your code|waits/i, /Your code|waits/i],
      [['hook'], /src\/b\.js:1 no-wait/, /src\/b\.js:1 no-wait/],
    ];
    for (const [args, heeded, unheeded] of commands) {
      it(`deadtime ${args.join(' ')}`, async () => {
        configure('deadtime.config.mjs');
        const { stdout, stderr } = await run(args, edited());
        match(stdout + stderr, unheeded);
        deepStrictEqual(project.traces(), []);
        const trusting = await run([...args, '--trust-config'], edited('two'));
        match(trusting.stdout + trusting.stderr, heeded);
        doesNotMatch(trusting.stdout + trusting.stderr, refused);
        deepStrictEqual(project.traces(), ['deadtime.config.mjs']);
      });
    }

    it('deadtime mcp', async () => {
      configure('deadtime.config.mjs');
      for (const [trust, said] of [
        [[], refused],
        [['--trust-config'], /"severity":"error"/],
      ] as const) {
        const client = new Client({ name: 'a test', version: '1.0.0' });
        await client.connect(serverOf(['mcp', ...trust], project));
        const { content, structuredContent } = await client.callTool({
          name: 'check_code',
          arguments: {},
        });
        match(JSON.stringify([content, structuredContent]), said);
        await client.callTool({ name: 'explain_finding', arguments: { id: 'src/b.js:1' } });
        await client.callTool({ name: 'prove_finding', arguments: { id: 'src/a.js:4' } });
        await client.close();
        deepStrictEqual(project.traces(), trust.length > 0 ? ['deadtime.config.mjs'] : []);
      }
    });

    it('deadtime lsp', async () => {
      configure('deadtime.config.mjs');
      for (const options of [{}, { isTrusted: false }]) {
        const { severities, warnings } = await seenBy({ options });
        deepStrictEqual([severities, warnings.length], [[2], 1]);
        match(warnings[0]!, refused);
      }
      deepStrictEqual(project.traces(), []);
      const { severities, warnings, findings } = await seenBy({
        options: { isTrusted: true },
        settings: { typeChecker: { enabled: false } },
      });
      deepStrictEqual([severities, warnings], [[1], []]);
      deepStrictEqual(
        findings.map((it) => it.severity),
        ['error'],
      );
      deepStrictEqual(project.traces(), ['deadtime.config.mjs']);
    });
  });

  /** What an agent says after it has edited both files. */
  function edited(session = 'one'): string {
    const files = ['src/a.js', 'src/b.js'].map((it) => ({ file_path: it }));
    const call = { session_id: session, cwd: project.path, hook_event_name: 'PostToolUse' };
    return JSON.stringify({ ...call, tool_name: 'Edit', tool_input: { files } });
  }

  function serverOf(args: readonly string[], { path, env }: Pick<HostileProject, 'path' | 'env'>) {
    const command = process.execPath;
    return new StdioClientTransport({ command, args: [cli.entry, ...args], cwd: path, env });
  }

  /** What an editor is told of src/b.js, and of the changes. */
  async function seenBy(given: EditorOptions) {
    const { path, env } = project;
    const uri = pathToFileURL(join(path, 'src/b.js')).href;
    const child = spawn(process.execPath, [cli.entry, 'lsp', '--stdio'], {
      cwd: path,
      env: { ...process.env, ...env },
    });
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const editor = await connected(connection, { folders: [path], ...given });
    await editor.open(uri, 'wait(8);\n', 'javascript');
    const items = await editor.itemsOf(uri);
    await connection.sendRequest(requests.scanWorkspace, {});
    const { findings } = await connection.sendRequest<Review>(requests.review, null);
    connection.end();
    connection.dispose();
    child.kill();
    return { severities: items.map((it) => it.severity), warnings: editor.warnings, findings };
  }
});

describe('git of a review', () => {
  let cli: FakeCli;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());

  it('takes no name for an option', async () => {
    const { path } = repositoryWith({ 'a.js': 'wait(9);\n' });
    const out = join(path, 'out');
    for (const [option, name] of [
      ['--base', `--output=${out}`],
      ['--commit', `--output=${out}`],
      ['--base', ''],
    ]) {
      const { code, stderr } = await cli.run(['review', `${option}=${name}`], { cwd: path });
      strictEqual(code, 2);
      strictEqual(stderr, `deadtime: git has no commit ${JSON.stringify(name)} here.\n`);
    }
    deepStrictEqual(readdirSync(path).sort(), ['.git', 'a.js']);
  });

  it('refuses a setting whose name would be taken for its value', async () => {
    const repository = repositoryWith({ 'a.js': 'wait(9);\n' });
    repository.git('config', 'filter.a=b.clean', 'cat');
    const { code, stderr } = await cli.run(['review'], { cwd: repository.path });
    deepStrictEqual(
      [code, stderr],
      [2, 'deadtime: git is not run with the setting filter.a=b.clean\n'],
    );
  });

  it('is not run where the filters of the repository are not known', async function () {
    // The other git is a shell script.
    if (process.platform === 'win32') this.skip();
    const repository = repositoryWith({
      'a.js': 'wait(9);\n',
      '.gitattributes': '* filter=trap\n',
    });
    const { path: bin } = folderWith({ git: gitThatFails });
    chmodSync(join(bin, 'git'), 0o755);
    repository.git('config', 'filter.trap.clean', `touch '${join(bin, 'trace')}'; cat`);
    repository.write({ 'a.js': 'wait(8);\n' });
    const PATH = `${bin}:${process.env['PATH']}`;
    const { code, stderr } = await cli.run(['review'], {
      cwd: repository.path,
      env: { PATH, BIN: bin },
    });
    deepStrictEqual(
      [code, stderr],
      [2, 'deadtime: git config does not list its filters: error: unknown option\n'],
    );
    deepStrictEqual(readdirSync(bin), ['git']);
  });

  it('runs no filter of the user either, since one may ask the repository what to run', async function () {
    // The filter is a shell command.
    if (process.platform === 'win32') this.skip();
    const repository = repositoryWith({
      'a.js': 'wait(9);\n',
      '.gitattributes': '*.js filter=lfs\n',
    });
    const { path: home } = folderWith({});
    const trace = join(home, 'trace');
    const filter = `[filter "lfs"]\n\tclean = touch '${trace}'; cat\n\trequired = true\n`;
    writeFileSync(join(home, 'gitconfig'), filter);
    const env = { GIT_CONFIG_GLOBAL: join(home, 'gitconfig') };
    repository.write({ 'a.js': 'wait(9);\nwait(8);\n' });
    for (const args of [
      ['review', '-f', 'compact'],
      ['review', '--staged'],
      ['review', '--commit', 'HEAD'],
    ]) {
      const { stderr } = await cli.run(args, { cwd: repository.path, env });
      const remark = 'a.js is compared without its filter, since Deadtime runs none';
      deepStrictEqual([args, stderr.includes(remark)], [args, args[1] === '-f']);
    }
    const tool = { tool_name: 'Edit', tool_input: { file_path: 'a.js' } };
    const input = JSON.stringify({ cwd: repository.path, ...tool });
    const { code } = await cli.run(['hook'], { cwd: repository.path, env, input });
    deepStrictEqual([code, readdirSync(home)], [2, ['gitconfig']]);
  });

  it('reviews no folder that the settings of the repository name', async () => {
    const other = repositoryWith({ 'a.js': 'wait(9);\n' });
    const repository = repositoryWith({ 'a.js': 'wait(9);\n' });
    repository.git('config', 'core.worktree', other.path);
    repository.write({ 'a.js': 'wait(9);\nwait(8);\n', 'lib/b.js': '' });
    const review = (cwd: string) => cli.run(['review', '--base', 'HEAD', '-f', 'compact'], { cwd });
    match((await review(repository.path)).stdout, /^a\.js:2/m);
    const { code, stderr } = await review(join(repository.path, 'lib'));
    deepStrictEqual([code, stderr.includes('core.worktree')], [2, true]);
  });

  it('says what to do in a clone that lacks files', async () => {
    const origin = repositoryWith({ 'a.js': 'wait(9);\n' });
    origin.git('config', 'uploadpack.allowFilter', 'true');
    origin.write({ 'a.js': 'wait(9);\nwait(8);\n' });
    origin.commit();
    const { path } = folderWith({});
    const clone = join(path, 'clone');
    origin.git('clone', '--quiet', '--filter=blob:none', `file://${origin.path}`, clone);
    const { code, stderr } = await cli.run(['review', '--base', 'HEAD~1'], { cwd: clone });
    strictEqual(code, 2);
    match(stderr, /^deadtime: This partial clone lacks files, and Deadtime fetches nothing\./);
  });
});

/** A git that does not tell its settings. */
const gitThatFails = `#!/bin/sh
case " $* " in *" --get-regexp "*) echo "error: unknown option" >&2; exit 129 ;; esac
PATH="\${PATH#"$BIN":}" exec git "$@"
`;
