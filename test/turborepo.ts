import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Log } from 'sarif';
import { installedApart } from '../tools/install-apart.ts';
import { fakeCli, type FakeCli } from './fakes/cli.ts';
import { type Folder, folderWith } from './fakes/folder.ts';

const VERSION = '2.11.11';
const folder = resolve(`node_modules/.cache/turbo-${VERSION}`);
const turbo = join(folder, 'node_modules/turbo/bin/turbo');

/**
 * What docs/guides/monorepos.md says about builds that keep what a run wrote. Turborepo is installed here, because a lockfile cannot
 * have it: not every registry has its binaries for all platforms.
 */
describe('Turborepo', function () {
  this.timeout(120_000);
  let cli: FakeCli;
  let monorepo: Folder;
  before(async () => {
    installedApart(folder, ['turbo', VERSION]);
    cli = await fakeCli();
  });
  after(() => cli.remove());
  beforeEach(() => {
    const script = `${process.execPath} ${cli.entry} -f sarif:deadtime.sarif --fail-on off`;
    const manifest = (name: string) => JSON.stringify({ name, scripts: { deadtime: script } });
    const [, tasks] = /```json\n(\{\n {2}"tasks".+?)```/s.exec(
      readFileSync('docs/guides/monorepos.md', 'utf8'),
    )!;
    monorepo = folderWith({
      'package.json':
        '{ "private": true, "packageManager": "npm@10.9.0", "workspaces": ["packages/*"] }',
      'package-lock.json': '{ "lockfileVersion": 3, "packages": {} }',
      'deadtime.config.json': '{ "profile": "recommended" }',
      'turbo.json': tasks!,
      '.gitignore': '.turbo\ndeadtime.sarif\n',
      'packages/api/package.json': manifest('api'),
      'packages/api/src/a.js': 'wait(9);',
      'packages/worker/package.json': manifest('worker'),
      'packages/worker/src/b.js': 'wait(80);',
    });
    spawnSync('git', ['init', '--quiet'], { cwd: monorepo.path });
  });

  const reports = ['packages/api/deadtime.sarif', 'packages/worker/deadtime.sarif'];
  const textOf = (name: string) => readFileSync(join(monorepo.path, name), 'utf8');

  function run(): string {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [turbo, 'run', 'deadtime', '--no-daemon', '--no-color'],
      {
        cwd: monorepo.path,
        encoding: 'utf8',
        env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
      },
    );
    strictEqual(status, 0, stdout + stderr);
    return /^ *Cached: +(.+?) *$/m.exec(stdout)?.[1] ?? stdout;
  }

  it('returns the second run from its cache, and scans a changed package', async () => {
    strictEqual(run(), '0 cached, 2 total');
    const first = reports.map(textOf);
    for (const it of reports) rmSync(join(monorepo.path, it));
    strictEqual(run(), '2 cached, 2 total');
    deepStrictEqual(reports.map(textOf), first);

    const { stdout, code } = await cli.run(['merge', '--fail-on', 'warn', ...reports], {
      cwd: monorepo.path,
    });
    const [merged] = (JSON.parse(stdout) as Log).runs;
    const places = merged!.results!.map(
      (it) => it.locations![0]!.physicalLocation!.artifactLocation!.uri,
    );
    deepStrictEqual([places, code], [['packages/worker/src/b.js', 'packages/api/src/a.js'], 1]);

    monorepo.write({ 'packages/api/src/a.js': 'run();' });
    strictEqual(run(), '1 cached, 2 total');
    ok(!textOf(reports[0]!).includes('"ruleId"'));
    monorepo.write({ 'deadtime.config.json': '{ "profile": "strict" }' });
    match(run(), /^0 cached/);
  });
});
