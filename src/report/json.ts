import type { Notice, Problem } from '../scan/problem.ts';
import { proofCommand } from '../scan/proof-command.ts';
import type { ScanResult, ScanStats } from '../scan/scan-files.ts';
import { fixOf } from './fix.ts';
import type { ReportContext } from './format.ts';
import { measuredFields } from './measured.ts';
import { byCost, distinct } from './order.ts';
import { shownPath } from './path.ts';
import type { Beside } from './proof/beside.ts';
import { shardText } from './shard.ts';

/** The version of the format: a field that goes or changes its meaning raises it. */
export const jsonVersion = 2;

export interface JsonReport {
  readonly version: typeof jsonVersion;
  /** `2/4`, of a run over a part of the files. */
  readonly shard?: string;
  readonly findings: readonly JsonFinding[];
  readonly notices: readonly JsonNotice[];
  readonly stats: Required<Omit<ScanStats, 'awaits' | 'spentMs' | 'rememberedFiles'>>;
}

/**
 * Machine-readable findings, worst first. `file` is relative to `cwd`, or absolute outside it; lines and columns count from
 * 1; an edit's `range` is in UTF-16 code units of the file's text without its byte-order mark.
 */
export function jsonReport(
  result: ScanResult,
  context: Pick<ReportContext, 'cwd' | 'shard' | 'proofs'>,
): string {
  const { files, parsedFiles, lines, baselined = 0 } = result.stats;
  return jsonText({
    version: jsonVersion,
    ...(context.shard && { shard: shardText(context.shard) }),
    findings: jsonFindings(result, context),
    notices: distinct(result.notices.map((notice) => noticeOf(notice, context.cwd))),
    stats: { files, parsedFiles, lines, baselined },
  });
}

export function jsonText(report: JsonReport): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** With `estimated` and `measured`, a sentence each, where it was proved; `measuredInProgram` is of a run of the program. */
export type JsonFinding = ReturnType<typeof findingOf> & Partial<Beside>;

/** Worst first. */
export function jsonFindings(
  { problems }: ScanResult,
  { cwd, proofs }: Pick<ReportContext, 'cwd' | 'proofs'>,
): readonly JsonFinding[] {
  return problems
    .toSorted(byCost)
    .map((problem) => ({ ...findingOf(problem, cwd), ...proofs?.get(problem) }));
}

function findingOf(problem: Problem, cwd: string) {
  const { ruleId, messageId, severity, confidence, evidence } = problem.finding;
  const file = shownPath(problem.path, cwd);
  return {
    id: `${file}:${problem.names.exact}`,
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
    proof: proofCommand(file, problem),
    fingerprint: problem.fingerprint,
    fix: fixOf(problem, file),
    suggestions: problem.suggestions.map(({ title, edits }) => ({ title, edits })),
    ...(problem.measured && { measuredInProgram: measuredFields(problem.measured) }),
  };
}

type JsonNotice = ReturnType<typeof noticeOf>;

function noticeOf({ path, reason, message }: Notice, cwd: string) {
  return { file: shownPath(path, cwd), reason, message };
}
