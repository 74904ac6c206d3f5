import { basename, join } from 'node:path';
import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver/node';
import { fixPrompt } from '../src/report/fix-prompt.ts';
import { shownPath } from '../src/report/path.ts';
import { rules } from '../rules/index.ts';
import { baselineIn, baselineName, baselineText, entryFor } from '../src/scan/baseline.ts';
import type { Problem } from '../src/scan/problem.ts';
import { rootAround } from '../src/scan/repository.ts';
import {
  type ActionOptions,
  actionsFor,
  type FindingCommand,
  ignoringEdit,
  overlap,
} from './actions.ts';
import { endOfLine, type Sheet } from './documents.ts';
import { hoverAt, proofOf } from './hover.ts';
import { hintsFor, lensesFor } from './lenses.ts';
import {
  type Analysis,
  type BaselineFile,
  type DocumentId,
  type FindingId,
  type IgnoreParams,
  type LineId,
  requests,
  type TextResult,
} from './protocol.ts';
import type { Desk } from './desk.ts';
import {
  commandFor,
  diagnosticOptions,
  findingAt,
  findingsOf,
  folderOf,
  knownFindingsOf,
  linkOf,
  type Session,
  standingOf,
} from './session.ts';
import { signalOf } from './signal-of.ts';
import { toDiagnostic, toFinding } from './to-lsp.ts';
import { whyAt } from './why.ts';

/** Requests of a client about the text under its cursor. `desk` exists once the client has sent initialize. */
export function answerFeatures(connection: Connection, desk: () => Desk | undefined): void {
  const session = () => desk()?.session;
  answerFindings(connection, desk);
  answerEdits(connection, session);
  answerTexts(connection, desk);

  connection.languages.diagnostics.on(async (params, token) => {
    const { textDocument, previousResultId } = params;
    const it = desk();
    if (!it) throw new ResponseError(ErrorCodes.ServerNotInitialized, 'Send initialize first.');
    const report = await it.diagnostics.report(textDocument.uri, previousResultId, token);
    if (token.isCancellationRequested) throw cancelled();
    return report;
  });

  connection.onHover(async ({ textDocument: { uri }, position }, token) => {
    const found = await findingsIn(session(), uri, token);
    return found && hoverAt(position, found.findings, found.sheet, hoverOptions(found));
  });

  connection.onCodeAction((params) => {
    const it = session();
    const sheet = it?.sheets.get(params.textDocument.uri);
    if (!it || !sheet) return [];
    const own = knownFindingsOf(it, sheet).filter(
      ({ place }) => place.uri === params.textDocument.uri,
    );
    return actionsFor(params, own, sheet, actionOptions(it, sheet));
  });

  connection.onCodeLens(async ({ textDocument: { uri } }, token) => {
    const found = await findingsIn(session(), uri, token);
    const { hasLenses = false, maxSeconds = 0 } = found
      ? found.session.workspace.settingsAt(found.sheet.path)
      : {};
    if (!found || !hasLenses) return [];
    return lensesFor(found.findings, { ...lensOptions(found.session), maxSeconds });
  });

  connection.languages.inlayHint.on(async ({ textDocument: { uri }, range }, token) => {
    const found = await findingsIn(session(), uri, token);
    if (!found?.session.workspace.settingsAt(found.sheet.path).hasInlayHints) return [];
    const shown = found.findings.filter(({ place }) => overlap(place.range, range));
    return hintsFor(shown, {
      ...lensOptions(found.session),
      endOfLine: (place) => endOfLine(found.sheet, place),
    });
  });
}

/** The findings as the editor's own views show them. */
function answerFindings(connection: Connection, desk: () => Desk | undefined): void {
  const session = () => desk()?.session;
  connection.onRequest(requests.check, async ({ uri }: DocumentId): Promise<Analysis | null> => {
    const it = session();
    const sheet = it?.sheets.get(uri);
    if (!it || !sheet) return null;
    it.analyses.outdate(sheet);
    const findings = await findingsOf(it, sheet);
    desk()?.show();
    const {
      baselined = 0,
      notices = [],
      milliseconds = 0,
    } = it.analyses.known(sheet)?.analysis ?? {};
    const { version } = sheet.parts.find(({ document }) => document.uri === uri)?.document ?? {
      version: sheet.revision,
    };
    const own = (findings ?? []).map((placed) => toFinding(placed, diagnosticOptions(it)));
    return { uri, version, milliseconds, findings: own, baselined, notices };
  });
  connection.onRequest(requests.findings, async ({ uri }: DocumentId, token) => {
    const found = await findingsIn(session(), uri, token);
    if (!found) return [];
    return found.findings.map((it) => toFinding(it, diagnosticOptions(found.session)));
  });
}

