import {
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
} from 'vscode-languageserver/node';
import { isGranted } from './is-granted.ts';
import { section } from './protocol.ts';
import type { Session } from './session.ts';

/** What may change the findings of a file without a word from the editor. Emacs takes no star between braces. */
const watched = [
  '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}',
  '**/{deadtime.config.json,deadtime.config.jsonc,deadtime.baseline.json,deadtime.facts.json,package.json,pnpm-workspace.yaml}',
  '**/{package-lock.json,postgresql.conf}',
  '**/*Dockerfile*',
  '**/*compose*.{yml,yaml}',
  '**/ecosystem*',
  '**/pm2*.json',
  '**/tsconfig*.json',
  '**/{.gitignore,.deadtimeignore}',
  '**/.deadtime/run.json',
  // Each commit adds a line.
  '**/.git/logs/HEAD',
];

/** Settles with whether the client reports changes on disk. */
export async function registerAll(
  { connection, client, workspace }: Session,
  reload: () => void,
): Promise<boolean> {
  if (client.hasFolders) {
    connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      workspace.remove(removed);
      workspace.add(added);
      reload();
    });
  }
  // Where it cannot be registered, a client sends it unasked.
  if (client.hasConfiguration && client.canRegisterConfiguration) {
    const { type } = DidChangeConfigurationNotification;
    await isGranted(connection.client.register(type, { section }));
  }
  if (!client.canRegisterWatchers) return false;
  const watchers = watched.map((globPattern) => ({ globPattern }));
  const { type } = DidChangeWatchedFilesNotification;
  return isGranted(connection.client.register(type, { watchers }));
}
