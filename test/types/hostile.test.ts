import { deepStrictEqual, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { builtCli } from '../fakes/built-cli.ts';
import { folderWith } from '../fakes/folder.ts';
import { ordersOfContext } from '../fakes/typed-project.ts';
import { replyFrom } from '../../src/project/typescript/reply.ts';
import { installedTypes } from '../../src/project/typescript/provider.ts';

/** A project whose TypeScript is this code. */
function project(typescript: string, files: Readonly<Record<string, string>> = {}) {
  return folderWith({
    ...files,
    'node_modules/typescript/package.json': '{ "name": "typescript", "main": "index.js" }',
    'node_modules/typescript/index.js': typescript,
  });
}

async function ask(typescript: string, maximumMs?: number) {
  const { path } = project(typescript);
  const failures: string[] = [];
  const onFailure = (it: string) => void failures.push(it);
  const types = installedTypes({ onFailure, ...(maximumMs ? { maximumMs } : {}) });
  const question = { path: join(path, 'app.ts'), length: 9, version: 1, ranges: [[0, 3]] as const };
  const answers = await types.answersTo([question]);
  types.end();
  return { path, answers, failures };
}

const say = (text: string) =>
  `require('node:fs').writeFileSync(3, ${JSON.stringify(`${text}\n`)});`;
const noAnswer = 'the type checker sends an invalid answer';

describe('a TypeScript that is hostile', function () {
  this.timeout(120_000);

  for (const [what, code, reason] of [
    ['says what is no JSON', say('zzzz'), noAnswer],
    ['says null', say('null'), noAnswer],
    [
      'says types of another shape',
      say('{"id":1,"answers":[[{"kind":"object","modules":7}]],"failures":[]}'),
      noAnswer,
    ],
    [
      'answers what nobody has asked',
      say('{"id":77,"answers":[],"failures":[]}'),
      'the type checker sends an answer without a question',
    ],
    ['sends messages of Node.js', `process.send(null)`, undefined],
    [
      'talks without end',
      `const piece = 'x'.repeat(1 << 20); for (;;) require('node:fs').writeSync(3, piece);`,
      'the type checker has ended. It printed more than Deadtime reads.',
    ],
    ['exits', 'process.exit(0);', 'the type checker has ended. It ended with exit code 0.'],
  ] as const) {
    it(`${what}: there are no answers`, async () => {
      const { answers, failures } = await ask(code);
      deepStrictEqual(answers, [[]]);
      if (reason !== undefined) deepStrictEqual(failures, [reason]);
    });
  }

  it('leaves no process behind that it has started, nor a listener of ours', async function () {
    if (process.platform === 'win32') this.skip();
    const before = process.listenerCount('exit');
    const { path } = await ask(
      `const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' });
       require('node:fs').writeFileSync(__dirname + '/pid', String(child.pid));`,
    );
    deepStrictEqual(process.listenerCount('exit'), before);
    const pid = Number(readFileSync(join(path, 'node_modules/typescript/pid'), 'utf8'));
    while (isRunning(pid)) await setTimeout(10);
  });

  it('does not outlive one that is killed, even while it never returns', async function () {
    if (process.platform === 'win32') this.skip();
    const cli = await builtCli();
    const { path } = project(
      `require('node:fs').writeFileSync(__dirname + '/pid', String(process.pid)); for (;;);`,
      { 'orders.ts': ordersOfContext },
    );
    const host = spawn(process.execPath, [cli, 'check', '--types'], { cwd: path, stdio: 'ignore' });
    const file = join(path, 'node_modules/typescript/pid');
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await setTimeout(10);
    const pid = Number(readFileSync(file, 'utf8'));
    ok(isRunning(pid));
    host.kill('SIGKILL');
    while (isRunning(pid)) await setTimeout(10);
  });

  it('gets nothing but types to the rules', () => {
    const pool = { kind: 'object', modules: ['pg'], name: 'Pool' };
    const reply = (types: readonly unknown[], failures: unknown = []) =>
      replyFrom(JSON.stringify({ id: 1, answers: [types], failures }));
    const known = { kind: 'union', of: [{ kind: 'promise', of: pool }, pool] };
    deepStrictEqual(reply([null, known]), { id: 1, answers: [[undefined, known]], failures: [] });
    let deep: unknown = pool;
    for (let i = 0; i < 100; i++) deep = { kind: 'array', of: deep };
    for (const it of [7, 'pg', {}, [], { ...pool, name: 1 }, { kind: 'union', of: {} }, deep]) {
      deepStrictEqual(reply([it]), undefined);
    }
    deepStrictEqual(reply([], [7]), undefined);
    deepStrictEqual(reply([], 7), undefined);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/ [XZ] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