/** What is written for a finding that stays. */
function answerEdits(connection: Connection, session: () => Session | undefined): void {
  connection.onRequest(requests.ignore, ({ reason, ...id }: IgnoreParams) => {
    const it = session();
    const found = it && findingAt(it, id);
    if (!found) return null;
    const options = { hasVersions: it.client.hasVersionedEdits };
    return ignoringEdit(found.problem, found.sheet, reason, options) ?? null;
  });
  connection.onRequest(
    requests.baseline,
    ({ reason, ...id }: IgnoreParams): BaselineFile | null => {
      const it = session();
      const found = it && findingAt(it, id);
      return found?.sheet.isOnDisk ? baselineWith(it!, found.problem, reason) : null;
    },
  );
}

function answerTexts(connection: Connection, desk: () => Desk | undefined): void {
  const session = () => desk()?.session;
  connection.onRequest(requests.fixPrompt, (id: FindingId): TextResult | null => {
    const it = session();
    return it ? promptFor(it, id) : null;
  });
  connection.onRequest(requests.rulePage, ({ ruleId }: { ruleId: string }): TextResult | null => {
    // By the name of a rule: a page is a file.
    const rule = rules.find(({ id }) => id === ruleId);
    const text = rule && session()?.environment.pageOf(rule.id);
    return text === undefined ? null : { text };
  });
  connection.onRequest(requests.configuration, async ({ uri }: DocumentId) => {
    const it = session();
    const path = it?.sheets.get(uri)?.path;
    const answer =
      path === undefined
        ? undefined
        : await it?.analyses.ask({ kind: 'configuration', path }).answer;
    return { text: answer?.kind === 'text' ? answer.text : '' } satisfies TextResult;
  });
  connection.onRequest(requests.why, async (id: LineId, token) => {
    const it = session();
    return it ? whyAt(it, id, signalOf(token)) : null;
  });
  connection.onRequest(requests.diagnosticsReport, async (): Promise<TextResult> => {
    const it = desk();
    return { text: it ? await reportOf(it) : '' };
  });
}

/** Findings in one document, which may be a cell of a sheet. */
async function findingsIn(session: Session | undefined, uri: string, token: CancellationToken) {
  const sheet = session?.sheets.get(uri);
  const all = session && sheet && (await findingsOf(session, sheet, token));
  if (!all) return undefined;
  return { session, sheet, findings: all.filter(({ place }) => place.uri === uri) };
}

function hoverOptions({ session, sheet }: { session: Session; sheet: Sheet }) {
  return {
    hasMarkdown: session.client.hasMarkdown,
    isMessageShown: session.client.isMessageShown,
    folder: folderOf(session, sheet),
    pageOf: (ruleId: string) => session.environment.pageOf(ruleId),
    linkOf: (ruleId: string) => linkOf(session, ruleId),
    measuredOf: (problem: Problem) => session.proofs.measuredOf(problem),
  };
}

function lensOptions(session: Session) {
  return {
    standingOf: (problem: Problem) => standingOf(session, problem),
    commandOf: (name: FindingCommand, title: string, id: FindingId) =>
      commandFor(session, name, title, id),
  };
}

function actionOptions(session: Session, sheet: Sheet): ActionOptions {
  return {
    hasVersions: session.client.hasVersionedEdits,
    diagnosticOf: (it) => toDiagnostic(it, sheet, diagnosticOptions(session)),
    commandOf: (name, title, id) => commandFor(session, name, title, id),
  };
}

/** Null where the existing file is no baseline: the analysis has reported that. */
function baselineWith(session: Session, problem: Problem, reason: string): BaselineFile | null {
  const root = rootAround(folderOf(session, problem));
  const date = new Date().toISOString().slice(0, 10);
  try {
    const text = baselineText([...baselineIn(root), entryFor(problem, { root, reason, date })]);
    return { uri: session.sheets.uriOf(join(root, baselineName)), text };
  } catch {
    return null;
  }
}

function promptFor(session: Session, id: FindingId): TextResult | null {
  const found = findingAt(session, id);
  if (!found) return null;
  const { problem, sheet } = found;
  const folder = folderOf(session, sheet);
  const file = sheet.isOnDisk ? shownPath(problem.path, folder) : basename(sheet.path);
  const page = session.environment.pageOf(problem.finding.ruleId);
  const proof = proofOf(problem, sheet, folder);
  return {
    text: fixPrompt({ problem, file, proof, measured: session.proofs.measuredOf(problem), page }),
  };
}

async function reportOf({ session, failures }: Desk): Promise<string> {
  const { environment, sheets, analyses } = session;
  const timings = await analyses.ask({ kind: 'timings' }).answer;
  const { rss, heapUsed } = process.memoryUsage();
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
  return [
    `deadtime ${environment.version}, Node.js ${process.version}, ${process.platform} ${process.arch}`,
    `${sheets.all().length} open documents, ${megabytes(rss)} resident, ${megabytes(heapUsed)} in the heap of the protocol`,
    `the analysis has ended ${failures.count} times${failures.last === undefined ? '' : `, the last time for this:\n${failures.last}`}`,
    'time by stage since the start:',
    timings.kind === 'text' ? timings.text : '',
  ].join('\n');
}

function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled by the client');
}
