import {
  type Disposable,
  languages as vscodeLanguages,
  LanguageStatusSeverity,
  window,
} from 'vscode';
import type { Analysis, EditorFinding } from '../server/protocol.ts';
import type { Findings } from './findings.ts';
import { languages } from './client.ts';
import type { Server } from './server.ts';

/** The findings in the active file, and how long its analysis took. */
export function registerStatus(server: Server, findings: Findings): Disposable {
  const item = vscodeLanguages.createLanguageStatusItem('deadtime.findings', languages);
  item.name = 'Deadtime';
  item.severity = LanguageStatusSeverity.Information;
  const show = () => {
    const uri = window.activeTextEditor?.document.uri;
    const analysis = uri && findings.of(uri);
    item.busy = analysis?.findings.some((it) => it.state === 'measuring') ?? false;
    item.command = { command: 'deadtime.showOutput', title: 'Output' };
    if (!server.isRunning) {
      item.text = 'Deadtime is paused';
      item.detail = '';
      item.command = { command: 'deadtime.resume', title: 'Resume' };
      return;
    }
    item.text = `Deadtime: ${analysis ? counted(analysis.findings) : 'not analysed'}`;
    const details = analysis
      ? [
          ...baselinedIn(analysis),
          ...measuredIn(analysis),
          `${timeOf(analysis)} ms`,
          ...analysis.notices,
        ]
      : [];
    item.detail = [...details, server.version].join(', ');
  };
  show();
  const subscriptions = [
    item,
    findings.onChanged(show),
    server.onStateChanged(show),
    window.onDidChangeActiveTextEditor(show),
  ];
  return {
    dispose() {
      for (const it of subscriptions) it.dispose();
    },
  };
}

function counted(findings: readonly EditorFinding[]): string {
  const proven = findings.filter((it) => it.state === 'proven').length;
  const found = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  return proven === 0 ? found : `${found}, ${proven} proven`;
}

function baselinedIn({ baselined = 0 }: Analysis): readonly string[] {
  return baselined > 0 ? [`${baselined} more in the baseline`] : [];
}

function measuredIn({ findings }: Analysis): readonly string[] {
  return findings.some((it) => it.isStale)
    ? ['measured costs are stale: run deadtime run again']
    : [];
}

function timeOf({ milliseconds }: { readonly milliseconds: number }): number {
  return Math.max(1, Math.round(milliseconds));
}
