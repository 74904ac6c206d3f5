// Examines the files that standard input names, one at a time, and writes a line about each to file descriptor 3:
// lab/robustness.ts starts it as its own process, because a failure may end the process.
import { readFileSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { examinerOf } from './examination.ts';
import type { Line, Order } from './orders.ts';

const { root, paths, limitMs } = JSON.parse(readFileSync(0, 'utf8')) as Order;
/** Milliseconds of CPU at which the current file must be done; 0 in between. */
const deadline = new Float64Array(new SharedArrayBuffer(8));
const watch = `
  const { workerData } = require('node:worker_threads');
  setInterval(() => {
    // Once: a file may be done between two reads.
    const limit = workerData[0];
    const { user, system } = process.cpuUsage();
    if (limit > 0 && (user + system) / 1000 > limit) process.kill(process.pid, 'SIGKILL');
  }, 100);
`;
new Worker(watch, { eval: true, workerData: deadline }).unref();

const examine = examinerOf(root);
for (const path of paths) {
  say({ started: path });
  const start = cpuMs();
  deadline[0] = start + limitMs;
  const examined = examine(path);
  deadline[0] = 0;
  say({ examined, cpuMs: cpuMs() - start });
}
process.exit();

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Immediately, and whole: later output is lost with the process. */
function say(line: Line): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let at = 0; at < bytes.length;) at += writeSync(3, bytes, at);
}
