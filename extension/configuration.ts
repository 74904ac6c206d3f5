import { type Disposable, Uri, workspace } from 'vscode';
import { requests, type TextResult } from '../server/protocol.ts';
import type { Server } from './server.ts';

const scheme = 'deadtime-configuration';

/** Where one reads what holds for a file; not a document of the user's, which VS Code would ask to save. */
export function configurationOf(file: Uri): Uri {
  return Uri.from({ scheme, path: `${file.path}.jsonc`, query: file.toString() });
}

export function registerConfiguration(server: Server): Disposable {
  return workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query: uri }) {
      const { text } = await server.ask<TextResult>(requests.configuration, { uri });
      return text;
    },
  });
}
