import { Disposable, Uri, workspace } from 'vscode';
import { type DocumentId, type LineId, requests, type TextResult } from '../server/protocol.ts';
import type { Server } from './server.ts';

/** The requests whose answers are read-only pages, by the scheme of their addresses; VS Code would ask to save a document. */
const schemes = {
  'deadtime-configuration': requests.configuration,
  'deadtime-why': requests.why,
} as const;

/** The address of the configuration of a file. */
export function configurationOf(file: Uri): Uri {
  return addressOf('deadtime-configuration', `${file.path}.jsonc`, { uri: file.toString() });
}

/** The address of the reasons why a line has no finding; `line` is zero-based. */
export function reasonsAt(file: Uri, line: number): Uri {
  return addressOf('deadtime-why', `${file.path}:${line + 1}.txt`, { uri: file.toString(), line });
}

function addressOf(scheme: keyof typeof schemes, path: string, asked: DocumentId | LineId): Uri {
  return Uri.from({ scheme, path, query: JSON.stringify(asked) });
}

export function registerTexts(server: Server): Disposable {
  return Disposable.from(
    ...Object.entries(schemes).map(([scheme, request]) =>
      workspace.registerTextDocumentContentProvider(scheme, {
        async provideTextDocumentContent({ query }, token) {
          const answer = await server.ask<TextResult | null>(request, JSON.parse(query), token);
          return answer?.text ?? '';
        },
      }),
    ),
  );
}
