import type { CancellationToken, Diagnostic } from 'vscode-languageserver/node';
import { shownPath } from '../src/report/path.ts';
import type { Problem } from '../src/scan/problem.ts';
import type { Asked } from './analysis/thread.ts';
import type { ScanSummary } from './protocol.ts';
import { diagnosticOptions, type Session } from './session.ts';
import { placeElsewhere, toDiagnostic } from './to-lsp.ts';

export interface FileDiagnostics {
  readonly uri: string;
  readonly diagnostics: Diagnostic[];
}

/** The findings of all files, for clients that ask; those of closed files are kept up to date afterwards. */
export interface WorkspaceScan {
  run(options: ScanOptions): Promise<ScanSummary>;
  /** From now on the open document reports its own findings. */
  opened(path: string): void;
  /** A file that was scanned is no longer open, or has changed on the disk. */
  changed(path: string): void;
}

export interface ScanOptions {
  readonly token: CancellationToken;
  onProgress(percentage: number, message: string): void;
  /** Whether findings are pushed; a client that asked with `workspace/diagnostic` gets them as an answer. */
  readonly isPushed: boolean;
  onFound(files: readonly FileDiagnostics[]): void;
}

/** So often a scan goes on in a new thread: each time may have cost the limit of one file. */
const MOST_ENDS = 5;

/** Files that the message of a scan names; the log has all of them, with the reasons. */
const MOST_NAMED = 10;

export function workspaceScan(session: Session): WorkspaceScan {
  const { connection, analyses, sheets, workspace } = session;
  /** Files of which the client has been sent findings. */
  const pushed = new Set<string>();
  let hasRun = false;

  return {
    async run({ token, onProgress, isPushed, onFound }) {
      const start = performance.now();
      const found = new Map<string, number>();
      let baselined = 0;
      const unread = new Set<string>();
      let from = 0;
      const scanned = async () => {
        const leftOut = analyses.leftOut.paths();
        const scan = analyses.ask({ kind: 'scan', leftOut, from }, ({ done, of, found: files }) => {
          from = done;
          for (const { path, problems, baselined: known, leftOut } of files) {
            baselined += known;
            if (problems.length > 0) found.set(path, problems.length);
            if (isPushed && !sheets.at(path)) push(path, problems);
            for (const it of leftOut) connection.console.info(`${path} ${it}`);
            if (leftOut.length > 0) unread.add(path);
          }
          onFound(files.map(({ path, problems }) => diagnosticsFor(path, problems)));
          onProgress((100 * done) / Math.max(1, of), `${done} of ${of} files`);
        });
        const cancelling = token.onCancellationRequested(scan.cancel);
        if (token.isCancellationRequested) scan.cancel();
        const end = await scan.answer;
        cancelling.dispose();
        return end;
      };
      let end = await scanned();
      // What it ended over is left out, or tried once more.
      for (let i = 0; i < MOST_ENDS && end.kind === 'ended'; i++) end = await scanned();
      const leftOut = [...new Set([...analyses.leftOut.paths(), ...unread])].map((it) =>
        shownPath(it, workspace.main),
      );
      const summary = summaryOf(end, found, { files: from, leftOut, baselined });
      if (isPushed) {
        hasRun = true;
        const isWhole = !summary.isCancelled && summary.failure === undefined;
        if (isWhole) for (const it of pushed) if (!found.has(it)) push(it, []);
      }
      return { ...summary, milliseconds: performance.now() - start };
    },
    opened(path) {
      if (pushed.has(path)) push(path, []);
    },
    changed(path) {
      if (!hasRun || sheets.at(path)) return;
      void analyses.ask({ kind: 'analyse', path }).answer.then((answer) => {
        if (answer.kind !== 'analysed' || sheets.at(path)) return;
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

type Summary = Omit<ScanSummary, 'milliseconds'>;

function summaryOf(
  end: Awaited<Asked['answer']>,
  found: ReadonlyMap<string, number>,
  {
    files: done,
    leftOut,
    baselined,
  }: {
    readonly files: number;
    readonly leftOut: readonly string[];
    readonly baselined: number;
  },
): Summary {
  const files = end.kind === 'scanned' ? end.files : done;
  const isCancelled = end.kind === 'scanned' && end.isCancelled;
  const failure = end.kind === 'ended' ? `${end.at ?? 'a file'} ${end.message}` : undefined;
  const findings = [...found.values()].reduce((sum, it) => sum + it, 0);
  const then = isCancelled
    ? ', then cancelled'
    : failure === undefined
      ? ''
      : `, then stopped: ${failure}`;
  const names = leftOut.slice(0, MOST_NAMED);
  if (leftOut.length > names.length)
    names.push(`${leftOut.length - names.length} more (see the log)`);
  const without = leftOut.length === 0 ? '' : ` Ignored: ${names.join(', ')}.`;
  const known = baselined === 0 ? '' : ` ${baselined} more in the baseline.`;
  const text = `${counted(findings, 'finding')} in ${counted(files, 'file')}${then}.${known}${without}`;
  return { files, findings, isCancelled, ...(failure !== undefined && { failure }), text };
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
