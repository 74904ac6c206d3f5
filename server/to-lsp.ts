import {
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
} from 'vscode-languageserver/node';
import type { Severity } from '../rules/define-rule.ts';
import { measuredSentence } from '../src/report/measured.ts';
import type { Problem, RelatedPlace } from '../src/scan/problem.ts';
import { type DocumentPlace, placeOf, type Sheet } from './documents.ts';
import type { DiagnosticData, EditorFinding, Need, ProofState } from './protocol.ts';

/** Results that are added to a finding after its analysis: see proofs/. */
export interface Standing {
  readonly severity: Severity;
  readonly state: ProofState;
  /** The result of a measurement. */
  readonly summary: string | undefined;
  readonly needs: readonly Need[];
  /** The time that the next try gets, because the last one did not fit its own. */
  readonly neededSeconds?: number | undefined;
}

/** A finding at its place in a document. */
export interface DocumentProblem {
  readonly problem: Problem;
  readonly place: DocumentPlace;
}

export interface DiagnosticOptions {
  readonly hasRelated: boolean;
  readonly hasLinks: boolean;
  linkOf(ruleId: string): string;
  uriOf(path: string): string;
  standingOf(problem: Problem): Standing;
}

const severityNumbers = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const satisfies Record<Severity, DiagnosticSeverity>;

/** The findings of a sheet at their places in its documents. */
export function placed(problems: readonly Problem[], sheet: Sheet): readonly DocumentProblem[] {
  return problems.flatMap((problem) => {
    const place = placeOf(sheet, problem.finding.range);
    return place ? [{ problem, place }] : [];
  });
}

export function toDiagnostic(
  { problem, place }: DocumentProblem,
  sheet: Sheet | undefined,
  options: DiagnosticOptions,
): Diagnostic {
  const { finding, message, fingerprint } = problem;
  const { severity, state } = options.standingOf(problem);
  const href = options.hasLinks ? options.linkOf(finding.ruleId) : undefined;
  const relatedInformation = options.hasRelated ? relatedOf(problem, sheet, options) : [];
  const data: DiagnosticData = { fingerprint, state };
  return {
    range: place.range,
    severity: severityNumbers[severity],
    source: 'deadtime',
    code: finding.ruleId,
    ...(href === undefined ? {} : { codeDescription: { href } }),
    message,
    ...(relatedInformation.length > 0 ? { relatedInformation } : {}),
    data,
  };
}

export function toFinding(
  { problem, place }: DocumentProblem,
  { standingOf }: Pick<DiagnosticOptions, 'standingOf'>,
): EditorFinding {
  const { finding, message, fingerprint, measured } = problem;
  const { summary, ...standing } = standingOf(problem);
  return {
    ...{ uri: place.uri, fingerprint, ruleId: finding.ruleId, message },
    range: place.range,
    ...standing,
    ...(summary === undefined ? {} : { summary }),
    ...(measured && { measured: measuredSentence(measured) }),
    ...(measured?.state === 'stale' && { isStale: true }),
  };
}

function relatedOf(
  { finding, related, path }: Problem,
  sheet: Sheet | undefined,
  { uriOf }: Pick<DiagnosticOptions, 'uriOf'>,
): DiagnosticRelatedInformation[] {
  return related.map((it, i): DiagnosticRelatedInformation => {
    const own = it.path === path && sheet ? placeOf(sheet, finding.related[i]!.range) : undefined;
    return { location: own ?? placeElsewhere(it, uriOf), message: it.message };
  });
}

/** In a file that no editor shows, or whose text is only on disk. */
export function placeElsewhere(
  { path, start, end }: Pick<RelatedPlace, 'path' | 'start' | 'end'>,
  uriOf: (path: string) => string,
): DocumentPlace {
  const range = {
    start: { line: start.line - 1, character: start.column - 1 },
    end: { line: end.line - 1, character: end.column - 1 },
  };
  return { uri: uriOf(path), range };
}
