import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
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

/** What has come since the last commit, in all folders: by the command line, because git is a program that a folder configures. */
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
    if (failure !== undefined) failures.push(failure);
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

function printedFor(
  folder: string,
  { environment, workspace }: Session,
  signal: AbortSignal,
): Promise<{ readonly printed: readonly Printed[]; readonly failure?: string }> {
  const node = workspace.settingsAt(folder).nodePath ?? process.execPath;
  const args = ['review', '--base', 'HEAD', '--format', 'json', '--quiet'];
  if (workspace.trustsConfigurationAt(folder)) args.push('--trust-config');
  const options = { cwd: folder, signal, maxBuffer: 1 << 28, windowsHide: true };
  return new Promise((done) => {
    execFile(node, [...environment.program, ...args], options, (error, stdout, stderr) => {
      try {
        const { findings } = JSON.parse(stdout) as { readonly findings: readonly Printed[] };
        done({ printed: findings });
      } catch {
        const failure = stderr.trim().replace(/^deadtime: /, '') || error?.message;
        done({ printed: [], failure: failure ?? 'The review ended without a result.' });
      }
    });
  });
}
