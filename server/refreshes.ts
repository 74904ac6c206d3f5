import { CodeLensRefreshRequest, type Connection } from 'vscode-languageserver/node';
import type { Client } from './client.ts';
import { isGranted } from './is-granted.ts';

/** Between two requests to ask for everything again, in milliseconds. */
const REFRESH_MS = 200;

/** Returns what makes a client ask for everything again, once however often it is called meanwhile. */
export function refreshesOf(connection: Connection, client: Client): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      const { diagnostics: canPull, lenses, inlayHints } = client.refreshes;
      if (client.hasPull && canPull) void isGranted(connection.languages.diagnostics.refresh());
      if (lenses) void isGranted(connection.sendRequest(CodeLensRefreshRequest.type));
      if (inlayHints) void isGranted(connection.languages.inlayHint.refresh());
    }, REFRESH_MS);
  };
}
