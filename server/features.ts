import { basename } from 'node:path';
import {
  type CancellationToken,
  type Connection,
  LSPErrorCodes,
  MessageType,
  ResponseError,
  ShowMessageNotification,
} from 'vscode-languageserver/node';
import { fixPrompt } from '../report/fix-prompt.ts';
import { shownPath } from '../report/path.ts';
import { rules } from '../rules/index.ts';
import { type ActionOptions, actionsFor, ignoringEdit } from './actions.ts';
import type { Sheet } from './documents.ts';
import { hoverAt, proofOf } from './hover.ts';
import {
  type Analysis,
  type DocumentId,
  type FindingId,
  type IgnoreParams,
  requests,
  serverCommands,
  type TextResult,
} from './protocol.ts';
import type { Desk } from './serve.ts';
import {
  commandFor,
  diagnosticOptions,
  findingAt,
  findingsOf,
  knownFindingsOf,
  linkOf,
  type Session,
} from './session.ts';
import { toDiagnostic, toFinding } from './to-lsp.ts';

/** What a client asks for about the text under its cursor. `desk` is there once the client has introduced itself. */
export function answerFeatures(connection: Connection, desk: () => Desk | undefined): void {
  const session = () => desk()?.session;

  connection.languages.diagnostics.on(async (params, token) => {
    const { textDocument, previousResultId } = params;
    const report = await desk()!.diagnostics.report(textDocument.uri, previousResultId, token);
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

  connection.onExecuteCommand(({ command, arguments: [id] = [] }) => {
    const it = session();
    if (it && command === serverCommands.explainRule) explain(it, id as FindingId);
    return null;
  });

  connection.onRequest(requests.check, async ({ uri }: DocumentId): Promise<Analysis | null> => {
    const it = session();
    const sheet = it?.sheets.get(uri);
    if (!it || !sheet) return null;
    it.analyses.outdate(sheet);
    const findings = await findingsOf(it, sheet);
    desk()?.show();
    const { notices = [], milliseconds = 0 } = it.analyses.known(sheet)?.analysis ?? {};
    const { version } = sheet.parts.find(({ document }) => document.uri === uri)?.document ?? {
      version: sheet.revision,
    };
    const own = (findings ?? []).map((placed) => toFinding(placed, diagnosticOptions(it)));
    return { uri, version, milliseconds, findings: own, notices };
  });
  connection.onRequest(requests.findings, async ({ uri }: DocumentId, token) => {
    const found = await findingsIn(session(), uri, token);
    if (!found) return [];
    return found.findings.map((it) => toFinding(it, diagnosticOptions(found.session)));
  });
  connection.onRequest(requests.fixPrompt, (id: FindingId): TextResult | null => {
    const it = session();
    return it ? promptFor(it, id) : null;
  });
  connection.onRequest(requests.ignore, ({ reason, ...id }: IgnoreParams) => {
    const it = session();
    const found = it && findingAt(it, id);
    if (!found) return null;
    const options = { hasVersions: it.client.hasVersionedEdits };
    return ignoringEdit(found.problem, found.sheet, reason, options) ?? null;
  });
  connection.onRequest(requests.rulePage, ({ ruleId }: { ruleId: string }): TextResult | null => {
    // By a name that is known: a page is a file.
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
    folder: folderOf(session, sheet),
    pageOf: (ruleId: string) => session.environment.pageOf(ruleId),
    linkOf: (ruleId: string) => linkOf(session, ruleId),
    measuredOf: () => undefined,
  };
}

export function folderOf({ workspace }: Session, { path }: Pick<Sheet, 'path'>): string {
  return workspace.folderAt(path) ?? workspace.main;
}

function actionOptions(session: Session, sheet: Sheet): ActionOptions {
  return {
    hasVersions: session.client.hasVersionedEdits,
    diagnosticOf: (it) => toDiagnostic(it, sheet, diagnosticOptions(session)),
    commandOf: (name, title, id) =>
      name === 'prove' ? undefined : commandFor(session, name, title, id),
  };
}

function explain(session: Session, id: FindingId): void {
  const found = findingAt(session, id);
  if (!found) return;
  const rule = rules.find((it) => it.id === found.problem.finding.ruleId);
  const page = session.environment.pageOf(rule?.id ?? '') ?? '';
  const [, text = ''] = page.split(/<!-- end of the generated part -->\s*/);
  const [why = ''] = text.split('\n## ');
  const message = `${rule?.id}: ${rule?.description}. ${why.trim().replaceAll(/\s+/g, ' ')}`;
  void session.connection.sendNotification(ShowMessageNotification.type, {
    type: MessageType.Info,
    message,
  });
}

function promptFor(session: Session, id: FindingId): TextResult | null {
  const found = findingAt(session, id);
  if (!found) return null;
  const { problem, sheet } = found;
  const folder = folderOf(session, sheet);
  const file = sheet.isOnDisk ? shownPath(problem.path, folder) : basename(sheet.path);
  const page = session.environment.pageOf(problem.finding.ruleId);
  const proof = proofOf(problem, sheet, folder);
  return { text: fixPrompt({ problem, file, proof, measured: undefined, page }) };
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
    timings?.kind === 'text' ? timings.text : '',
  ].join('\n');
}

function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled by the client');
}
