import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { fakeCli, type FakeCli } from './fakes/cli.ts';
import { folderWith } from './fakes/folder.ts';
import { repositoryWith } from './fakes/git-repository.ts';

const levels = { 'levels.json': '{ "no-wait": "error" }' };
const configuration = [
  "import { readFileSync } from 'node:fs';",
  "export default { rules: JSON.parse(readFileSync('levels.json', 'utf8')) };",
].join('\n');
const refused = /deadtime\.config\.mjs is code, and Deadtime runs it only with permission\./;

describe('--trust-config', () => {
  let cli: FakeCli;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());

  it('has the nearest configuration run, with and without a cache', async () => {
    const { path: cwd, write } = folderWith({
      ...levels,
      '.git/HEAD': '',
      'deadtime.config.json': '{ "rules": { "no-wait": "off" } }',
      'a.js': 'wait(9);',
      'api/package.json': '{}',
      'api/levels.json': levels['levels.json'],
      'api/deadtime.config.mjs': configuration,
      'api/b.js': 'wait(9);',
    });
    const check = async (...args: readonly string[]) => {
      const run = await cli.run(['check', '-f', 'compact', '--timing', ...args], { cwd });
      const cached = /(\d) of 2 files from the cache/.exec(run.stderr)?.[1];
      return [run.code, run.stdout.replace(/^Time:[^]*/m, ''), cached];
    };
    const found = (level: string) => `api/b.js:1:1: ${level} no-wait: Waits 9 ms.\n`;
    const trust = '--trust-config';
    deepStrictEqual(await check(trust), [1, found('error'), '0']);
    deepStrictEqual(await check(trust), [1, found('error'), '2']);
    // What an earlier run was told is not what this one may know.
    const { code, stderr } = await cli.run(['check'], { cwd });
    deepStrictEqual([code, refused.test(stderr)], [2, true]);
    write({ 'api/levels.json': '{ "no-wait": "warning" }' });
    deepStrictEqual(await check(trust), [0, found('warning'), '1']);
    deepStrictEqual(await check(trust), [0, found('warning'), '2']);
    deepStrictEqual(await check(trust, '--no-cache'), [0, found('warning'), '0']);
    write({ 'api/levels.json': 'null 1' });
    const broken = await cli.run(['check', trust], { cwd });
    strictEqual(broken.code, 2);
    match(
      broken.stderr,
      /deadtime\.config\.mjs throws when it is run: Unexpected .* Fix that\.\n$/,
    );
  }).timeout(60_000);

  it('goes to what is staged and to what is committed as well', async () => {
    const repository = repositoryWith({ 'a.js': '' });
    const { path: cwd, write, git, commit } = repository;
    write({ ...levels, 'deadtime.config.mjs': configuration, 'a.js': 'wait(9);\n' });
    git('add', '--all');
    const review = async (...args: readonly string[]) =>
      cli.run(['review', '-f', 'compact', ...args], { cwd });
    const found = 'a.js:1:1: error no-wait: Waits 9 ms.\n';
    match((await review('--staged')).stderr, refused);
    strictEqual((await review('--staged', '--trust-config')).stdout, found);
    commit();
    match((await review('--commit', 'HEAD')).stderr, refused);
    strictEqual((await review('--commit', 'HEAD', '--trust-config')).stdout, found);
    const patch = '--- a/a.js\n+++ b/a.js\n@@ -1 +1,2 @@\n wait(9);\n+wait(7);\n';
    const patched = await cli.run(['review', '-', '-f', 'compact', '--trust-config'], {
      ...{ cwd, input: patch },
    });
    strictEqual(patched.stdout, 'a.js:2:1: error no-wait: Waits 7 ms.\n');
  }).timeout(60_000);

  it('goes to the hook of an agent, with any other option', async () => {
    const repository = repositoryWith({
      ...{ 'levels.json': '{ "no-wait": "off" }', 'deadtime.config.mjs': configuration },
      'a.js': '',
    });
    repository.write({ 'a.js': 'wait(9);' });
    const { path: cwd } = repository;
    const codeOf = async (...args: readonly string[]) => {
      const call = { session_id: args.join(), cwd, hook_event_name: 'PostToolUse' };
      const edit = { tool_name: 'Edit', tool_input: { file_path: 'a.js' } };
      const input = JSON.stringify({ ...call, ...edit });
      return (await cli.run(['hook', ...args], { cwd, input })).code;
    };
    deepStrictEqual(
      [await codeOf(), await codeOf('--trust-config'), await codeOf('--new', '--trust-config')],
      [2, 0, 0],
    );
  });
});
