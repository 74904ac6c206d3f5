import { type Disposable, ViewColumn, type WebviewPanel, window } from 'vscode';
import { type FindingId, type ProofReport, requests } from '../server/protocol.ts';
import type { Server } from './server.ts';

/** The proof of one finding as a page, next to the code. */
export interface Report extends Disposable {
  open(finding: FindingId): Promise<void>;
}

export function registerReport(server: Server): Report {
  let panel: WebviewPanel | undefined;
  return {
    async open({ uri, fingerprint }) {
      const report = await server.ask<ProofReport | null>(requests.proofReport, {
        uri,
        fingerprint,
      });
      if (!report) {
        void window.showInformationMessage('Nothing has been measured for this finding yet.');
        return;
      }
      panel ??= newPanel(() => (panel = undefined));
      panel.title = report.title;
      panel.webview.html = themed(report.html);
      panel.reveal(undefined, true);
    },
    dispose: () => panel?.dispose(),
  };
}

/** No scripts and no files: the page is text, styles and drawings, and its own policy forbids the rest. */
function newPanel(closed: () => void): WebviewPanel {
  const panel = window.createWebviewPanel(
    'deadtime.report',
    'Deadtime',
    { viewColumn: ViewColumn.Beside, preserveFocus: true },
    { enableScripts: false, enableForms: false, localResourceRoots: [], enableFindWidget: true },
  );
  panel.onDidDispose(closed);
  return panel;
}

/** The page's own colours are for a browser. */
const theme = `
:root {
  --ink: var(--vscode-editor-foreground);
  --paper: var(--vscode-editor-background);
  --soft: var(--vscode-descriptionForeground);
  --line: var(--vscode-panel-border);
  --flagged: var(--vscode-charts-orange);
  --mended: var(--vscode-charts-blue);
  --dead: var(--vscode-charts-red);
  --call: var(--vscode-charts-lines);
  --well: var(--vscode-textCodeBlock-background);
}`;

function themed(page: string): string {
  return page.replace('</head>', `<style>${theme}</style></head>`);
}
