import {
  type CancellationToken,
  commands,
  type Disposable,
  ProgressLocation,
  Uri,
  window,
  workspace,
} from 'vscode';
import { clientCommands, type FindingId, type Proof, requests } from '../server/protocol.ts';
import type { Findings } from './findings.ts';
import { install } from './install.ts';
import { registerProofTests } from './proof-tests.ts';
import type { Report } from './report.ts';
import type { Server } from './server.ts';

/** Proofs of findings, whose lenses show the results. */
export interface Proofs extends Disposable {
  /** Runs one proof at a time; refuses in a workspace without trust. */
  prove(findings: readonly FindingId[]): Promise<void>;
}

export function registerProofs(server: Server, findings: Findings, report: Report): Proofs {
  const one = (id: FindingId, token: CancellationToken) => proofOf(server, id, token);
  const tests = registerProofTests(findings, { mayStart, one });
  const prove = async (ids: readonly FindingId[]) => {
    if (ids.length === 0 || !(await mayStart())) return;
    await (tests.isEnabled ? tests.run(ids) : inTurn(ids, one));
  };
  const subscriptions = [
    tests,
    commands.registerCommand(clientCommands.prove, (id: FindingId) => prove([id])),
    commands.registerCommand(clientCommands.cancelProof, (id: FindingId) =>
      server.ask(requests.cancelProof, id),
    ),
    commands.registerCommand(clientCommands.installNeeds, async (id: FindingId) => {
      const known = findings.of(Uri.parse(id.uri))?.findings ?? [];
      const finding = known.find((it) => it.fingerprint === id.fingerprint);
      if (finding && (await mayStart()) && (await install(server, finding))) await prove([id]);
    }),
    commands.registerCommand(clientCommands.openReport, (id: FindingId) => report.open(id)),
  ];
  return {
    prove,
    dispose() {
      for (const it of subscriptions) it.dispose();
    },
  };
}

/** The commands are hidden in a restricted workspace; a call by name gets this message. */
async function mayStart(): Promise<boolean> {
  if (workspace.isTrusted) return true;
  const manage = 'Manage Workspace Trust';
  const chosen = await window.showWarningMessage(
    'A proof starts programs, and this workspace is not trusted.',
    manage,
  );
  if (chosen === manage) await commands.executeCommand('workbench.trust.manage');
  return false;
}

async function proofOf(
  server: Server,
  { uri, fingerprint }: FindingId,
  token: CancellationToken,
): Promise<Proof> {
  const proof = await server.ask<Proof>(requests.prove, { uri, fingerprint }, token);
  if (proof.state === 'cannot-prove') void tellWhy(proof);
  return proof;
}

/** The lens of a single proof shows its progress and cancels it; several get a message for that. */
async function inTurn(
  ids: readonly FindingId[],
  one: (id: FindingId, token: CancellationToken) => Promise<Proof>,
): Promise<void> {
  const location = ids.length === 1 ? ProgressLocation.Window : ProgressLocation.Notification;
  await window.withProgress(
    { location, title: 'Deadtime measures', cancellable: ids.length > 1 },
    async (progress, token) => {
      for (const [i, id] of ids.entries()) {
        if (token.isCancellationRequested) return;
        if (ids.length > 1) {
          progress.report({ message: `${i + 1} of ${ids.length}`, increment: 100 / ids.length });
        }
        try {
          await one(id, token);
        } catch (error) {
          if (!token.isCancellationRequested) void window.showErrorMessage(String(error));
          return;
        }
      }
    },
  );
}

/** The same is offered by the lens, for later. */
async function tellWhy({ uri, fingerprint, summary, needs }: Proof): Promise<void> {
  const canInstall = needs.some((it) => it.command !== undefined);
  const offer = 'Install Missing Parts…';
  const chosen = await window.showWarningMessage(summary, ...(canInstall ? [offer] : []));
  if (chosen === offer) {
    await commands.executeCommand(clientCommands.installNeeds, { uri, fingerprint });
  }
}
