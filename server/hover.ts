import { type Hover, MarkupKind, type Position } from 'vscode-languageserver/node';
import type { Estimate } from '../src/proof/result.ts';
import { hoverText } from '../src/report/hover.ts';
import { shownPath } from '../src/report/path.ts';
import type { Problem } from '../src/scan/problem.ts';
import { proofCommand } from '../src/scan/proof-command.ts';
import { overlap } from './actions.ts';
import type { Sheet } from './documents.ts';
import type { DocumentProblem } from './to-lsp.ts';

export interface HoverOptions {
  readonly hasMarkdown: boolean;
  /** Whether the client shows the message of a diagnostic next to the hover. */
  readonly isMessageShown: boolean;
  /** The folder from which paths are shown. */
  readonly folder: string;
  pageOf(ruleId: string): string | undefined;
  linkOf(ruleId: string): string;
  measuredOf(problem: Problem): string | undefined;
}

/** All findings at a position, the last start first: it is the innermost. */
export async function hoverAt(
  position: Position,
  findings: readonly DocumentProblem[],
  sheet: Sheet,
  options: HoverOptions,
): Promise<Hover | undefined> {
  const here = { start: position, end: position };
  const [...at] = findings.filter(({ place }) => overlap(place.range, here)).reverse();
  const [first] = at;
  if (!first) return undefined;
  const texts = await Promise.all(at.map(({ problem }) => textOf(problem, sheet, options)));
  const kind = options.hasMarkdown ? MarkupKind.Markdown : MarkupKind.PlainText;
  return { contents: { kind, value: texts.join('\n\n---\n\n') }, range: first.place.range };
}

async function textOf(problem: Problem, sheet: Sheet, options: HoverOptions): Promise<string> {
  const { ruleId } = problem.finding;
  return hoverText({
    problem,
    isMessageShown: options.isMessageShown,
    proof: proofOf(problem, sheet, options.folder),
    estimate: await estimateFor(problem),
    measured: options.measuredOf(problem),
    page: options.pageOf(ruleId),
    link: options.linkOf(ruleId),
  });
}

/** The command that a user types in the folder; a text without a file has no place that a command could name. */
export function proofOf(problem: Problem, sheet: Sheet, folder: string): string | undefined {
  if (!sheet.isOnDisk) return undefined;
  return proofCommand(shownPath(problem.path, folder), problem);
}

/** The table of the benchmarks is read at the first request. */
export async function estimateFor({ finding }: Problem): Promise<Estimate | undefined> {
  const { estimateOf } = await import('../src/proof/estimate.ts');
  return estimateOf(finding.ruleId, finding.evidence);
}
