import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { publint } from 'publint';
import plugin from '../src/eslint/plugin.ts';
import { type PackageName, packPackages } from '../tools/build/pack.ts';
import type declared from '../tools/build/plugin-types.d.ts';
import { turnAt } from './fakes/turn.ts';
import { type TemporaryProject, temporaryProject } from './projects.ts';
import { itInFull } from './lanes.ts';
// Build dist/, too: files of tests run side by side.
import './security/audit.ts';
import './security/shipped.ts';

const repository = process.cwd();
const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];

/** Whoever lints with the package as it is called. */
const projectWith = (name: PackageName) =>
  new Map([
    ['src/overview.mjs', readFileSync('fixtures/hosts/command.mjs', 'utf8')],
    [
      'eslint.config.mjs',
      `import deadtime from '${name}';
export default [deadtime.configs.recommended, deadtime.configs['tests-off']];
`,
    ],
    [
      '.oxlintrc.json',
      JSON.stringify({
        categories: { correctness: 'off' },
        jsPlugins: [name],
        rules: { 'deadtime/no-leaked-connection': 'warn' },
      }),
    ],
    [
      'consumer.mts',
      `import deadtime from '${name}';
import { defineConfig } from 'eslint/config';
export default defineConfig([deadtime.configs.recommended, { plugins: { deadtime } }]);
`,
    ],
  ]);

