import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import plugin from '../plugin.ts';
import { buildPackage } from '../scripts/build.ts';
import type declared from '../scripts/plugin-types.d.ts';
import { type TemporaryProject, temporaryProject } from './projects.ts';

const repository = process.cwd();

const project = new Map([
  ['src/overview.mjs', readFileSync('fixtures/hosts/command.mjs', 'utf8')],
  [
    'eslint.config.mjs',
    `import deadtime from 'deadtime';
export default [deadtime.configs.recommended, deadtime.configs['tests-off']];
`,
  ],
  [
    '.oxlintrc.json',
    JSON.stringify({
      categories: { correctness: 'off' },
      jsPlugins: ['deadtime'],
      rules: { 'deadtime/no-leaked-connection': 'warn' },
    }),
  ],
  [
    'consumer.mts',
    `import deadtime from 'deadtime';
import { defineConfig } from 'eslint/config';
export default defineConfig([deadtime.configs.recommended, { plugins: { deadtime } }]);
`,
  ],
]);

describe('package', function () {
  this.timeout(180_000);
  let scratch: TemporaryProject;

  before(async () => {
    await buildPackage();
    scratch = temporaryProject(project);
    const packed = run(
      'npm',
      ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch.root],
      repository,
    );
    const tarball = packed.stdout.trim().split('\n').at(-1)!;
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
    const installed = run('npm', ['install', ...flags, `./${tarball}`], scratch.root);
    strictEqual(installed.status, 0, installed.stderr);
    // Whoever lints has ESLint and oxlint; ours stand in for theirs.
    for (const name of ['eslint', '@eslint', '@types', 'oxlint']) {
      symlinkSync(join(repository, 'node_modules', name), scratch.pathOf(`node_modules/${name}`));
    }
  });
  after(() => scratch.remove());

  it('tells its version', () => {
    const { stdout, status } = run('npx', ['--no-install', 'deadtime', '--version'], scratch.root);
    deepStrictEqual({ stdout: stdout.trim(), status }, { stdout: plugin.meta.version, status: 0 });
  });

  it('checks and explains', () => {
    const checked = run('npx', ['--no-install', 'deadtime', 'src'], scratch.root);
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

  it('runs in ESLint', () => {
    const { stdout, status, stderr } = run(
      process.execPath,
      [join(repository, 'node_modules/eslint/bin/eslint.js'), 'src'],
      scratch.root,
    );
    match(stdout + stderr, /deadtime\/no-leaked-connection/);
    // The rule's level is its gravest finding's.
    strictEqual(status, 1);
  });

  it('runs in oxlint', () => {
    const { stdout, stderr } = run(
      process.execPath,
      [join(repository, 'node_modules/oxlint/bin/oxlint'), 'src'],
      scratch.root,
    );
    match(stdout + stderr, /deadtime\(no-leaked-connection\)/);
  });

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
