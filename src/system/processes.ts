import {
  type ChildProcess,
  fork,
  type ForkOptions,
  spawn,
  spawnSync,
  type SpawnSyncReturns,
} from 'node:child_process';
import { writeFileSync } from 'node:fs';

/**
 * The one module that starts processes. A program is one of ours, or one of the machine that is started by an absolute path or
 * by a name that is looked up in a PATH without folders of a project (src/cli/program-path.ts). Each that is waited for has a bound
 * on its time and its output.
 */

export interface Bounds {
  /** After that it is killed. */
  readonly limitMs: number;
  /** More than that on one stream is a failure. */
  readonly mostBytes: number;
}

export interface Start {
  readonly cwd: string;
  /** Added to the environment of this process; undefined takes a variable out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly uid?: number;
  readonly gid?: number;
}

const quiet = { windowsHide: true } as const;

/**
 * Waits for a program, without any other work of this process; `error` is the reason why it could not be started or was
 * stopped.
 */
export function runProgramSync(
  program: string,
  args: readonly string[],
  { limitMs, mostBytes, environment, input, pipes, ...start }: Start & Bounds & SyncOptions,
): SpawnSyncReturns<Buffer> {
  return spawnSync(program, args, {
    ...quiet,
    ...start,
    env: environmentWith(environment),
    ...(input !== undefined && { input }),
    ...(pipes && { stdio: [...pipes] }),
    ...{ timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: mostBytes },
  });
}

export interface SyncOptions {
  readonly input?: string;
  /** The file descriptors that it reads and writes, where not all are pipes. */
  readonly pipes?: readonly ('ignore' | 'pipe')[];
}

export interface RunOptions extends Start, Bounds {
  readonly signal?: AbortSignal;
  /** `program` is a command line for a shell: npm is a script on Windows. Only for command lines of ours. */
  readonly isCommandLine?: boolean;
}

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** undefined after an exit code of 0; otherwise what happened, without the output of the program. */
  readonly failure: string | undefined;
  readonly isCancelled: boolean;
}

/** How long a program that was asked to end may take to do so. */
const GRACE_MS = 5_000;

/**
 * Runs a program in a group of its own to its end. When its time is over, or `signal` is aborted, it is asked to end, and its
 * whole group is killed after a while; at the latest it ends with this process. Never rejects.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { limitMs, mostBytes, environment, signal, isCommandLine = false, ...start }: RunOptions,
): Promise<Ended> {
  return new Promise((resolve) => {
    const texts = { stdout: '', stderr: '' };
    const settle = (failure: string | undefined) =>
      resolve({ ...texts, failure, isCancelled: signal?.aborted ?? false });
    if (signal?.aborted) return settle('It was cancelled.');
    const child = spawn(program, args, {
      ...quiet,
      ...start,
      ...ownGroup,
      shell: isCommandLine,
      env: environmentWith(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let reason: string | undefined;
    let grace: NodeJS.Timeout | undefined;
    const end = (why: string) => {
      reason ??= why;
      child.kill('SIGINT');
      grace ??= setTimeout(() => killTree(child), GRACE_MS);
    };
    const cancel = () => end('It was cancelled.');
    const limit = setTimeout(() => end(`It took more than ${limitMs / 1_000} s.`), limitMs);
    signal?.addEventListener('abort', cancel);
    const endWithUs = () => killTree(child);
    process.once('exit', endWithUs);
    const over = (failure: string | undefined) => {
      clearTimeout(limit);
      clearTimeout(grace);
      signal?.removeEventListener('abort', cancel);
      process.removeListener('exit', endWithUs);
      // What it has started and left.
      killTree(child);
      settle(reason ?? failure);
    };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (texts[name].length + text.length > mostBytes)
          end('It printed more than Deadtime reads.');
        else texts[name] += text;
      });
    }
    child.on('error', (error) => over(error.message));
    child.on('close', (code, by) =>
      over(
        code === 0
          ? undefined
          : by
            ? `It was stopped by ${by}.`
            : `It ended with exit code ${code}.`,
      ),
    );
  });
}

/**
 * Starts the command of a user, who sees it as if it had been started alone: it has the terminal, its signals, and any time that
 * it needs. Never throws; a program that does not exist is an `error` event.
 */
export function startAttached(
  program: string,
  args: readonly string[],
  { environment, ...start }: Start,
): ChildProcess {
  return spawn(program, args, {
    ...start,
    // Windows has npm and npx as scripts, which only a shell runs.
    shell: process.platform === 'win32',
    env: environmentWith(environment),
    stdio: 'inherit',
  });
}

