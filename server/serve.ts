import {
  type Connection,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { answerCommands } from './commands.ts';
import type { Desk } from './desk.ts';
import { languageIds, openSheets, type SheetEvents } from './documents.ts';
import { answerFeatures } from './features.ts';
import { OpenDesk } from './open-desk.ts';
import { section, serverCommands, spoken } from './protocol.ts';
import type { Environment, Session } from './session.ts';
import { answerTools } from './tools.ts';

/** Serves the protocol over `connection`; independent of pipes, processes and of the editor. */
export function serve(connection: Connection, environment: Environment): void {
  let desk: Desk | undefined;
  const events: SheetEvents = {
    onOpen: (it) => desk?.onOpen(it),
    onChange: (it) => desk?.onChange(it),
    onSave: (it) => desk?.onSave(it),
    onClose: (it) => desk?.onClose(it),
  };
  const sheets = openSheets(() => desk?.session.workspace.main ?? process.cwd(), events);
  sheets.listen(connection);

  connection.onInitialize((params) => {
    desk = new OpenDesk(params, { connection, environment, sheets });
    return resultFor(desk.session);
  });
  connection.onInitialized(() => void desk?.start());
  connection.onShutdown(() => desk?.session.analyses.end());
  connection.onDidChangeConfiguration(({ settings }) => {
    const pushed = (settings as Readonly<Record<string, unknown>> | undefined | null)?.[section];
    void desk?.reload(pushed);
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    desk?.onDisk(changes.map(({ uri }) => uri));
  });
  answerFeatures(connection, () => desk);
  answerCommands(connection, () => desk);
  answerTools(connection, () => desk);
  connection.listen();
}

function resultFor({ client, environment }: Session): InitializeResult {
  return {
    serverInfo: { name: 'deadtime', version: environment.version },
    capabilities: {
      textDocumentSync: {
        openClose: true,
        change: TextDocumentSyncKind.Incremental,
        save: { includeText: false },
      },
      notebookDocumentSync: {
        notebookSelector: [{ cells: languageIds.map((language) => ({ language })) }],
      },
      ...(client.hasPull
        ? {
            diagnosticProvider: {
              identifier: 'deadtime',
              interFileDependencies: true,
              workspaceDiagnostics: client.hasWorkspaceDiagnostics,
            },
          }
        : {}),
      hoverProvider: true,
      codeLensProvider: { resolveProvider: false },
      inlayHintProvider: true,
      codeActionProvider: { codeActionKinds: ['quickfix'] },
      executeCommandProvider: { commands: Object.values(serverCommands) },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      experimental: spoken,
    },
  };
}
