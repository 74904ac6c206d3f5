import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../report/counts.ts';
import { visible } from '../report/visible.ts';
import { runProgram, startAttached } from '../system/processes.ts';
import { UsageError } from './failure.ts';

/** The load that is sent to a program while it is measured. */
export interface LoadOptions {
  /** An address of the program. */
  readonly load?: string;
  readonly loadConnections: number;
  /** A program of the user's that sends the load. */
  readonly loadScript?: string;
  /** In seconds. */
  readonly for?: number;
}

/**
 * Runs alongside the program, which is to end when it is done; undefined where the program runs until it ends. The result is what went
 * wrong. `signal` is aborted when the program has ended. Throws a `UsageError` before the program starts.
 */
export type Alongside = (signal: AbortSignal) => Promise<readonly string[]>;

export function alongsideOf(options: LoadOptions): Alongside | undefined {
  const { load, loadScript, for: limit } = options;
  const send =
    loadScript === undefined
      ? load === undefined
        ? undefined
        : autocannon(load, options)
      : script(loadScript, limit);
  if (send === undefined) return limit === undefined ? undefined : paused(limit);
  return async (signal) => {
    if (load !== undefined && !(await answers(load, signal))) {
      return [
        signal.aborted
          ? 'the program ended before the load began'
          : `${load} has not answered within ${ANSWER_SECONDS} s`,
      ];
    }
    return send(signal);
  };
}

function paused(limit: number): Alongside {
  return async (signal) => {
    await sleep(1_000 * limit, undefined, { signal }).catch(() => {});
    return [];
  };
}

const LOAD_SECONDS = 10;
const ANSWER_SECONDS = 60;
const POLL_MS = 50;
/** A program that accepts connections before it answers is asked again. */
const ASK_MS = 5_000;

/** Any answer counts: what the program answers is its own affair. */
async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  const limit = AbortSignal.timeout(1_000 * ANSWER_SECONDS);
  while (!signal.aborted && !limit.aborted) {
    try {
      const asked = AbortSignal.any([signal, limit, AbortSignal.timeout(ASK_MS)]);
      const answer = await fetch(url, { signal: asked, redirect: 'manual' });
      await answer.body?.cancel();
      return true;
    } catch {
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
  }
  return false;
}

/** Autocannon has this time to start and to report, in milliseconds. */
const GRACE_MS = 30_000;
const MOST_BYTES = 1_000_000;

/** In a process of its own: a load generator that shares one with its measurement waits for it. */
function autocannon(
  url: string,
  { loadConnections, for: limit = LOAD_SECONDS }: LoadOptions,
): Alongside {
  const program = installedAutocannon();
  const options = ['--connections', String(loadConnections), '--duration', String(limit)];
  return async (signal) => {
    const ended = await runProgram(
      process.execPath,
      [program, ...options, '--no-progress', '--json', url],
      { cwd: process.cwd(), limitMs: 1_000 * limit + GRACE_MS, mostBytes: MOST_BYTES, signal },
    );
    if (ended.isCancelled) return ['the program ended before the load did'];
    if (ended.failure !== undefined)
      return [`autocannon: ${ended.failure} ${visible(ended.stderr)}`];
    process.stderr.write(`deadtime: ${sentText(ended.stdout, { loadConnections, limit })}\n`);
    return [];
  };
}

/** What autocannon writes as JSON, as far as it is read. */
interface Sent {
  readonly requests: { readonly total: number };
  readonly errors: number;
  readonly timeouts: number;
  readonly non2xx: number;
}

function sentText(
  output: string,
  { loadConnections, limit }: { readonly loadConnections: number; readonly limit: number },
): string {
  const { requests, errors, timeouts, non2xx } = JSON.parse(output) as Sent;
  return [
    `${counted(loadConnections, 'connection')} sent ${counted(requests.total, 'request')} in ${limit} s`,
    ...(non2xx > 0 ? [`${counted(non2xx, 'answer')} had a status other than 2xx`] : []),
    ...(errors > 0 ? [`${counted(errors, 'error')}, ${timeouts} of them time-outs`] : []),
  ].join('; ');
}

/** Of the project, where the user has it for this; throws a `UsageError`. */
function installedAutocannon(): string {
  const { resolve: find } = createRequire(join(process.cwd(), 'package.json'));
  try {
    return find('autocannon');
  } catch {
    throw new UsageError(
      'autocannon is not installed, which --load sends requests with: npm install --save-dev autocannon. Or name your own program: --load-script load.js',
    );
  }
}

const SCRIPTS = /^\.[cm]?[jt]s$/;

function script(file: string, limit: number | undefined): Alongside {
  const [program, ...args] = SCRIPTS.test(extname(file))
    ? [process.execPath, resolve(file)]
    : [resolve(file)];
  return (signal) =>
    new Promise((done) => {
      const child = startAttached(program!, args, { cwd: process.cwd() });
      let isOver = false;
      const end = () => {
        isOver = true;
        child.kill('SIGTERM');
      };
      const timer = limit === undefined ? undefined : setTimeout(end, 1_000 * limit);
      signal.addEventListener('abort', end, { once: true });
      const settle = (...failures: readonly string[]) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        done(failures);
      };
      child.on('error', (error) => settle(`cannot start ${file}: ${error.message}`));
      child.on('exit', (code, by) => {
        const failure = `${file} ended with ${by ?? `exit code ${String(code)}`}`;
        settle(...(code === 0 || isOver ? [] : [failure]));
      });
    });
}
