import {
  commands,
  Disposable,
  env,
  type ExtensionContext,
  type LogOutputChannel,
  ProgressLocation,
  type TextEditor,
  Uri,
  version,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import type { WorkspaceEdit } from 'vscode-languageclient/node';
import {
  type Analysis,
  type BaselineFile,
  clientCommands,
  type EditorFinding,
  type FindingId,
  requests,
  type ScanSummary,
  type TextResult,
} from '../server/protocol.ts';
import { installAgentHook } from './agent-hook.ts';
import type { Findings } from './findings.ts';
import { runAndMeasure } from './measure.ts';
import type { Proofs } from './proofs.ts';
import type { Report } from './report.ts';
import { reviewChanges } from './review.ts';
import { openRulePage } from './rule-pages.ts';
import type { Server } from './server.ts';
import { configurationOf, reasonsAt } from './texts.ts';

export function registerCommands(
  server: Server,
  findings: Findings,
  proofs: Proofs,
  report: Report,
  output: LogOutputChannel,
  context: ExtensionContext,
): Disposable {
  const inEditor =
    (run: (editor: TextEditor) => Promise<void>): (() => Promise<void>) =>
    async () => {
      const editor = window.activeTextEditor;
      if (editor) await run(editor);
      else void window.showInformationMessage('Open a file first.');
    };
  const atCursor = (run: (finding: EditorFinding) => Promise<void>) =>
    inEditor(async (editor) => {
      const finding = findings.at(editor);
      if (finding) await run(finding);
      else void window.showInformationMessage('There is no finding on this line.');
    });
  const all: Readonly<Record<string, (...parameters: never[]) => unknown>> = {
    'deadtime.proveHere': atCursor((finding) => proofs.prove([finding])),
    'deadtime.proveFile': inEditor(async ({ document }) => {
      await proofs.prove(findings.of(document.uri)?.findings ?? []);
    }),
    'deadtime.openReportHere': atCursor((finding) => report.open(finding)),
    'deadtime.checkFile': inEditor(async ({ document }) => {
      const uri = document.uri.toString();
      const analysis = await server.ask<Analysis | null>(requests.check, { uri });
      const count = analysis?.findings.length ?? 0;
      const found = count === 1 ? '1 finding' : `${count} findings`;
      const notices = analysis?.notices ?? ['Deadtime does not analyse the language of this file.'];
      void window.showInformationMessage([`Deadtime: ${found}.`, ...notices].join(' '));
    }),
    'deadtime.scanWorkspace': () => scanWorkspace(server),
    'deadtime.reviewChanges': () => reviewChanges(server),
    'deadtime.showConfiguration': inEditor(async ({ document }) => {
      await window.showTextDocument(configurationOf(document.uri));
    }),
    'deadtime.whyNothingHere': inEditor(async ({ document, selection }) => {
      const page = reasonsAt(document.uri, selection.active.line);
      await window.showTextDocument(page, { viewColumn: ViewColumn.Beside, preserveFocus: true });
    }),
    'deadtime.copyDiagnosticsReport': async () => {
      const { text } = await server.ask<TextResult>(requests.diagnosticsReport, null);
      const host = `VS Code ${version} (${env.appName}, ${env.remoteName ?? 'local'}), Node.js ${process.version}`;
      const trust = workspace.isTrusted ? 'trusted' : 'restricted';
      const head = `${host}, ${server.version}, workspace ${trust}`;
      await env.clipboard.writeText(`${head}\n${text}`);
      void window.showInformationMessage('The diagnostics report is in the clipboard.');
    },
    'deadtime.installAgentHook': () => installAgentHook(context),
    'deadtime.runAndMeasure': () => runAndMeasure(context),
    'deadtime.showOutput': () => output.show(true),
    'deadtime.restart': async () => {
      await server.stop();
      await server.start();
    },
    'deadtime.pause': () => server.stop(),
    'deadtime.resume': () => server.start(),
    [clientCommands.explainRule]: async ({ uri, fingerprint }: FindingId) => {
      const found = await server.ask<readonly EditorFinding[]>(requests.findings, { uri });
      const finding = found.find((it) => it.fingerprint === fingerprint);
      if (finding) await openRulePage(finding.ruleId);
    },
    [clientCommands.copyFixPrompt]: async (id: FindingId) => {
      const prompt = await server.ask<TextResult | null>(requests.fixPrompt, id);
      if (!prompt) return;
      await env.clipboard.writeText(prompt.text);
      void window.setStatusBarMessage('The prompt is in the clipboard.', 5_000);
    },
    [clientCommands.ignoreWithReason]: (id: FindingId) => ignoreWithReason(server, id),
    [clientCommands.addToBaseline]: (id: FindingId) => addToBaseline(server, id),
  };
  return Disposable.from(
    ...Object.entries(all).map(([name, run]) => commands.registerCommand(name, run)),
  );
}

async function scanWorkspace(server: Server): Promise<void> {
  const summary = await window.withProgress(
    {
      location: ProgressLocation.Notification,
      title: 'Deadtime scans the workspace',
      cancellable: true,
    },
    (_, token) => server.ask<ScanSummary>(requests.scanWorkspace, {}, token),
  );
  void window.showInformationMessage(`Deadtime: ${summary.text}`);
}

async function ignoreWithReason(server: Server, id: FindingId): Promise<void> {
  const reason = await window.showInputBox({
    title: 'Why is this no problem here?',
    prompt: 'The comment that disables the rule contains the reason.',
  });
  if (!reason) return;
  const edit = await server.ask<WorkspaceEdit | null>(requests.ignore, { ...id, reason });
  if (edit) await workspace.applyEdit(await server.editFrom(edit));
  else void window.showInformationMessage('A comment cannot go above this line.');
}

/** The server has the file's text; it writes nothing into a project. */
async function addToBaseline(server: Server, id: FindingId): Promise<void> {
  const reason = await window.showInputBox({
    title: 'Why does this finding stay?',
    prompt: 'deadtime.baseline.json contains the reason; check, review and the editor read it.',
  });
  if (!reason) return;
  const file = await server.ask<BaselineFile | null>(requests.baseline, { ...id, reason });
  if (file) await workspace.fs.writeFile(Uri.parse(file.uri), new TextEncoder().encode(file.text));
  else
    void window.showInformationMessage(
      'The finding no longer exists, or the baseline cannot be read.',
    );
}
