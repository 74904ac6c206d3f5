import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Examined } from './examination.ts';

/** What a process is to do. */
export interface Order {
  /** The project's folder, absolute. */
  readonly root: string;
  readonly paths: readonly string[];
  /** CPU time that one file may take. */
  readonly limitMs: number;
}

/** Its output during the run. */
export type Line =
  { readonly started: string } | { readonly examined: Examined; readonly cpuMs: number };

/** The result of a file: a process that ends during a file has crashed, or was stopped because it hung. */
export type Outcome =
  | { readonly path: string; readonly examined: Examined; readonly cpuMs: number }
  | { readonly path: string; readonly death: 'hang' | 'crash'; readonly message: string };

/** Carries an order out, in as many processes as it takes: after a crash or a hang the next one goes on with the next file. */
export async function outcomesOf(order: Order): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  while (outcomes.length < order.paths.length) {
    const before = outcomes.length;
    const paths = order.paths.slice(before);
    const death = await processFor({ ...order, paths }, (it) => outcomes.push(it));
    if (death) outcomes.push(death);
    if (outcomes.length === before) throw new Error('The process has ended before its first file.');
  }
  return outcomes;
}

async function processFor(
  order: Order,
  onOutcome: (outcome: Outcome) => void,
): Promise<Outcome | undefined> {
  const script = fileURLToPath(new URL('run.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
  });
  child.stdin!.end(JSON.stringify(order));
  let current: string | undefined;
  const lines = createInterface({ input: child.stdio[3] as Readable });
  lines.on('line', (text) => {
    const line = JSON.parse(text) as Line;
    if ('started' in line) current = line.started;
    else {
      onOutcome({ path: current!, ...line });
      current = undefined;
    }
  });
  const ended = new Promise<string>((done) => {
    child.on('close', (code, signal) => done(signal ?? `exit code ${code}`));
  });
  const how = await ended;
  if (current === undefined) return undefined;
  return how === 'SIGKILL'
    ? { path: current, death: 'hang', message: `more than ${order.limitMs} ms of CPU` }
    : { path: current, death: 'crash', message: `the process ended with ${how}` };
}
