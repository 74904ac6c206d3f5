import { spawn } from 'node:child_process';
import type { BenchmarkResult } from '../../benchmarks/result.ts';

export interface ProofRun {
  /** The program and its arguments before `prove`. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `src/worker.ts:41:5` */
  readonly place: string;
  readonly maxSeconds: number;
  readonly databaseUrl: string | undefined;
  /** Whether the finding may rest on types. */
  readonly hasTypes: boolean;
  /** Whether configuration that is code counts, which is run for that. */
  readonly trustsConfiguration: boolean;
  /** Where the report goes, an absolute path; undefined where nobody asked for one. */
  readonly html: string | undefined;
  readonly signal: AbortSignal;
}

export type ProofEnd =
  | { readonly kind: 'result'; readonly result: BenchmarkResult }
  | { readonly kind: 'cancelled' }
  /** What the program said, or why it could not be started. */
  | { readonly kind: 'failed'; readonly message: string };

/** How long a program that was asked to end may take to put away its databases. */
const GRACE_MS = 5_000;
/** What it may take beside the benchmark: to start, to analyse, to start a database. */
const AROUND_MS = 60_000;

/** One finding is proved by the command line in a process of its own, never in the one that serves the editor. */
export function runProof(run: ProofRun): Promise<ProofEnd> {
  const [program = '', ...own] = run.command;
  const args = [
    ...[...own, 'prove', run.place, '--json'],
    ...(run.html === undefined ? [] : ['--html', run.html]),
    ...['--max-seconds', String(run.maxSeconds)],
    ...(run.hasTypes ? ['--types'] : []),
    ...(run.trustsConfiguration ? ['--trust-config'] : []),
    ...(run.databaseUrl === undefined ? [] : ['--database-url', run.databaseUrl]),
  ];
  return new Promise((resolve) => {
    if (run.signal.aborted) return resolve({ kind: 'cancelled' });
    const child = spawn(program, args, {
      cwd: run.cwd,
      env: { ...process.env, ...run.environment, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let [stdout, stderr] = ['', ''];
    let killTimer: NodeJS.Timeout | undefined;
    const end = () => {
      child.kill('SIGINT');
      killTimer ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    };
    const withUs = () => child.kill('SIGKILL');
    const limit = setTimeout(end, run.maxSeconds * 1_000 + AROUND_MS);
    run.signal.addEventListener('abort', end);
    process.once('exit', withUs);
    const settle = (it: ProofEnd) => {
      clearTimeout(limit);
      clearTimeout(killTimer);
      run.signal.removeEventListener('abort', end);
      process.removeListener('exit', withUs);
      resolve(run.signal.aborted ? { kind: 'cancelled' } : it);
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', (error) => settle({ kind: 'failed', message: error.message }));
    child.on('close', () => settle(endFrom(stdout, stderr)));
  });
}

function endFrom(stdout: string, stderr: string): ProofEnd {
  try {
    const { results } = JSON.parse(stdout) as { readonly results: readonly BenchmarkResult[] };
    const [result] = results;
    if (result) return { kind: 'result', result };
  } catch {
    // It has said on the other stream why there is none.
  }
  const said = stderr.trim().replace(/^deadtime: /, '');
  return { kind: 'failed', message: said || 'The proof ended without a result.' };
}
