import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Command,
  type Diagnostic,
  type Range,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { Problem } from '../src/scan/problem.ts';
import { placeOf, type Sheet } from './documents.ts';
import { clientCommands, type FindingId } from './protocol.ts';
import type { DocumentProblem } from './to-lsp.ts';

export interface ActionOptions {
  /** Whether the client states which version of a document an edit is for. */
  readonly hasVersions: boolean;
  diagnosticOf(placed: DocumentProblem): Diagnostic;
  /** A command for a finding, as this client can run it; undefined where it cannot. */
  commandOf(name: FindingCommand, title: string, id: FindingId): Command | undefined;
}

export type FindingCommand = keyof typeof clientCommands;

/** Actions for the findings in a range, from cached results: this analyses nothing. */
export function actionsFor(
  { range, context }: CodeActionParams,
  findings: readonly DocumentProblem[],
  sheet: Sheet,
  options: ActionOptions,
): CodeAction[] {
  const { only } = context;
  if (only && !only.some((it) => CodeActionKind.QuickFix.startsWith(it))) return [];
  return findings
    .filter(({ place }) => overlap(place.range, range))
    .flatMap((it) => actionsOf(it, sheet, options));
}

function actionsOf(
  placed: DocumentProblem,
  sheet: Sheet,
  options: ActionOptions,
): readonly CodeAction[] {
  const { problem, place } = placed;
  const { ruleId } = problem.finding;
  const id: FindingId = { uri: place.uri, fingerprint: problem.fingerprint };
  const base = { kind: CodeActionKind.QuickFix, diagnostics: [options.diagnosticOf(placed)] };
  const suggested = problem.suggestions.flatMap((suggestion): CodeAction[] => {
    const edit = editOf(suggestion.edits, sheet, options);
    // What changes timing, errors or load is chosen by name, never by a key for "the" fix.
    const isPreferred = suggestion.changes === 'nothing';
    return edit ? [{ ...base, title: suggestion.title, edit, isPreferred }] : [];
  });
  const commands = (
    [
      ['prove', `Prove ${ruleId} here`],
      ['explainRule', `Explain ${ruleId}`],
      ['copyFixPrompt', `Copy a prompt that fixes this`],
    ] as const
  ).flatMap(([name, title]): CodeAction[] => {
    const command = options.commandOf(name, title, id);
    return command ? [{ ...base, title, command }] : [];
  });
  const title = `Add this finding to the baseline`;
  const command = sheet.isOnDisk ? options.commandOf('addToBaseline', title, id) : undefined;
  return [
    ...suggested,
    ...commands,
    ...ignoring(placed, sheet, base, options),
    ...(command ? [{ ...base, title, command }] : []),
  ];
}

/** By a command that asks for the reason, where the client has one; else with a place for it. */
function ignoring(
  { problem, place }: DocumentProblem,
  sheet: Sheet,
  base: Pick<CodeAction, 'kind' | 'diagnostics'>,
  options: ActionOptions,
): readonly CodeAction[] {
  if (problem.switchOffAt === undefined) return [];
  const title = `Ignore ${problem.finding.ruleId} here, with a reason`;
  const id: FindingId = { uri: place.uri, fingerprint: problem.fingerprint };
  const command = options.commandOf('ignoreWithReason', title, id);
  if (command) return [{ ...base, title, command }];
  const edit = ignoringEdit(problem, sheet, 'TODO: state why', options);
  return edit ? [{ ...base, title, edit }] : [];
}

/** A line with a comment that disables the rule; undefined where it would be part of a string. */
export function ignoringEdit(
  problem: Problem,
  sheet: Sheet,
  reason: string,
  options: Pick<ActionOptions, 'hasVersions'>,
): WorkspaceEdit | undefined {
  const at = problem.switchOffAt;
  if (at === undefined) return undefined;
  const line = sheet.text().slice(at, problem.finding.range[0]);
  const indentation = /^[ \t]*/.exec(line)![0];
  const words = reason.replaceAll(/\s+/g, ' ').trim();
  const { ruleId, messageId } = problem.finding;
  // Where several findings start, the comment names one.
  const name = problem.names.exact.includes('#') ? `${ruleId}/${messageId}` : ruleId;
  const text = `${indentation}// deadtime-ignore-next-line ${name} -- ${words}\n`;
  return editOf([{ range: [at, at], text }], sheet, options);
}

/** Undefined where the edits are not all in one document: a suggestion does not cross the cells of a notebook. */
function editOf(
  edits: readonly { readonly range: readonly [number, number]; readonly text: string }[],
  sheet: Sheet,
  { hasVersions }: Pick<ActionOptions, 'hasVersions'>,
): WorkspaceEdit | undefined {
  const placed = edits.map(({ range, text }) => ({ place: placeOf(sheet, range), text }));
  const [first] = placed;
  const uri = first?.place?.uri;
  if (uri === undefined || placed.some((it) => it.place?.uri !== uri)) return undefined;
  const textEdits: TextEdit[] = placed.map(({ place, text }) => ({
    range: place!.range,
    newText: text,
  }));
  if (!hasVersions) return { changes: { [uri]: textEdits } };
  const { version } = sheet.parts.find(({ document }) => document.uri === uri)!.document;
  return { documentChanges: [{ textDocument: { uri, version }, edits: textEdits }] };
}

export function overlap(a: Range, b: Range): boolean {
  return isBefore(a.start, b.end) && isBefore(b.start, a.end);
}

function isBefore(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character <= b.character);
}
