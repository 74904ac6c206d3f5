import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { timeLimit } from '../src/cli/time-limit.ts';
import { UsageError } from '../src/cli/failure.ts';
import { configurationsOf } from '../src/scan/configuration.ts';
import { filesOf } from '../src/scan/files.ts';
import { scanFiles } from '../src/scan/scan-files.ts';
import { type FakeCli, fakeCli } from './fakes/cli.ts';
import { folderWith } from './fakes/folder.ts';
import { noWait } from './fakes/no-wait.ts';

describe('the time that one file may take', function () {
  this.timeout(180_000);
  let cli: FakeCli;
  const started: ChildProcess[] = [];

  before(async () => (cli = await fakeCli()));
  after(() => {
    for (const it of started) it.kill('SIGKILL');
    cli.remove();
  });

  it('ends a scan in the middle of a rule, and names the file', async () => {
    const { path } = folderWith({ 'a.js': 'wait(9);', 'b.js': 'hang();', 'c.js': 'wait(9);' });
    const rules = [noWait];
    const scan = scanFiles(filesOf(['.'], { cwd: path }), {
      ...{ rules, configurations: configurationsOf(rules, {}), watch: timeLimit(path, 0.2) },
    });
    const message =
      'b.js took longer than 0.2 s, so there is no result. Add the file to .deadtimeignore.';
    await rejects(scan, new UsageError(message));
  });

  it('ends a regular expression', () => {
    const { run } = timeLimit('/project', 0.2);
    const endless = () => /^(?:a+)+$/.test(`${'a'.repeat(50)}b`);
    try {
      run(endless);
      ok(false, 'it came to an end by itself');
    } catch (error) {
      match(String(error), /took longer than 0\.2 s/);
    }
  });

  it('passes on what the work returns and throws', () => {
    const { run } = timeLimit('/project', 10);
    strictEqual(
      run(() => 7),
      7,
    );
    const error = new RangeError('of the work');
    try {
      run(() => {
        throw error;
      });
    } catch (thrown) {
      strictEqual(thrown, error);
    }
  });

  for (const command of [['check'], ['baseline'], ['explain', 'b.js:1'], ['review']]) {
    it(`does not keep Ctrl-C from ending deadtime ${command[0]}`, async () => {
      const { path } = folderWith({ '.git/HEAD': '', 'b.js': 'hang();' });
      const patch = '--- /dev/null\n+++ b/b.js\n@@ -0,0 +1 @@\n+hang();\n';
      const isReview = command[0] === 'review';
      const child = spawn(process.execPath, [cli.entry, ...command, ...(isReview ? ['-'] : [])], {
        cwd: path,
      });
      started.push(child);
      const closed = once(child, 'close');
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      child.stdin.end(isReview ? patch : '');
      await once(child.stderr, 'data');
      // From then on the file is named: it takes long.
      setTimeout(() => child.kill('SIGINT'), 1_500);
      deepStrictEqual(
        [await closed, said],
        [[130, null], 'hanging\ndeadtime: interrupted while at b.js\n'],
      );
    });
  }

  it('lets an agent go on after its edit', async () => {
    const { path } = folderWith({ 'b.js': 'hang();' });
    const call = { hook_event_name: 'PostToolUse', tool_input: { file_path: join(path, 'b.js') } };
    const input = JSON.stringify({ ...call, cwd: path });
    deepStrictEqual(await cli.run(['hook'], { cwd: path, input }), {
      code: 1,
      stdout: '',
      stderr:
        'hanging\ndeadtime hook: b.js took longer than 20 s, so there is no result. Add the file to .deadtimeignore.\n',
    });
  });
});