describe('package', function () {
  this.timeout(180_000);
  let packed: TemporaryProject;
  let tarballs: Readonly<Record<PackageName, string>>;
  let scratch: TemporaryProject;

  before(async () => {
    const leave = await turnAt('dist');
    tarballs = await packPackages((packed = temporaryProject(new Map())).root);
    leave();
    scratch = installed('deadtime');
  });
  after(() => {
    scratch.remove();
    packed.remove();
  });

  /** With our ESLint and oxlint for those of whoever lints. */
  function installed(name: PackageName): TemporaryProject {
    const it = temporaryProject(projectWith(name));
    const { status, stderr } = run('npm', ['install', ...flags, tarballs[name]], it.root);
    strictEqual(status, 0, stderr);
    for (const tool of ['eslint', '@eslint', '@types', 'oxlint']) {
      symlinkSync(join(repository, 'node_modules', tool), it.pathOf(`node_modules/${tool}`));
    }
    return it;
  }

  it('prints its version', () => {
    const { stdout, status } = run('npx', ['--no-install', 'deadtime', '--version'], scratch.root);
    deepStrictEqual({ stdout: stdout.trim(), status }, { stdout: plugin.meta.version, status: 0 });
  });

  it('checks and explains', () => {
    const options = ['-f', 'text', '--fail-on', 'warn', 'src'];
    const checked = run('npx', ['--no-install', 'deadtime', ...options], scratch.root);
    match(checked.stdout, /overview\.mjs:\d+:\d+.*no-leaked-connection/);
    strictEqual(checked.status, 1);
    const id = 'no-leaked-connection';
    match(
      run('npx', ['--no-install', 'deadtime', 'explain', id], scratch.root).stdout,
      /Not a problem/,
    );
  });

  it('starts its servers and reaches them', () => {
    const args = ['--users', '2', '--query-ms', '20', '--think-ms', '20'];
    const measured = run('npx', ['--no-install', 'deadtime', 'pool-size', ...args], scratch.root);
    // PostgreSQL where the machine has one; it does not come with the package.
    match(
      measured.stdout,
      /^Simulated {2}(?:PostgreSQL \d+\.\d+(?: \(embedded\))?|simulated server); /m,
    );
    strictEqual(measured.status, 0);
  });

  describe('answers an agent', () => {
    const answer = (session: string) =>
      spawnSync(process.execPath, ['node_modules/deadtime/dist/cli.js', 'hook'], {
        cwd: scratch.root,
        encoding: 'utf8',
        env: { ...process.env, HOME: cache(), XDG_CACHE_HOME: cache(), LOCALAPPDATA: cache() },
        input: JSON.stringify({
          ...{ session_id: session, cwd: scratch.root, hook_event_name: 'PostToolUse' },
          ...{ tool_name: 'Edit', tool_input: { file_path: 'src/overview.mjs' } },
        }),
      });
    const cache = () => scratch.pathOf('cache');
    /** The files that are kept in a folder of the cache. */
    const keptIn = (folder: string) => {
      const names = readdirSync(cache(), { recursive: true, encoding: 'utf8' });
      const kept = names.filter((it) => /([^\\/]+).[\da-f]{8,16}$/.exec(it)?.[1] === folder);
      return kept.map((it) => join(cache(), it));
    };
    const timesIn = (folder: string) => keptIn(folder).map((it) => statSync(it).mtimeMs);
    before(() => run('git', ['init', '--quiet'], scratch.root));

    it('from what it has compiled before, damaged or not', () => {
      const first = answer('first');
      match(first.stderr, /^deadtime: .*\n(?:.*\n)*src\/overview\.mjs:.* no-leaked-connection/);
      strictEqual(first.status, 2);
      const written = timesIn('compiled');
      strictEqual(written.length, 2);
      deepStrictEqual(answer('second').stderr, first.stderr);
      deepStrictEqual(timesIn('compiled'), written);
      for (const it of keptIn('compiled')) writeFileSync(it, 'no code');
      deepStrictEqual(answer('third').stderr, first.stderr);
      ok(keptIn('compiled').every((it) => statSync(it).size > 10_000));
    });

    it('from what it remembers of the text before the edit', () => {
      const file = scratch.pathOf('src/overview.mjs');
      const text = readFileSync(file, 'utf8');
      run('git', ['add', 'src/overview.mjs'], scratch.root);
      const author = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
      run('git', [...author, 'commit', '--quiet', '--message', 'a'], scratch.root);
      writeFileSync(file, `${text}\n// edited\n`);
      deepStrictEqual([answer('fourth').stderr, answer('fourth').status], ['', 0]);
      const written = timesIn('before');
      strictEqual(written.length, 1);
      strictEqual(answer('fourth').status, 0);
      deepStrictEqual(timesIn('before'), written);
      writeFileSync(file, text);
    });
  });

  it('is the same plugin by import and by require', () => {
    const script = `
      const required = require('deadtime');
      import('deadtime').then(({ default: imported }) => {
        console.log(JSON.stringify([required === imported, required.meta, Object.keys(required.rules)]));
      });`;
    const { stdout, stderr } = run(process.execPath, ['-e', script], scratch.root);
    const expected = [true, plugin.meta, Object.keys(plugin.rules)];
    deepStrictEqual([JSON.parse(stdout || '[]'), stderr], [expected, '']);
  });

  it('has the pages that its rules link to', () => {
    const script = `
      import deadtime from 'deadtime';
      import { existsSync } from 'node:fs';
      const urls = Object.values(deadtime.rules).map(({ meta }) => new URL(meta.docs.url));
      console.log(urls.filter((url) => !existsSync(url)).length);`;
    const flags = ['--input-type=module', '-e', script];
    deepStrictEqual(run(process.execPath, flags, scratch.root).stdout.trim(), '0');
  });

  it('runs in ESLint and oxlint', () => lintsIn(scratch));

  it('installs less than 15 MB, without source maps and without other packages than the parser', () =>
    isSmall(scratch, 'deadtime'));

  itInFull('lints as the plugin alone, which has no other packages either', () => {
    const named = installed('eslint-plugin-deadtime');
    try {
      lintsIn(named);
      isSmall(named, 'eslint-plugin-deadtime');
      const files = readdirSync(named.pathOf('node_modules/eslint-plugin-deadtime/dist'));
      ok(!files.includes('cli.js'), files.join());
    } finally {
      named.remove();
    }
  });

  itInFull('runs where Yarn and pnpm install it', () => {
    const tools = temporaryProject(new Map());
    try {
      const packages = ['@yarnpkg/cli-dist@4.18.1', 'pnpm@10.34.9'];
      const { status, stderr } = run('npm', ['install', ...flags, ...packages], tools.root);
      strictEqual(status, 0, stderr);
      const yarn = tools.pathOf('node_modules/@yarnpkg/cli-dist/bin/yarn.js');
      const pnpm = tools.pathOf('node_modules/pnpm/bin/pnpm.cjs');
      // Without node_modules: Plug'n'Play.
      runsWith(yarn, { 'yarn.lock': '', '.yarnrc.yml': yarnSettings() }, ['add', '--dev'], []);
      runsWith(pnpm, {}, ['add', '--save-dev', '--ignore-scripts'], ['exec']);
    } finally {
      tools.remove();
    }
  });

  function runsWith(
    manager: string,
    files: Readonly<Record<string, string>>,
    add: readonly string[],
    exec: readonly string[],
  ): void {
    const project = temporaryProject(
      new Map([...projectWith('deadtime'), ...Object.entries(files)]),
    );
    try {
      const call = (...parameters: readonly string[]) =>
        run(process.execPath, [manager, ...parameters], project.root);
      const added = call(...add, `deadtime@file:${tarballs.deadtime}`);
      strictEqual(added.status, 0, added.stdout + added.stderr);
      const checked = call(...exec, 'deadtime', 'check', '-f', 'text', 'src');
      match(checked.stdout, /overview\.mjs:\d+:\d+.*no-leaked-connection/, checked.stderr);
      const shown = call(...exec, 'deadtime', 'init', '--agents', 'claude');
      match(shown.stdout, /deadtime writes these 3 files\.\n$/, shown.stderr);
    } finally {
      project.remove();
    }
  }

  for (const name of ['deadtime', 'eslint-plugin-deadtime'] as const) {
    const itHere = name === 'deadtime' ? it : itInFull;
    itHere(`${name} is clean by publint and are-the-types-wrong`, async () => {
      const tarball = readFileSync(tarballs[name]);
      const { messages } = await publint({
        pack: { tarball: arrayBufferOf(tarball) },
        strict: true,
      });
      deepStrictEqual(messages, []);
      const attw = join(repository, 'node_modules/@arethetypeswrong/cli/dist/index.js');
      // Older module resolution knows no `exports`, and requiring an ES module needs Node 20.19, which is the oldest we run on.
      const { stdout, status } = run(
        process.execPath,
        [attw, tarballs[name], '--profile', 'esm-only'],
        repository,
      );
      strictEqual(status, 0, stdout);
    });
  }

  it('has types that ESLint accepts', () => {
    const types = plugin satisfies typeof declared;
    ok(types);
    const flags = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--skipLibCheck',
      '--types',
      'node',
    ];
    const { stdout } = run(
      process.execPath,
      [join(repository, 'node_modules/typescript/bin/tsc'), ...flags, 'consumer.mts'],
      scratch.root,
    );
    strictEqual(stdout, '');
  });
});

