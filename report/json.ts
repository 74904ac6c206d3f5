import type { Notice, Problem } from '../scan/problem.ts';
import { proofCommand } from '../scan/proof-command.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import type { ReportContext } from './format.ts';
import { byCost } from './order.ts';
import { shownPath } from './path.ts';

/** The version of the format: a field that goes or changes its meaning raises it. */
const formatVersion = 2;

/**
 * Machine-readable findings, worst first. `file` is relative to `cwd`, or absolute outside it; lines and columns count from
 * 1; an edit's `range` is in UTF-16 code units of the file's text without its byte-order mark.
 */
export function jsonReport(result: ScanResult, context: Pick<ReportContext, 'cwd'>): string {
  const findings = jsonFindings(result, context);
  const notices = result.notices.map((notice) => noticeOf(notice, context.cwd));
  const { files, parsedFiles, lines } = result.stats;
  const stats = { files, parsedFiles, lines };
  return `${JSON.stringify({ version: formatVersion, findings, notices, stats }, undefined, 2)}\n`;
}

export type JsonFinding = ReturnType<typeof findingOf>;

/** Worst first. */
export function jsonFindings(
  { problems }: ScanResult,
  { cwd }: Pick<ReportContext, 'cwd'>,
): readonly JsonFinding[] {
  return problems.toSorted(byCost).map((problem) => findingOf(problem, cwd));
}

function findingOf(problem: Problem, cwd: string) {
  const { ruleId, messageId, severity, confidence, evidence } = problem.finding;
  const file = shownPath(problem.path, cwd);
  return {
    ruleId,
    messageId,
    file,
    line: problem.start.line,
    column: problem.start.column,
    endLine: problem.end.line,
    endColumn: problem.end.column,
    message: problem.message,
    severity,
    confidence,
    context: problem.context,
    cost: problem.cost,
    evidence,
    related: problem.related.map(({ path, start, message }) => ({
      file: shownPath(path, cwd),
      ...start,
      message,
    })),
    proof: proofCommand(file, problem.start.line),
    fingerprint: problem.fingerprint,
    suggestions: problem.suggestions.map(({ title, edits }) => ({ title, edits })),
  };
}

function noticeOf({ path, reason, message }: Notice, cwd: string) {
  return { file: shownPath(path, cwd), reason, message };
}
