import { resolve } from 'node:path';
import { runProgram } from '../src/system/processes.ts';
import { plainMessage } from './plain-message.ts';
import type { Review } from './protocol.ts';
import type { Session } from './session.ts';

/** As `deadtime review --format json` prints it. */
interface Printed extends Pick<
  Review['findings'][number],
  'ruleId' | 'message' | 'severity' | 'fingerprint'
> {
  /** From the folder in which it ran, or absolute. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/**
 * The findings of the changes since the last commit, in all folders: through the command line, because a folder configures git.
 */
export async function reviewChanges(session: Session, signal: AbortSignal): Promise<Review> {
  const { workspace, proofs, sheets } = session;
  if (!proofs.isTrusted) {
    const failure = 'A review starts git, and this workspace is not trusted. Trust it first.';
    return { findings: [], failures: [failure] };
  }
  const paths = workspace.folders().map(({ path }) => path);
  const failures: string[] = [];
  const found = new Map<string, Review['findings'][number]>();
  for (const folder of paths) {
    const { printed, failure } = await printedFor(folder, session, signal);
    if (failure !== undefined) failures.push(plainMessage(failure));
    for (const { file, line, column, endLine, endColumn, ...finding } of printed) {
      const { ruleId, message, severity, fingerprint } = finding;
      const start = { line: line - 1, character: column - 1 };
      const end = { line: endLine - 1, character: endColumn - 1 };
      const uri = sheets.uriOf(resolve(folder, file));
      // Two folders may lie in one repository.
      const key = `${uri} ${line} ${column} ${ruleId}`;
      found.set(key, { uri, fingerprint, ruleId, message, severity, range: { start, end } });
    }
  }
  return { findings: [...found.values()], failures };
}

/** Git and an analysis of what changed; a repository of gigabytes takes a minute. */
const LIMIT_MS = 600_000;
const MOST_BYTES = 1 << 28;

async function printedFor(
  folder: string,
  { environment, workspace }: Session,
  signal: AbortSignal,
): Promise<{ readonly printed: readonly Printed[]; readonly failure?: string }> {
  const node = workspace.settingsAt(folder).nodePath ?? process.execPath;
  const args = ['review', '--base', 'HEAD', '--format', 'json', '--quiet'];
  if (workspace.trustsConfigurationAt(folder)) args.push('--trust-config');
  const { stdout, stderr, failure } = await runProgram(node, [...environment.program, ...args], {
    ...{ cwd: folder, signal, limitMs: LIMIT_MS, mostBytes: MOST_BYTES },
  });
  try {
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly Printed[] };
    return { printed: findings };
  } catch {
    const said = stderr.trim().replace(/^deadtime: /, '');
    return { printed: [], failure: said || (failure ?? 'The review ended without a result.') };
  }
}
