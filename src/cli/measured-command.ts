import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, UsageError } from './failure.ts';

export interface CommandEnd {
  /** As the user has named it. */
  readonly program: string;
  /** When it is done, the program is asked to end; `signal` is aborted when the program has ended. Never rejects. */
  alongside?(signal: AbortSignal): Promise<void>;
  /** The numbers of its processes of Node.js. */
  measured(): readonly number[];
}

/** Processes that are asked to end have this time, in milliseconds. */
const GRACE_MS = 5_000;
const POLL_MS = 20;

/** The exit code of a command; a signal counts as in a shell, unless it is the end that was asked for. Throws a `UsageError`. */
export async function endOf(child: ChildProcess, end: CommandEnd): Promise<number> {
  let isOver = false;
  const stop = () => {
    isOver = true;
    for (const it of end.measured()) signal(it, 'SIGTERM');
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
  };
  const ended = new AbortController();
  const alongside = end.alongside?.(ended.signal).then(() => ended.signal.aborted || stop());
  const stopForwarding = forward(child, end);
  try {
    const code = await exitCodeOf(child, end.program, () => isOver);
    // A command such as npx may be gone before the program that it has started.
    if (isOver) await allGone(end.measured());
    return code;
  } finally {
    stopForwarding();
    ended.abort();
    await alongside;
  }
}

function exitCodeOf(child: ChildProcess, program: string, isOver: () => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(new UsageError(`Cannot start ${program}: ${error.message}`)),
    );
    child.on('exit', (code, by) => {
      const signalled = isOver() ? exitCodes.clean : 128 + (by ? constants.signals[by] : 0);
      resolve(code ?? signalled);
    });
  });
}

async function allGone(pids: readonly number[]): Promise<void> {
  const endMs = performance.now() + GRACE_MS;
  const left = () => pids.filter((it) => signal(it, 0));
  while (left().length > 0 && performance.now() < endMs) await sleep(POLL_MS);
  for (const it of left()) signal(it, 'SIGKILL');
}

/** Ctrl-C reaches the command by itself, so here it only must not end this process; other signals are handed on. */
function forward(child: ChildProcess, { measured }: CommandEnd): () => void {
  const toAll = (name: NodeJS.Signals) => () => {
    for (const it of measured()) signal(it, name);
  };
  const handlers: readonly (readonly [NodeJS.Signals, () => void])[] = [
    ['SIGINT', () => {}],
    [
      'SIGTERM',
      () => {
        toAll('SIGTERM')();
        child.kill('SIGTERM');
      },
    ],
    ['SIGUSR2', toAll('SIGUSR2')],
  ];
  const used = process.platform === 'win32' ? handlers.slice(0, 2) : handlers;
  for (const [name, handle] of used) process.on(name, handle);
  return () => {
    for (const [name, handle] of used) process.removeListener(name, handle);
  };
}

/** Whether the process is there. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
