import { pathToFileURL } from 'node:url';
import {
  type CancellationToken,
  CancellationTokenSource,
  type Connection,
  type Diagnostic,
  ErrorCodes,
  LSPErrorCodes,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  type WorkDoneProgressReporter,
} from 'vscode-languageserver/node';
import { introductionOf } from '../src/report/rule-page.ts';
import { rules } from '../rules/index.ts';
import { plainMessage } from './plain-message.ts';
import {
  type FindingId,
  type InstallResult,
  notifications,
  type Proof,
  type ProofReport,
  type ProofSetup,
  type ProveParams,
  requests,
  type Review,
  type ScanSummary,
  serverCommands,
} from './protocol.ts';
import { reviewChanges } from './review.ts';
import type { Desk } from './desk.ts';
import { findingAt, folderOf, type Session } from './session.ts';
import { signalOf } from './signal-of.ts';

/** The commands of a client: proofs and scans. */
export function answerCommands(connection: Connection, desk: () => Desk | undefined): void {
  connection.onExecuteCommand(async ({ command, arguments: [argument] = [] }, token) => {
    const it = desk();
    if (!it) return null;
    const id = argument as FindingId;
    switch (command) {
      case serverCommands.prove:
        return proveAloud(it, id, token);
      case serverCommands.cancelProof:
        it.session.proofs.cancel(id.fingerprint);
        return null;
      case serverCommands.openReport:
        await openReport(it.session, id);
        return null;
      case serverCommands.explainRule:
        explain(it.session, id);
        return null;
      case serverCommands.scanWorkspace:
        return withProgress(it.session, 'Deadtime: scanning', token, (progress, cancel) =>
          scan(it, progress, cancel),
        );
      default:
        return null;
    }
  });
  answerProofs(connection, desk);
  answerScans(connection, desk);
  connection.onNotification(
    notifications.trustChanged,
    ({ isTrusted }: { readonly isTrusted: boolean }) => {
      const it = desk();
      if (!it) return;
      it.session.proofs.isTrusted = isTrusted;
      it.session.workspace.isTrusted = isTrusted;
      it.show();
      void it.reload();
    },
  );
}

function answerProofs(connection: Connection, desk: () => Desk | undefined): void {
  connection.onRequest(requests.prove, (params: ProveParams, token) =>
    proveIn(desk(), params, token),
  );
  connection.onRequest(requests.cancelProof, ({ fingerprint }: FindingId) => {
    desk()?.session.proofs.cancel(fingerprint);
    return null;
  });
  connection.onRequest(
    requests.install,
    async ({ fingerprint }: FindingId, token): Promise<InstallResult | null> =>
      (await desk()?.session.proofs.install(fingerprint, signalOf(token))) ?? null,
  );
  connection.onRequest(requests.proofReport, (id: FindingId): ProofReport | null => {
    return desk()?.session.proofs.reportOf(id) ?? null;
  });
  connection.onNotification(notifications.proofSetup, (setup: ProofSetup) => {
    const it = desk();
    if (it) it.session.proofs.setup = setup;
  });
}

function answerScans(connection: Connection, desk: () => Desk | undefined): void {
  connection.onRequest(
    requests.scanWorkspace,
    async (params: { readonly workDoneToken?: string | number } | null, token) => {
      const it = desk();
      if (!it) return null;
      const progress = connection.window.attachWorkDoneProgress(params?.workDoneToken);
      progress.begin('Deadtime: scanning', 0, undefined, true);
      try {
        return await scan(it, progress, token);
      } finally {
        progress.done();
      }
    },
  );
  connection.onRequest(requests.review, async (_: null, token): Promise<Review | null> => {
    const it = desk();
    return it ? reviewChanges(it.session, signalOf(token)) : null;
  });
  connection.languages.diagnostics.onWorkspace(async (params, token, progress, partial) => {
    const it = desk();
    const items = new Map<string, WorkspaceItem>();
    if (!it) return { items: [] };
    progress.begin('Deadtime: scanning', 0, undefined, true);
    const { isCancelled, failure } = await it.scan.run({
      token,
      isPushed: false,
      onProgress: (percentage, message) => progress.report(percentage, message),
      onFound(files) {
        const found = files.map((file) => itemOf(it.session, file));
        if (partial && found.length > 0) partial.report({ items: found });
        for (const one of found) items.set(one.uri, one);
      },
    });
    progress.done();
    if (isCancelled) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
    // Those that are not among the items may have findings.
    if (failure !== undefined) throw new ResponseError(ErrorCodes.InternalError, failure);
    // Those that the client still shows and that have none any more.
    const gone = params.previousResultIds
      .filter(({ uri }) => !items.has(uri))
      .map(({ uri }) => itemOf(it.session, { uri, diagnostics: [] }));
    return { items: [...(partial ? [] : items.values()), ...gone] };
  });
}

