// `npm test [-- OPTIONS OF MOCHA...]`: types, format and lint are checked while the tests run, of which many wait for what they
// have started.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const checks = npmRun('check', 'pipe');
const tests = npmRun('test:alone', 'inherit', process.argv.slice(2));
const checked = endOf(checks);
const tested = endOf(tests);
// In one piece, not between those of the tests.
const said = await Promise.all([text(checks.stdout!), text(checks.stderr!)]);
process.stdout.write(`\n${said.join('')}`);
process.exitCode = (await tested) || (await checked);

function npmRun(
  script: string,
  output: 'pipe' | 'inherit',
  parameters: readonly string[] = [],
): ChildProcess {
  return spawn('npm', ['run', '--silent', script, '--', ...parameters], {
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32',
  });
}

async function endOf(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
