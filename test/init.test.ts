import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import { agentsSection, agentsIn, agentSteps } from '../src/cli/init/agents.ts';
import { ciSteps } from '../src/cli/init/ci.ts';
import { diffText } from '../src/cli/init/diff.ts';
import { managerIn, precommitSteps } from '../src/cli/init/precommit.ts';
import { fakeCli, type FakeCli } from './fakes/cli.ts';
import { folderWith } from './fakes/folder.ts';
import { type Files, outcome } from './fakes/init-outcome.ts';

/** What an agent reads in each of its sessions. */
const MOST_TOKENS = 120;

describe('deadtime init', function () {
  this.timeout(30_000);
  let cli: FakeCli;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());

  const all = ['init', '--agents', 'claude,codex,copilot,cursor', '--ci', '--precommit', 'husky'];
  const fresh = { '.git/HEAD': '', 'src/a.js': '' };
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((it) => !it.startsWith('.git/') && statSync(join(folder, it)).isFile())
      .sort()
      .map((it) => [it, readFileSync(join(folder, it), 'utf8')] as const);

  it('only shows what it would write without a terminal', async () => {
    const { path } = folderWith(fresh);
    const { code, stdout } = await cli.run(all, { cwd: path });
    strictEqual(code, 0);
    match(stdout, /^--- \/dev\/null\n\+\+\+ AGENTS\.md\n@@ -0,0 \+1,\d+ @@\n\+<!-- deadtime -->\n/);
    match(stdout, /\nNothing was written\. With --yes, deadtime writes these 11 files\.\n$/);
    deepStrictEqual(
      filesIn(path).map(([name]) => name),
      ['src/a.js'],
    );
  });

  it('sets up a fresh project at its top, and does nothing the second time', async () => {
    const { path } = folderWith(fresh);
    const first = await cli.run([...all, '--yes'], { cwd: join(path, 'src') });
    strictEqual(first.code, 0);
    const written = filesIn(path);
    deepStrictEqual(
      written.map(([name]) => name),
      [
        ...[
          '.claude/settings.json',
          '.codex/config.toml',
          '.codex/hooks.json',
          '.cursor/hooks.json',
        ],
        ...['.cursor/mcp.json', '.github/hooks/deadtime.json', '.github/workflows/deadtime.yml'],
        ...['.husky/pre-commit', '.mcp.json', '.vscode/mcp.json', 'AGENTS.md', 'src/a.js'],
      ],
    );
    ok(statSync(join(path, '.husky/pre-commit')).mode & 0o100);
    const second = await cli.run([...all, '--yes'], { cwd: path });
    match(second.stdout, /Nothing is left to write\.\n$/);
    deepStrictEqual(filesIn(path), written);
  });

  it('neither reads nor writes through links that lead out of the project', async () => {
    const outside = folderWith({
      'notes.md': 'private\n',
      'hooks/pre-commit': 'run\n',
      'base.json': '{ "findings": [] }',
    });
    const before = filesIn(outside.path);
    for (const [link, target, args] of [
      ['AGENTS.md', 'notes.md', ['--agents', 'claude']],
      ['AGENTS.md', 'missing.md', ['--agents', 'claude']],
      ['.husky', 'hooks', ['--precommit', 'husky']],
      ['.github', 'missing', ['--ci', 'github']],
      ['deadtime.baseline.json', 'base.json', undefined],
    ] as const) {
      const { path } = folderWith({ ...fresh, 'src/a.js': 'wait(9);\n' });
      symlinkSync(join(outside.path, target), join(path, link));
      const command = args ? ['init', ...args, '--yes'] : ['baseline', '--reason', 'first'];
      const { code, stdout, stderr } = await cli.run(command, { cwd: path });
      strictEqual(code, 2, stdout + stderr);
      match(stderr, /^deadtime: .* was not written: a link leads /);
      doesNotMatch(stdout + stderr, /private/);
      deepStrictEqual(filesIn(outside.path), before);
      ok(lstatSync(join(path, link)).isSymbolicLink());
    }
  });

  it('writes through links that stay in the project, and keeps the rights of what is there', async () => {
    const { path } = folderWith({ ...fresh, 'docs/agents.md': 'Read.\n' });
    symlinkSync('docs/agents.md', join(path, 'AGENTS.md'));
    chmodSync(join(path, 'docs/agents.md'), 0o600);
    const { code } = await cli.run(['init', '--agents', 'claude', '--yes'], { cwd: path });
    strictEqual(code, 0);
    match(readFileSync(join(path, 'docs/agents.md'), 'utf8'), /^Read\.\n[^]*deadtime/);
    strictEqual(statSync(join(path, 'docs/agents.md')).mode & 0o777, 0o600);
    ok(lstatSync(join(path, 'AGENTS.md')).isSymbolicLink());
  });

  it('reports an unreadable file', async () => {
    const { path } = folderWith({ ...fresh, 'AGENTS.md/a.md': '' });
    const file = join(path, 'AGENTS.md');
    const { code, stderr } = await cli.run(all, { cwd: path });
    deepStrictEqual(
      [code, stderr],
      [
        2,
        `deadtime: Cannot read ${file}: ${file} is no regular file. Move it away, or make it readable.\n`,
      ],
    );
  });

  it('asks on a terminal', function () {
    const terminal = spawnSync('script', ['--version']);
    if (terminal.status !== 0) return this.skip();
    for (const [answer, isWritten] of [
      ['n', false],
      ['y', true],
    ] as const) {
      const { path } = folderWith(fresh);
      const command = `${process.execPath} ${cli.entry} init --agents claude`;
      const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
        ...{ cwd: path, input: `${answer}\n`, encoding: 'utf8' },
      });
      match(stdout, /Write these 3 files\? \[y\/N\]/);
      strictEqual(existsSync(join(path, 'AGENTS.md')), isWritten);
    }
  });

  it('names the missing option', async () => {
    const { path } = folderWith(fresh);
    const refused = async (args: readonly string[], message: RegExp) => {
      const { code, stderr } = await cli.run(['init', ...args], { cwd: path });
      strictEqual(code, 2);
      match(stderr, message);
    };
    await refused([], /Name what to set up: --agents, --ci, --precommit, --eslint, --oxlint/);
    await refused(['--precommit'], /--precommit husky, or lefthook, or pre-commit/);
    await refused(['--agents', 'claude,hal'], /The agents are claude, codex/);
    await refused(['--ci', 'jenkins'], /Allowed choices are github, gitlab/);
  });
});