type WorkspaceItem = ReturnType<typeof itemOf>;

function itemOf(
  { sheets }: Session,
  { uri, diagnostics: items }: { readonly uri: string; readonly diagnostics: Diagnostic[] },
) {
  const document = sheets.get(uri)?.parts.find((it) => it.document.uri === uri)?.document;
  return { kind: 'full' as const, uri, version: document?.version ?? null, items };
}

/** Proves a finding of an open document; returns the reason where it cannot. */
export async function proveIn(
  desk: Desk | undefined,
  { maxSeconds, ...id }: ProveParams,
  token: CancellationToken,
): Promise<Proof> {
  const found = desk && findingAt(desk.session, id);
  if (!desk || !found) {
    const summary = 'The finding no longer exists: the code has changed.';
    return { ...id, state: 'cannot-prove', summary, needs: [] };
  }
  const { problem, sheet } = found;
  const { workspace, proofs } = desk.session;
  const settings = workspace.settingsAt(sheet.path);
  return proofs.prove(
    {
      ...{ id: { uri: id.uri, fingerprint: id.fingerprint }, problem, sheet, settings },
      folder: folderOf(desk.session, sheet),
      hasTypes: workspace.hasTypesAt(sheet.path),
      trustsConfiguration: workspace.trustsConfigurationAt(sheet.path),
      maxSeconds: maxSeconds ?? proofs.secondsFor(id.fingerprint, settings.maxSeconds),
    },
    signalOf(token),
  );
}

/** For clients without words of their own: with progress, and the result as a message. */
async function proveAloud(desk: Desk, id: FindingId, token: CancellationToken): Promise<Proof> {
  const { session } = desk;
  const proof = await withProgress(session, 'Deadtime: measuring', token, (_, cancel) =>
    proveIn(desk, id, cancel),
  );
  const needs = proof.needs.map(({ what, command }) => (command ? `${what}: ${command}` : what));
  show(session, [proof.summary, ...needs].join(' '));
  return proof;
}

function scan(
  { scan: workspaceScan }: Desk,
  progress: WorkDoneProgressReporter,
  token: CancellationToken,
): Promise<ScanSummary> {
  return workspaceScan.run({
    token,
    isPushed: true,
    onProgress: (percentage, message) => progress.report(percentage, message),
    onFound() {},
  });
}

/** With a place where a person sees it and can cancel, where the client has one; cancelling the request does so, too. */
async function withProgress<T>(
  { connection, client }: Session,
  title: string,
  token: CancellationToken,
  work: (progress: WorkDoneProgressReporter, token: CancellationToken) => Promise<T>,
): Promise<T> {
  if (!client.hasProgress) return work(connection.window.attachWorkDoneProgress(undefined), token);
  const progress = await connection.window.createWorkDoneProgress();
  const either = new CancellationTokenSource();
  const cancelling = [token, progress.token].map((it) =>
    it.onCancellationRequested(() => either.cancel()),
  );
  progress.begin(title, 0, undefined, true);
  try {
    return await work(progress, either.token);
  } finally {
    for (const it of cancelling) it.dispose();
    progress.done();
  }
}

/** In the editor or a browser: the page is a file that needs neither network nor scripts. */
async function openReport(session: Session, id: FindingId): Promise<void> {
  const path = session.proofs.reportPathOf(id);
  if (path === undefined) return show(session, 'There is no report: nothing has been measured.');
  const uri = pathToFileURL(path).href;
  if (!session.client.hasShowDocument) return show(session, `The report is ${path}`);
  await session.connection.window.showDocument({ uri, external: true });
}

function explain(session: Session, id: FindingId): void {
  const found = findingAt(session, id);
  const rule = rules.find((it) => it.id === found?.problem.finding.ruleId);
  if (!rule) return;
  const why = introductionOf(session.environment.pageOf(rule.id) ?? '');
  show(session, `${rule.id}: ${rule.description}. ${why.replaceAll(/\s+/g, ' ')}`);
}

function show({ connection }: Session, message: string): void {
  const type = MessageType.Info;
  void connection.sendNotification(ShowMessageNotification.type, {
    type,
    message: plainMessage(message),
  });
}