/** With the registry that npm uses. */
function yarnSettings(): string {
  const registry = run('npm', ['config', 'get', 'registry'], repository).stdout.trim();
  return [
    `npmRegistryServer: ${JSON.stringify(registry.replace(/\/$/, ''))}`,
    'nodeLinker: pnp',
    'enableGlobalCache: false',
    'enableScripts: false',
    'enableTelemetry: false',
    '',
  ].join('\n');
}

function isSmall({ pathOf }: TemporaryProject, name: PackageName): void {
  const modules = pathOf('node_modules');
  const installed = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  // The linters are links to ours.
  const isOwn = (it: string) => !lstatSync(join(modules, it.split(sep)[0]!)).isSymbolicLink();
  const files = installed.filter((it) => isOwn(it) && lstatSync(join(modules, it)).isFile());
  const bytes = files.map((it) => lstatSync(join(modules, it)).size).reduce((a, b) => a + b, 0);
  ok(bytes < 15_000_000, `${bytes}`);
  deepStrictEqual(
    files.filter((it) => it.startsWith(name) && it.endsWith('.map')),
    [],
  );
  const tops = new Set(files.map((it) => it.split(sep)[0]!).filter((it) => !it.startsWith('.')));
  deepStrictEqual([...tops].sort(), ['@oxc-parser', '@oxc-project', name, 'oxc-parser'].sort());
}

function lintsIn({ root }: TemporaryProject): void {
  const bin = (path: string) => join(repository, 'node_modules', path);
  const eslint = run(process.execPath, [bin('eslint/bin/eslint.js'), 'src'], root);
  match(eslint.stdout + eslint.stderr, /deadtime\/no-leaked-connection/);
  // The rule reports information, too, so none of its findings is an error.
  strictEqual(eslint.status, 0);
  const oxlint = run(process.execPath, [bin('oxlint/bin/oxlint'), 'src'], root);
  match(oxlint.stdout + oxlint.stderr, /deadtime\(no-leaked-connection\)/);
}

function arrayBufferOf({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

function run(command: string, parameters: readonly string[], cwd: string) {
  return spawnSync(command, [...parameters], {
    cwd,
    encoding: 'utf8',
    // A CI gets colors in a pipe, too.
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && command !== process.execPath,
  });
}
