import type { CancellationToken, Diagnostic } from 'vscode-languageserver/node';
import type { Problem } from '../scan/problem.ts';
import type { ScanSummary } from './protocol.ts';
import { diagnosticOptions, type Session } from './session.ts';
import { placeElsewhere, toDiagnostic } from './to-lsp.ts';

export interface FileDiagnostics {
  readonly uri: string;
  readonly diagnostics: Diagnostic[];
}

/** The findings of all files, for clients that ask; those of files that are not open are kept in step afterwards. */
export interface WorkspaceScan {
  run(options: ScanOptions): Promise<ScanSummary>;
  /** From now on the document answers for itself. */
  opened(path: string): void;
  /** A file that was scanned is no longer open, or has changed on the disk. */
  changed(path: string): void;
}

export interface ScanOptions {
  readonly token: CancellationToken;
  onProgress(percentage: number, message: string): void;
  /** Whether what is found is pushed; a client that asked by `workspace/diagnostic` gets it as an answer. */
  readonly isPushed: boolean;
  onFound(files: readonly FileDiagnostics[]): void;
}

export function workspaceScan(session: Session): WorkspaceScan {
  const { connection, analyses, sheets } = session;
  /** Files of which the client has been sent findings. */
  const pushed = new Set<string>();
  let hasRun = false;

  return {
    async run({ token, onProgress, isPushed, onFound }) {
      const start = performance.now();
      let findings = 0;
      const seen = new Set<string>();
      const scan = analyses.ask({ kind: 'scan' }, ({ done, of, found }) => {
        const files = found.map(({ path, problems }) => diagnosticsFor(path, problems));
        for (const { path, problems } of found) {
          findings += problems.length;
          seen.add(path);
          if (isPushed && !sheets.at(path)) push(path, problems);
        }
        onFound(files);
        onProgress((100 * done) / Math.max(1, of), `${done} of ${of} files`);
      });
      const cancelling = token.onCancellationRequested(scan.cancel);
      if (token.isCancellationRequested) scan.cancel();
      const end = await scan.answer;
      cancelling.dispose();
      const { files, isCancelled } =
        end?.kind === 'scanned' ? end : { files: seen.size, isCancelled: true };
      if (isPushed) {
        hasRun = true;
        if (!isCancelled) for (const it of pushed) if (!seen.has(it)) push(it, []);
      }
      const text = `${counted(findings, 'finding')} in ${counted(files, 'file')}${isCancelled ? ', then cancelled' : ''}.`;
      return { files, findings, milliseconds: performance.now() - start, isCancelled, text };
    },
    opened(path) {
      if (pushed.has(path)) push(path, []);
    },
    changed(path) {
      if (!hasRun || sheets.at(path)) return;
      void analyses.ask({ kind: 'analyse', path }).answer.then((answer) => {
        if (answer?.kind !== 'analysed' || sheets.at(path)) return;
        const { problems } = answer.analysis;
        if (problems.length > 0 || pushed.has(path)) push(path, problems);
      });
    },
  };

  function push(path: string, problems: readonly Problem[]): void {
    if (problems.length > 0) pushed.add(path);
    else pushed.delete(path);
    void connection.sendDiagnostics(diagnosticsFor(path, problems));
  }

  function diagnosticsFor(path: string, problems: readonly Problem[]): FileDiagnostics {
    const options = diagnosticOptions(session);
    const diagnostics = problems.map((problem) => {
      const place = placeElsewhere(problem, options.uriOf);
      return toDiagnostic({ problem, place }, undefined, options);
    });
    return { uri: options.uriOf(path), diagnostics };
  }
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
