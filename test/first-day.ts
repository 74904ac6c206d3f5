// What a new user does on the first day, with the packed tarball: `npm run test:first-day`. VS Code has its own tests in
// test/e2e, and Neovim and Emacs in test/server/editors.test.ts.
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { packPackages } from '../tools/build/pack.ts';
import { turnAt } from './fakes/turn.ts';
import { type TemporaryProject, temporaryProject } from './projects.ts';

const repository = process.cwd();
const readme = readFileSync('README.md', 'utf8');
const [, example = ''] = /## One finding[\s\S]*?```ts\n([\s\S]*?)```/.exec(readme) ?? [];
const [, printed = ''] = /```text\n\$ npx deadtime\n([\s\S]*?)```/.exec(readme) ?? [];

describe('the first day', function () {
  this.timeout(180_000);
  let scratch: TemporaryProject;

  before(async () => {
    const packed = temporaryProject(new Map());
    const leave = await turnAt('dist');
    const { deadtime } = await packPackages(packed.root);
    leave();
    scratch = temporaryProject(
      new Map([
        ['package.json', JSON.stringify({ type: 'module', dependencies: { pg: '^8.16.0' } })],
        ['tsconfig.json', '{ "compilerOptions": { "strict": true } }'],
        ['src/worker.ts', example],
        ['src/worker.js', example.replace(': Promise<void>', '')],
      ]),
    );
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
    const { status, stderr } = run('npm', ['install', ...flags, deadtime]);
    strictEqual(status, 0, stderr);
    packed.remove();
  });
  after(() => scratch.remove());

  it('begins with the output that the README shows', () => {
    const { stdout, status } = deadtime('src/worker.ts');
    strictEqual(stdout, printed);
    strictEqual(status, 0);
  });

  it('has a README whose links lead to files of the package', () => {
    const folder = scratch.pathOf('node_modules/deadtime');
    const text = readFileSync(join(folder, 'README.md'), 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, target]) => target!);
    ok(targets.length > 10);
    deepStrictEqual(
      targets.filter((it) => !existsSync(join(folder, it))),
      [],
    );
  });

  it('proves the finding with nothing else installed', () => {
    const { stdout, stderr } = deadtime('prove', 'src/worker.ts:16');
    match(stdout + stderr, /\bslower\b|machine is busy/i, stdout + stderr);
  });

  it('names and explains the finding', () => {
    const { stdout, status } = deadtime('explain', 'src/worker.ts:16');
    match(stdout, /Sleep only when/);
    strictEqual(status, 0);
  });

  it('praises no folder without code, and no file that it cannot read', () => {
    for (const name of ['empty', 'broken']) mkdirSync(scratch.pathOf(name));
    writeFileSync(scratch.pathOf('broken/half.ts'), 'export async function half() { await (');
    for (const name of ['empty', 'broken']) {
      const { stdout, status } = deadtime('check', name);
      ok(!stdout.includes('No dead time found'), stdout);
      strictEqual(status, 2);
    }
  });

  it('writes a report that a browser shows, and names its path', () => {
    const { stdout, stderr } = deadtime('check', 'src', '-f', 'html:report.html');
    match(stdout + stderr, /report\.html/);
    match(readFileSync(scratch.pathOf('report.html'), 'utf8'), /no-hot-path-sleep/);
  });

  for (const eslint of ['eslint', 'eslint9']) {
    it(`lints TypeScript and JavaScript with ${eslint}, as init configures it`, () => {
      link('eslint', eslint);
      link('@typescript-eslint', '@typescript-eslint');
      link('typescript', 'typescript');
      const init = deadtime('init', '--eslint', '--yes');
      strictEqual(init.status, 0, init.stderr);
      const bin = join(repository, 'node_modules', eslint, 'bin/eslint.js');
      const { stdout, stderr, status } = run(process.execPath, [bin, 'src']);
      const lines = (stdout + stderr).split('\n');
      strictEqual(
        lines.filter((it) => it.includes('deadtime/no-hot-path-sleep')).length,
        2,
        stdout + stderr,
      );
      ok(
        lines.every((it) => it.length <= 160),
        stdout,
      );
      strictEqual(status, 0);
    });
  }

  it('lints with oxlint, as init configures it', () => {
    link('oxlint', 'oxlint');
    const init = deadtime('init', '--oxlint', '--yes');
    strictEqual(init.status, 0, init.stderr);
    const bin = join(repository, 'node_modules/oxlint/bin/oxlint');
    const { stdout, stderr } = run(process.execPath, [bin, 'src']);
    match(stdout + stderr, /deadtime\(no-hot-path-sleep\)/);
  });

  it('answers an agent over MCP', async () => {
    const client = new Client({ name: 'a test', version: '1.0.0' });
    const args = ['node_modules/deadtime/dist/cli.js', 'mcp'];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: scratch.root }),
    );
    try {
      const checked = await client.callTool({ name: 'check_code', arguments: { paths: ['src'] } });
      match(JSON.stringify(checked.content), /src\/worker\.ts:16 no-hot-path-sleep/);
      const parameters = { id: 'src/worker.ts:16' };
      const explained = await client.callTool({
        name: 'explain_finding',
        arguments: parameters,
      });
      match(JSON.stringify(explained.content), /Sleep only when/);
    } finally {
      await client.close();
    }
  });

  it('stops an agent that has written dead time', () => {
    run('git', ['init', '--quiet']);
    const { stderr, status } = spawnSync(
      process.execPath,
      ['node_modules/deadtime/dist/cli.js', 'hook'],
      {
        cwd: scratch.root,
        encoding: 'utf8',
        input: JSON.stringify({
          ...{ session_id: 'a', cwd: scratch.root, hook_event_name: 'PostToolUse' },
          ...{ tool_name: 'Write', tool_input: { file_path: 'src/worker.ts' } },
        }),
      },
    );
    match(stderr, /src\/worker\.ts:16.* no-hot-path-sleep/);
    strictEqual(status, 2);
  });

  function deadtime(...parameters: readonly string[]) {
    return run('npx', ['--no-install', 'deadtime', ...parameters]);
  }

  /** Our copy of a package, under the name by which projects install it. */
  function link(name: string, target: string): void {
    const path = scratch.pathOf(`node_modules/${name}`);
    rmSync(path, { recursive: true, force: true });
    symlinkSync(join(repository, 'node_modules', target), path);
  }

  function run(command: string, parameters: readonly string[]) {
    return spawnSync(command, [...parameters], {
      cwd: scratch.root,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
});
