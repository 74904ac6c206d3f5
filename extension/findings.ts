import {
  commands,
  type Disposable,
  EventEmitter,
  type Event,
  type TextEditor,
  Uri,
  workspace,
} from 'vscode';
import type { Analysis, EditorFinding } from '../server/protocol.ts';
import type { Server } from './server.ts';

/** The last findings that the server sent for each document. */
export interface Findings extends Disposable {
  readonly onChanged: Event<Uri>;
  of(uri: Uri): Analysis | undefined;
  /** The finding under the cursor, or else on its line. */
  at(editor: TextEditor): EditorFinding | undefined;
  /** Waits until `uri` has been analysed with something found. */
  first(uri: Uri): Promise<readonly EditorFinding[]>;
}

export function registerFindings(server: Server): Findings {
  const analyses = new Map<string, Analysis>();
  const changed = new EventEmitter<Uri>();
  const change = async (uri: string, analysis: Analysis) => {
    analyses.set(key(Uri.parse(uri)), analysis);
    changed.fire(Uri.parse(uri));
    const found = [...analyses.values()].some((it) => it.findings.length > 0);
    await commands.executeCommand('setContext', 'deadtime.hasFindings', found);
  };
  const subscriptions = [
    changed,
    server.onAnalysed((analysis) => change(analysis.uri, analysis)),
    server.onProofChanged(async ({ uri, fingerprint, state, summary, needs }) => {
      const analysis = analyses.get(key(Uri.parse(uri)));
      if (!analysis) return;
      const findings = analysis.findings.map((it) =>
        it.fingerprint === fingerprint ? { ...it, state, summary, needs } : it,
      );
      await change(uri, { ...analysis, findings });
      if (state === 'proven' || state === 'not-reproduced') {
        await commands.executeCommand('setContext', 'deadtime.hasProof', true);
      }
    }),
    // A proof needs the text of an open document.
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (analyses.delete(key(uri))) changed.fire(uri);
    }),
    server.onStateChanged(() => {
      if (server.isRunning) return;
      const known = [...analyses.keys()];
      analyses.clear();
      for (const uri of known) changed.fire(Uri.parse(uri));
    }),
  ];
  const of = (uri: Uri) => analyses.get(key(uri));
  return {
    onChanged: changed.event,
    of,
    at({ document, selection }) {
      const found = of(document.uri)?.findings ?? [];
      const { line, character } = selection.active;
      return (
        found.find(
          ({ range: { start, end } }) =>
            start.line === line &&
            end.line === line &&
            start.character <= character &&
            character <= end.character,
        ) ?? found.find(({ range }) => range.start.line <= line && line <= range.end.line)
      );
    },
    first(uri) {
      const known = of(uri)?.findings ?? [];
      if (known.length > 0) return Promise.resolve(known);
      return new Promise((resolve) => {
        const subscription = changed.event(() => {
          const found = of(uri)?.findings ?? [];
          if (found.length === 0) return;
          subscription.dispose();
          resolve(found);
        });
      });
    },
    dispose() {
      for (const it of subscriptions) it.dispose();
    },
  };
}

/** As VS Code writes it; the server may escape other characters. */
function key(uri: Uri): string {
  return uri.toString();
}
