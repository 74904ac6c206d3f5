import { Worker } from 'node:worker_threads';
import { linesTo, sayLine } from '../../system/processes.ts';
import { typeAnswering } from './answers.ts';
import type { TypeOrder } from './messages.ts';
import { lineOf } from './reply.ts';

const { replyTo, end } = typeAnswering();

process.stdin.setEncoding('utf8').on(
  'data',
  linesTo((line) => sayLine(lineOf(replyTo(JSON.parse(line) as TypeOrder)))),
);
// The parent process has ended, perhaps by a crash.
process.stdin.on('end', () => {
  end();
  process.exit();
});

/** The same while code of the project runs that never returns: Windows alone names a parent that has ended. */
const watch = `
setInterval(() => {
  if (process.ppid !== ${process.ppid}) process.kill(-process.pid, 'SIGKILL');
}, 500);`;
if (process.platform !== 'win32') new Worker(watch, { eval: true, execArgv: [] }).unref();
