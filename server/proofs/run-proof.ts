import type { BenchmarkResult } from '../../src/proof/result.ts';
import { runProgram, type Start } from '../../src/system/processes.ts';

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
  /** The absolute path of the report; undefined without a request for one. */
  readonly html: string | undefined;
  readonly signal: AbortSignal;
}

export type ProofEnd =
  | { readonly kind: 'result'; readonly result: BenchmarkResult }
  | { readonly kind: 'cancelled' }
  /** The output of the program, or why it could not start. */
  | { readonly kind: 'failed'; readonly message: string };

/** The time that it needs besides the benchmark: to start, to analyse, to start a database. */
const AROUND_MS = 60_000;
/** A result with its timelines has some 100 kB. */
const MOST_BYTES = 1 << 26;

/** The command line proves one finding in its own process, never in the process that serves the editor. */
export async function runProof(proof: ProofRun): Promise<ProofEnd> {
  const [program = '', ...own] = proof.command;
  const args = [
    ...[...own, 'prove', proof.place, '--json'],
    ...(proof.html === undefined ? [] : ['--html', proof.html]),
    ...['--max-seconds', String(proof.maxSeconds)],
    ...(proof.hasTypes ? ['--types'] : []),
    ...(proof.trustsConfiguration ? ['--trust-config'] : []),
    // The settings page, where the user has set it, lists what a proof creates there.
    ...(proof.databaseUrl === undefined ? [] : ['--yes']),
  ];
  const { cwd, maxSeconds, signal } = proof;
  const { stdout, stderr, failure, isCancelled } = await runProgram(program, args, {
    ...{ cwd, signal, environment: environmentOf(proof) },
    ...{ limitMs: maxSeconds * 1_000 + AROUND_MS, mostBytes: MOST_BYTES },
  });
  return isCancelled ? { kind: 'cancelled' } : endFrom(stdout, stderr, failure);
}

/** Where the database is goes this way, because it may hold a password, and other users of the machine see arguments. */
function environmentOf({ environment, databaseUrl }: ProofRun): Required<Start>['environment'] {
  return { ...environment, NO_COLOR: '1', DEADTIME_DATABASE_URL: databaseUrl };
}

function endFrom(stdout: string, stderr: string, failure: string | undefined): ProofEnd {
  try {
    const { results } = JSON.parse(stdout) as { readonly results: readonly BenchmarkResult[] };
    const [result] = results;
    if (result) return { kind: 'result', result };
  } catch {
    // The other stream has the reason.
  }
  const said = stderr.trim().replace(/^deadtime: /, '');
  return { kind: 'failed', message: said || (failure ?? 'The proof ended without a result.') };
}
