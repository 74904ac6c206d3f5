import { ProgressLocation, Range, Uri, window, workspace } from 'vscode';
import { requests, type Review } from '../server/protocol.ts';
import type { Server } from './server.ts';

/** Lists what has come since the last commit, and opens what is chosen. */
export async function reviewChanges(server: Server): Promise<void> {
  const { findings, failures } = await window.withProgress(
    {
      location: ProgressLocation.Notification,
      title: 'Deadtime reviews the changes since the last commit',
      cancellable: true,
    },
    (_, token) => server.ask<Review>(requests.review, null, token),
  );
  for (const it of failures) void window.showWarningMessage(`Deadtime: ${it}`);
  if (findings.length === 0) {
    if (failures.length > 0) return;
    void window.showInformationMessage(
      'Deadtime: the changes since the last commit have no findings.',
    );
    return;
  }
  const chosen = await window.showQuickPick(
    findings.map((finding) => {
      const { uri, range, ruleId, message } = finding;
      const label = `${workspace.asRelativePath(Uri.parse(uri))}:${range.start.line + 1}`;
      return { label, description: ruleId, detail: message, finding };
    }),
    { title: 'Findings of the changes since the last commit', matchOnDetail: true },
  );
  if (!chosen) return;
  const { uri, range } = chosen.finding;
  const { start, end } = range;
  const selection = new Range(start.line, start.character, end.line, end.character);
  await window.showTextDocument(Uri.parse(uri), { selection });
}