/** Starts a server that logs into a file, whose descriptor is `log`. The caller ends it. */
export function startLogging(
  program: string,
  args: readonly string[],
  { log, environment, ...start }: Start & { readonly log: number },
): ChildProcess {
  return spawn(program, args, {
    ...quiet,
    ...start,
    env: environmentWith(environment),
    stdio: ['ignore', log, log],
  });
}

export interface ModuleStart extends Pick<ForkOptions, 'detached' | 'serialization'> {
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether its stderr is read. */
  readonly hasStderr?: boolean;
}

/** Starts a module of ours in its own process, which sends and receives messages and prints nothing on standard output. */
export function startModule(
  module: URL,
  { environment, hasStderr = false, ...options }: ModuleStart = {},
): ChildProcess {
  return fork(module, [], {
    ...options,
    execArgv: [...ownOptions()],
    env: environmentWith(environment),
    stdio: ['ignore', 'ignore', hasStderr ? 'pipe' : 'ignore', 'ipc'],
  });
}

export interface TalkOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Node's own options, in addition to those of this process. */
  readonly nodeOptions?: readonly string[];
  /** A longer line is a failure. */
  readonly mostCharacters: number;
  onLine(line: string): void;
  /** Called once, unless the caller ends it before. */
  onEnd(reason: string): void;
}

export interface Talk {
  send(line: string): void;
  end(): void;
}

/**
 * Starts a module of ours that runs code of a project: it reads lines on standard input, and writes lines to file descriptor 3.
 * It has no channel of Node.js for messages, on which one that is malformed throws in this process. It ends with all that it
 * has started, at the latest with this process, and keeps nothing waiting.
 */
export function startTalking(
  module: string,
  { environment, nodeOptions = [], mostCharacters, onLine, onEnd }: TalkOptions,
): Talk {
  const child = spawn(process.execPath, [...ownOptions(), ...nodeOptions, module], {
    ...quiet,
    ...ownGroup,
    env: environmentWith(environment),
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    process.removeListener('exit', end);
    killTree(child);
  };
  const over = (reason: string) => {
    if (hasEnded) return;
    end();
    onEnd(reason);
  };
  process.once('exit', end);
  child.on('error', (error) => over(error.message));
  child.on('exit', (code, by) =>
    over(by ? `It was stopped by ${by}.` : `It ended with exit code ${code}.`),
  );
  const take = linesTo((line) => hasEnded || onLine(line), {
    mostCharacters,
    onLong: () => over('It printed more than Deadtime reads.'),
  });
  const [input, , , output] = child.stdio;
  const decoder = new TextDecoder();
  // The event of its end contains the error.
  for (const it of [input, output]) it?.on('error', () => {});
  output?.on('data', (piece: Buffer) => take(decoder.decode(piece, { stream: true })));
  // A caller that waits for an answer has a time limit, which keeps this process alive.
  child.unref();
  for (const it of [input, output]) (it as Pick<ChildProcess, 'unref'> | null)?.unref();
  return { send: (line) => void input?.write(`${line}\n`), end };
}

/** The child's side: one line to the process that has started this one with `startTalking`. */
export function sayLine(line: string): void {
  writeFileSync(3, `${line}\n`);
}

/** Puts pieces of a text together to its lines. */
export function linesTo(
  onLine: (line: string) => void,
  { mostCharacters = Infinity, onLong = () => {} } = {},
): (piece: string) => void {
  let line = '';
  return (piece) => {
    for (const [i, part] of piece.split('\n').entries()) {
      if (i > 0) {
        onLine(line);
        line = '';
      }
      line += part;
    }
    if (line.length > mostCharacters) onLong();
  };
}

/** A port for a debugger can be listened on once. */
function ownOptions(): readonly string[] {
  return process.execArgv.filter((it) => !it.startsWith('--inspect'));
}

/** How a child is started so that `killTree` reaches all of its descendants: in a process group of its own. */
export const ownGroup = { detached: process.platform !== 'win32' };

/** Stops the process and everything that it started, immediately; an ended process is no error. */
export function killTree({ pid }: Pick<ChildProcess, 'pid'>): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], {
      ...{ stdio: 'ignore', timeout: GRACE_MS, windowsHide: true },
    });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

function environmentWith(added: Start['environment']): NodeJS.ProcessEnv {
  return { ...process.env, ...added };
}
