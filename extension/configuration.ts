import { type Disposable, Uri, workspace } from 'vscode';
import { requests, type TextResult } from '../server/protocol.ts';
import type { Server } from './server.ts';

const scheme = 'deadtime-configuration';

/** The address of a read-only page with the configuration of a file; VS Code would ask to save a document. */
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
