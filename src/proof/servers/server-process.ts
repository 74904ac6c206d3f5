import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createOwn, readOwn } from '../../system/own-files.ts';
import { startLogging } from '../../system/processes.ts';

/** Between two looks whether the server is ready. */
const POLL_MS = 4;

/** A start after a crash reads the log again first. */
const READY_WITHIN_MS = 30_000;

const KEPT_LOG = 2_000;

/** Creating a data directory takes about a second; only the end of its output is read. */
export const INSTALLATION = { limitMs: 60_000, mostBytes: 1 << 20 } as const;

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
  /** Where it runs and logs. */
  readonly folder: string;
}

export interface RunningServer {
  /** Asks by `signal`, and ends it when that does not help. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

/** Why a server did not start: the end of what it logged. */
export class ServerFailure extends Error {}

/** Starts a server on 127.0.0.1; rejects with `ServerFailure` when it ends before `isReady`. */
export async function startServer(
  { program, args, folder, ...start }: ServerCommand,
  isReady: (pid: number) => boolean | Promise<boolean>,
): Promise<RunningServer> {
  const logFile = join(folder, 'log');
  const log = createOwn(logFile);
  const child = startLogging(program, args, { ...start, cwd: folder, log });
  closeSync(log);
  let failure: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('error', ({ message }) => {
      failure = message;
      resolve();
    });
    child.once('exit', () => resolve());
  });
  const isRunning = () =>
    failure === undefined && child.exitCode === null && child.signalCode === null;
  const server: RunningServer = { stop: (signal) => stop(child, ended, signal) };
  const deadline = Date.now() + READY_WITHIN_MS;
  while (isRunning() && !(child.pid && (await isReady(child.pid)))) {
    if (Date.now() > deadline) {
      await server.stop('SIGKILL');
      failure = `it was not ready after ${READY_WITHIN_MS / 1_000} s`;
    }
    await delay(POLL_MS);
  }
  if (isRunning()) return server;
  const said = (readOwn(logFile) ?? '').toString().trim().slice(-KEPT_LOG);
  throw new ServerFailure([failure, said].filter(Boolean).join('\n') || 'it ended immediately');
}

async function stop(
  child: ChildProcess,
  ended: Promise<void>,
  signal: NodeJS.Signals,
): Promise<void> {
  child.kill(signal);
  const end = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(end);
}

/**
 * Runs `start` on a free port. A second program may listen on it before the server does, so a start that fails for that reason
 * is repeated.
 */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let triesLeft = 3; ; triesLeft--) {
    const port = await freePort();
    try {
      return await start(port);
    } catch (error) {
      const isTaken =
        error instanceof ServerFailure && /address already in use|EADDRINUSE/i.test(error.message);
      if (!isTaken || triesLeft === 0) throw error;
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
