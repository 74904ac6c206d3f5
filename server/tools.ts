import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import { agentReport } from '../src/report/agent.ts';
import { explanationOfFinding, explanationText } from '../src/report/explanation.ts';
import { disk } from '../src/project/files.ts';
import { contains } from '../src/project/tree.ts';
import { waitsOf, withChanged } from '../src/report/measured-waits.ts';
import { byCost } from '../src/report/order.ts';
import { changedSinceRun } from '../src/scan/changed-since-run.ts';
import { noRecording, recordingName } from '../src/scan/recording-file.ts';
import { proveIn } from './commands.ts';
import { estimateFor } from './hover.ts';
import { requests, type TextResult, type ToolParams, type ToolPlace } from './protocol.ts';
import type { Desk } from './desk.ts';
import { findingsOf, folderOf, type Session } from './session.ts';
import type { DocumentProblem } from './to-lsp.ts';

/** The most findings that one answer has room for. */
const MOST = 20;

/** Answers coding agents in an editor as `deadtime mcp` does elsewhere, from the texts as they are, saved or not. */
export function answerTools(connection: Connection, desk: () => Desk | undefined): void {
  connection.onRequest(requests.tool, async (params: ToolParams, token): Promise<TextResult> => {
    const it = desk();
    return { text: it ? await answerTo(params, it, token) : 'The server has not started.' };
  });
}

async function answerTo(params: ToolParams, desk: Desk, token: CancellationToken): Promise<string> {
  const { session } = desk;
  switch (params.tool) {
    case 'check_code': {
      const found = await Promise.all(params.uris.map((uri) => findingsAt(session, uri, token)));
      return listOf(found.flat(), session);
    }
    case 'explain_finding': {
      const found = await findingOn(params, session, token);
      return found ? explanationFor(found, session) : nothing(params.line);
    }
    case 'measured_waits':
      return waitsIn(session);
    case 'prove_finding': {
      const found = await findingOn(params, session, token);
      if (!found) return nothing(params.line);
      const { uri, maxSeconds } = params;
      const { fingerprint } = found.problem;
      const limit = maxSeconds === undefined ? {} : { maxSeconds };
      const proof = await proveIn(desk, { uri, fingerprint, ...limit }, token);
      const needs = proof.needs.map(({ what, command }) =>
        command ? `${what}: ${command}` : what,
      );
      const again = proof.command === undefined ? [] : [`Repeat: ${proof.command}`];
      return [proof.summary, ...needs, ...again].join('\n');
    }
  }
}

/** Of the first folder: an agent does not name one. */
function waitsIn({ recordings, sheets, workspace }: Session): string {
  const folder = workspace.main;
  const found = recordings.in(folder);
  if (!found) return noRecording;
  if ('mistake' in found) return found.mistake;
  const { text, files } = waitsOf(found.recording, recordingName);
  const textOf = (path: string) =>
    contains(folder, path) ? (sheets.at(path)?.text() ?? disk.read(path)) : undefined;
  return withChanged(text, changedSinceRun(files, found.recording, { folder, textOf }));
}

function nothing(line: number): string {
  return `There is no finding on line ${line}: check_code lists them.`;
}

async function findingsAt(
  session: Session,
  uri: string,
  token: CancellationToken,
): Promise<readonly DocumentProblem[]> {
  const sheet = session.sheets.get(uri);
  const found = sheet && (await findingsOf(session, sheet, token));
  return (found ?? []).filter(({ place }) => place.uri === uri);
}

/** The costliest finding at the place. */
async function findingOn(
  { uri, line, column, ordinal }: ToolPlace,
  session: Session,
  token: CancellationToken,
): Promise<DocumentProblem | undefined> {
  const found = await findingsAt(session, uri, token);
  const starting = found.filter(
    ({ problem, place: { range } }) =>
      range.start.line + 1 === line &&
      (column === undefined || range.start.character + 1 === column) &&
      (ordinal === undefined || problem.names.exact.endsWith(`#${ordinal}`)),
  );
  const around = found.filter(
    ({ place: { range } }) => range.start.line < line && line <= range.end.line + 1,
  );
  const meant = starting.length > 0 || ordinal !== undefined ? starting : around;
  return meant.toSorted((a, b) => byCost(a.problem, b.problem))[0];
}

function listOf(found: readonly DocumentProblem[], session: Session): string {
  const problems = found.map(({ problem, place }) => {
    const { line, character } = place.range.start;
    return { ...problem, start: { line: line + 1, column: character + 1 } };
  });
  const worst = problems.toSorted(byCost).slice(0, MOST);
  const left = found.length - worst.length;
  const list = agentReport({ problems: worst }, { cwd: session.workspace.main }).trim();
  return left > 0 ? `${list}\n${left} more are omitted.` : list;
}

async function explanationFor(
  { problem, place }: DocumentProblem,
  session: Session,
): Promise<string> {
  const explanation = explanationOfFinding({
    problem,
    estimate: await estimateFor(problem),
    page: session.environment.pageOf(problem.finding.ruleId) ?? '',
    cwd: folderAround(place.uri, session),
  });
  return explanationText(explanation, { hasColors: false }).trim();
}

function folderAround(uri: string, session: Session): string {
  const sheet = session.sheets.get(uri);
  return sheet ? folderOf(session, sheet) : session.workspace.main;
}