describe('instructions for agents', () => {
  it(`have at most ${MOST_TOKENS} tokens`, () => {
    const tokens = countTokens(agentsSection);
    ok(tokens <= MOST_TOKENS, `${tokens} tokens`);
  });

  it('follow the present content of AGENTS.md, with its line ends', () => {
    const files = { 'AGENTS.md': '# Agents\r\n\r\nBe brief.' };
    const { written } = outcome((read) => agentSteps([], read), files);
    match(written['AGENTS.md']!, /^# Agents\r\n\r\nBe brief\.\r\n\r\n<!-- deadtime -->\r\n/);
    doesNotMatch(written['AGENTS.md']!, /[^\r]\n/);
  });

  it('are for the agents that work in the project', () => {
    const present = new Set(['.cursor', 'CLAUDE.md']);
    deepStrictEqual(
      agentsIn((it) => present.has(it)),
      ['claude', 'cursor'],
    );
  });
});

describe('settings of agents', () => {
  it('keep their comments, their order and their formatting', () => {
    const lines = [
      ...['{', '\t// ours', '\t"allow": ["a", "b"],', '\t"hooks": {', '\t\t"PostToolUse": ['],
      ...['\t\t\t{ "matcher": "Bash", "hooks": [] }', '\t\t]', '\t},', '}', ''],
    ];
    const files = { '.claude/settings.json': lines.join('\r\n') };
    const { written } = outcome((read) => agentSteps(['claude'], read), files);
    const element = [
      ...['{', '\t"matcher": "Edit|MultiEdit|Write",', '\t"hooks": [', '\t\t{'],
      ...['\t\t\t"type": "command",', '\t\t\t"command": "npx deadtime hook"', '\t\t}', '\t]', '}'],
    ];
    strictEqual(
      written['.claude/settings.json'],
      [
        ...lines.slice(0, 5),
        `${lines[5]},`,
        ...element.map((it) => `\t\t\t${it}`),
        ...lines.slice(6),
      ].join('\r\n'),
    );
  });

  it('keep what other servers are there', () => {
    const files = { '.mcp.json': '{\n  "mcpServers": {\n    "db": { "command": "db" }\n  }\n}\n' };
    const { written } = outcome((read) => agentSteps(['claude'], read), files);
    deepStrictEqual(JSON.parse(written['.mcp.json']!), {
      mcpServers: {
        db: { command: 'db' },
        deadtime: { command: 'npx', args: ['deadtime', 'mcp'] },
      },
    });
  });

  it('stay unchanged where that name has a different value', () => {
    const files = {
      '.mcp.json': '{ "mcpServers": { "deadtime": { "command": "ours" } } }',
      '.claude/settings.json':
        '{ "hooks": { "PostToolUse": [{ "command": "npx deadtime hook --quiet" }] } }',
      'AGENTS.md': '<!-- deadtime -->\nAsk first.\n<!-- /deadtime -->\n',
    };
    deepStrictEqual(
      outcome((read) => agentSteps(['claude'], read), files),
      { written: {}, byHand: [] },
    );
  });

  it('are left to a person where they have another form', () => {
    const files = {
      ...{
        '.mcp.json': '{ "mcpServers": [] }',
        '.claude/settings.json': '{ "hooks": ',
        'AGENTS.md': '<!-- deadtime -->',
      },
      ...{ '.cursor/mcp.json': '[]', '.cursor/hooks.json': '{ "hooks": { "afterFileEdit": {} } }' },
    };
    deepStrictEqual(
      outcome((read) => agentSteps(['claude', 'cursor'], read), files),
      {
        written: {},
        byHand: [
          '.mcp.json: its "mcpServers" is no object',
          '.claude/settings.json: it is no valid JSON',
          '.cursor/mcp.json: it is no object',
          '.cursor/hooks.json: its "afterFileEdit" is no array',
        ],
      },
    );
  });
});

describe('jobs of a CI', () => {
  it('are a file of their own on GitHub, and install as the project does', () => {
    const { written } = outcome((read) => ciSteps('github', read), { 'pnpm-lock.yaml': '' });
    match(
      written['.github/workflows/deadtime.yml']!,
      /- run: corepack enable && pnpm install --frozen-lockfile\n/,
    );
    deepStrictEqual(outcome((read) => ciSteps('github', read), written).written, {});
  });

  it('are included on GitLab', () => {
    const path = '.gitlab-ci.yml';
    const { written } = outcome((read) => ciSteps('gitlab', read), { [path]: 'stages: [test]\n' });
    strictEqual(written[path], 'stages: [test]\n\ninclude:\n  - local: .gitlab/deadtime.yml\n');
    match(written['.gitlab/deadtime.yml']!, /codequality: deadtime\.json/);
    const own = outcome((read) => ciSteps('gitlab', read), { [path]: 'include: other.yml\n' });
    deepStrictEqual(own.byHand, ['.gitlab-ci.yml: it already has an "include"']);
  });
});

describe('commit hooks', () => {
  const stepsOf = (name: Parameters<typeof precommitSteps>[0], files: Files) =>
    outcome((read) => precommitSteps(name, read), files);

  it('are those of the present hook manager', () => {
    const managerAmong = (...paths: readonly string[]) => managerIn((it) => paths.includes(it));
    deepStrictEqual(
      [
        managerAmong('.husky'),
        managerAmong('.lefthook.yml'),
        managerAmong(),
        managerAmong('.husky', 'lefthook.yml'),
      ],
      ['husky', 'lefthook', undefined, undefined],
    );
  });

  it('follow those that there are', () => {
    const { written } = stepsOf('husky', { '.husky/pre-commit': 'npm test\n' });
    strictEqual(
      written['.husky/pre-commit'],
      'npm test\n\nnpx deadtime review --staged --fail-on warn\n',
    );
    const lefthook = stepsOf('lefthook', { 'lefthook.yaml': 'pre-push:\n  commands: {}\n' });
    match(
      lefthook.written['lefthook.yaml']!,
      /^pre-push:\n {2}commands: \{\}\n\npre-commit:\n {2}commands:\n {4}deadtime:\n/,
    );
    const others = 'repos:\n- repo: https://example.com/a\n  hooks:\n  - id: a\n';
    const listed = stepsOf('pre-commit', { '.pre-commit-config.yaml': others });
    strictEqual(
      listed.written['.pre-commit-config.yaml']!.startsWith(
        `${others}- repo: local\n  hooks:\n    - id: deadtime\n`,
      ),
      true,
    );
  });

  it('are left to a person inside of a key that is there', () => {
    const own = stepsOf('lefthook', { 'lefthook.yml': 'pre-commit:\n  parallel: true\n' });
    deepStrictEqual(own.byHand, ['lefthook.yml: it already has a "pre-commit"']);
    const early = stepsOf('pre-commit', {
      '.pre-commit-config.yaml': 'repos:\n  - repo: a\nfail_fast: true\n',
    });
    deepStrictEqual(early.byHand, ['.pre-commit-config.yaml: its "repos" is not its last key']);
  });
});

describe('the diff of a file', () => {
  it('is one hunk with three lines around it', () => {
    const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ''].join('\n');
    strictEqual(
      diffText('a.txt', before, before.replace('5\n', 'five\nand a half\n'), { hasColors: false }),
      '--- a.txt\n+++ a.txt\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+and a half\n 6\n 7\n 8\n',
    );
  });
});
