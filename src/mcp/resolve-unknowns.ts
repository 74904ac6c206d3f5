import { SESSION_VARIABLE } from '../scan/questions.ts';
import { runProgram } from '../system/processes.ts';
import type { ToolAnswer } from './answer.ts';
import { pathInside, Refusal, type Workspace } from './workspace.ts';

export interface ResolveInput {
  readonly paths?: readonly string[] | undefined;
  /** `src/rates.ts#latest=http.read` */
  readonly answers?: readonly string[] | undefined;
}

export interface ResolverOptions {
  /** Starts the command line. */
  readonly program: readonly string[];
  readonly trustsConfiguration: boolean;
  /** Unlike that of any other server: answers of one session are one opinion. */
  readonly session: string;
}

/** A scan of a million lines takes less. */
const LIMIT_MS = 300_000;
/** Twenty functions of forty lines. */
const MOST_BYTES = 1 << 22;

export type Resolve = (input: ResolveInput, signal: AbortSignal) => Promise<ToolAnswer>;

/** Asks what the functions do that hide most awaits, or records answers: by the command line, which alone writes to a project. */
export function resolver(
  workspace: Workspace,
  { program, trustsConfiguration, session }: ResolverOptions,
): Resolve {
  const [start = '', ...own] = program;
  return async ({ paths = ['.'], answers = [] }, signal) => {
    const inside = paths.map((it) => pathInside(workspace, it));
    const asked = answers.length > 0 ? answers.map((it) => `--answer=${it}`) : ['--agent'];
    const trust = trustsConfiguration ? ['--trust-config'] : [];
    const args = [...own, 'coverage', ...asked, '--no-color', ...trust, '--', ...inside];
    const { stdout, stderr, isCancelled } = await runProgram(start, args, {
      ...{ cwd: workspace.cwd, signal, limitMs: LIMIT_MS, mostBytes: MOST_BYTES },
      environment: { [SESSION_VARIABLE]: session },
    });
    if (isCancelled) throw new Refusal('Cancelled before there was a result.');
    if (stdout.trim() === '') throw new Refusal(stderr.trim().replace(/^deadtime: /, ''));
    return { text: stdout.trim(), data: {} };
  };
}
