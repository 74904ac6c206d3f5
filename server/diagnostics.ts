import {
  type CancellationToken,
  type Diagnostic,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
} from 'vscode-languageserver/node';
import type { Sheet } from './documents.ts';
import { diagnosticOptions, type Session } from './session.ts';
import { placed, toDiagnostic } from './to-lsp.ts';

/** The diagnostics of open documents, asked for by a client or pushed to it. */
export interface Diagnostics {
  report(
    uri: string,
    previousResultId: string | undefined,
    token: CancellationToken,
  ): Promise<DocumentDiagnosticReport>;
  /** Sends those of the present text, once however often it is called meanwhile. */
  push(sheet: Sheet): void;
  /** Clears the diagnostics of a closed document. */
  clear(sheet: Sheet): void;
}

interface Made {
  readonly id: string;
  readonly byUri: ReadonlyMap<string, Diagnostic[]>;
}

export function diagnosticsOf(session: Session): Diagnostics {
  const made = new WeakMap<Sheet, Made>();
  const pushing = new Set<Sheet>();

  return {
    async report(uri, previousResultId, token) {
      const sheet = session.sheets.get(uri);
      const it = sheet && (await freshOf(sheet, token));
      if (!it) return { kind: DocumentDiagnosticReportKind.Full, items: [] };
      const { id: resultId, byUri } = it;
      if (resultId === previousResultId) {
        return { kind: DocumentDiagnosticReportKind.Unchanged, resultId };
      }
      return { kind: DocumentDiagnosticReportKind.Full, resultId, items: byUri.get(uri) ?? [] };
    },
    push(sheet) {
      if (pushing.has(sheet)) return;
      pushing.add(sheet);
      void freshOf(sheet).then((it) => {
        pushing.delete(sheet);
        if (!it || session.sheets.at(sheet.path) !== sheet) return;
        for (const { document } of sheet.parts) {
          const { uri, version } = document;
          const diagnostics = it.byUri.get(uri) ?? [];
          void session.connection.sendDiagnostics({ uri, version, diagnostics });
        }
      });
    },
    clear(sheet) {
      for (const { document } of sheet.parts) {
        void session.connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
      }
    },
  };

  async function freshOf(sheet: Sheet, token?: CancellationToken): Promise<Made | undefined> {
    const known = await session.analyses.fresh(sheet, token);
    const last = made.get(sheet);
    if (!known) return undefined;
    const id = `${known.turn}.${session.showing}`;
    // Analysed on saving only: the client has moved what it was sent along with the text.
    if (last && (last.id === id || known.revision !== sheet.revision)) return last;
    const byUri = new Map<string, Diagnostic[]>();
    const options = diagnosticOptions(session);
    for (const it of placed(known.analysis.problems, sheet)) {
      const { uri } = it.place;
      const ofUri = byUri.get(uri) ?? [];
      ofUri.push(toDiagnostic(it, sheet, options));
      byUri.set(uri, ofUri);
    }
    made.set(sheet, { id, byUri });
    return { id, byUri };
  }
}
