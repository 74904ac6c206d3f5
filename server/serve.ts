import {
  CodeLensRefreshRequest,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  ShowMessageNotification,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { isConfiguration } from '../src/project/configuration-file.ts';
import { isCode } from '../src/scan/language.ts';
import { analysesOf, type Known } from './analyses.ts';
import { clientFrom } from './client.ts';
import { diagnosticsOf } from './diagnostics.ts';
import { languageIds, openSheets, type Sheet, type SheetEvents } from './documents.ts';
import { answerCommands } from './commands.ts';
import type { Desk } from './desk.ts';
import { onlyChanges } from './only-changes.ts';
import { reviewChanges } from './review.ts';
import { answerFeatures } from './features.ts';
import { notifications, section, serverCommands, spoken, type Analysis } from './protocol.ts';
import { answerTools } from './tools.ts';
import { plainMessage } from './plain-message.ts';
import { proofsOf } from './proofs/proofs.ts';
import { proofStore } from './proofs/store.ts';
import { workspaceScan } from './scan-workspace.ts';
import { diagnosticOptions, type Environment, type Session } from './session.ts';
import { placed, toFinding } from './to-lsp.ts';
import { sheetTypes } from './types.ts';
import { pathOfUri } from './uris.ts';
import { workspaceOf } from './workspace.ts';

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
    desk = deskFor(params, { connection, environment, sheets });
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

/** Between two requests to ask for everything again, in milliseconds. */
const REFRESH_MS = 200;

function deskFor(
  params: InitializeParams,
  { connection, environment, sheets }: Pick<Session, 'connection' | 'environment' | 'sheets'>,
): Desk {
  const client = clientFrom(params);
  const workspace = workspaceOf(params, client, connection);
  const told = new Set<string>();
  let begin: () => void;
  let loading = new Promise<void>((resolve) => (begin = resolve));
  let refreshTimer: NodeJS.Timeout | undefined;
  let isToldOfChanges = false;
  const failures: Desk['failures'] = { count: 0, last: undefined };

  const types = sheetTypes(sheets, {
    onFailure: (reason) => connection.console.info(`Analysed without types: ${reason}`),
    start: environment.startTypes,
  });
  const showSoon = (sheet: Sheet) => {
    if (client.hasPull) refreshSoon();
    else diagnostics.push(sheet);
  };
  const analyses = analysesOf({
    sheets,
    types,
    ready: () => loading,
    folders: () => workspace.folders(),
    maximumMemoryMb: client.maximumMemoryMb,
    start: environment.start,
    shown(sheet, analysis) {
      const { hasOnlyChanges } = workspace.settingsAt(sheet.path);
      if (!hasOnlyChanges || !sheet.isOnDisk) return undefined;
      return changes
        .among(sheet, analysis.problems)
        .then((problems) => ({ ...analysis, problems }));
    },
    onKnown,
    onRefined: showSoon,
    onOutdated: showSoon,
    onEnd({ at = 'A file', message }) {
      failures.count++;
      failures.last = `${at} ${message}`;
      connection.console.error(`The analysis ended and starts again: ${failures.last}`);
    },
    onLeftOut: (path, message) => tell(`${path} ${message}.`),
  });
  const proofs = proofsOf({
    store: proofStore(client.storagePath ?? environment.storagePath),
    ...{ isTrusted: client.isTrusted, program: environment.program },
    onChange(proof) {
      if (client.hasStatus) void connection.sendNotification(notifications.proofChanged, proof);
      desk.show();
    },
  });
  const session = {
    ...{ connection, environment, client, workspace, sheets, analyses, proofs },
    showing: 0,
  };
  const changes = onlyChanges(() => reviewChanges(session, new AbortController().signal));
  const diagnostics = diagnosticsOf(session);
  const scan = workspaceScan(session);
  const runOf = ({ path }: Sheet) => workspace.settingsAt(path).run;

  const desk: Desk = {
    ...{ session, diagnostics, scan, failures },
    onOpen(sheet) {
      analyses.open(sheet);
      scan.opened(sheet.path);
      void loading.then(() => {
        if (runOf(sheet) !== 'manual') analyses.outdate(sheet);
        if (!client.hasPull) diagnostics.push(sheet);
      });
    },
    onChange(sheet) {
      analyses.edit(sheet, { isDue: runOf(sheet) === 'onType' });
      if (!client.hasPull) diagnostics.push(sheet);
    },
    onSave(sheet) {
      changes.forget();
      // No message reports other changes on disk.
      if (!isToldOfChanges) {
        analyses.ask({ kind: 'refresh' });
        types.changed('all');
      }
      if (runOf(sheet) === 'manual') return;
      analyses.outdate(sheet);
      if (client.hasPull && runOf(sheet) === 'onSave') refreshSoon();
      if (!client.hasPull) diagnostics.push(sheet);
    },
    onClose(sheet) {
      analyses.close(sheet);
      if (!client.hasPull) diagnostics.clear(sheet);
      scan.changed(sheet.path);
    },
    async start() {
      await workspace.load();
      begin();
      tellMistakes(workspace.mistakes());
      isToldOfChanges = await registerAll(session, () => void desk.reload());
      // Warm before the first document asks.
      analyses.ask({ kind: 'synchronize' });
    },
    async reload(settings) {
      loading = workspace.load(settings).then(() => {
        changes.forget();
        analyses.ask({ kind: 'configure', folders: workspace.folders() });
        outdateAll();
      });
      await loading;
      tellMistakes(workspace.mistakes());
    },
    onDisk(uris) {
      const paths = uris.flatMap((it) => pathOfUri(it) ?? []);
      changes.forget();
      analyses.ask({ kind: 'changed', paths });
      types.changed(paths);
      for (const path of paths.filter(isCode)) scan.changed(path);
      // Configuration, manifests and ignore files affect every file.
      if (paths.some((it) => !isCode(it) || isConfiguration(it))) outdateAll();
    },
    show() {
      session.showing++;
      showAll();
    },
  };
  return desk;

  function onKnown(sheet: Sheet, known: Known): void {
    const { problems, notices, mistakes, milliseconds } = known.analysis;
    tellMistakes(mistakes);
    proofs.follow(sheet, problems);
    for (const notice of notices) connection.console.info(`${sheet.uri} ${notice}`);
    if (!client.hasStatus) return;
    const findings = placed(problems, sheet).map((it) => toFinding(it, diagnosticOptions(session)));
    for (const { document } of sheet.parts) {
      const { uri, version } = document;
      const own = findings.filter((it) => it.uri === uri);
      const analysis: Analysis = { uri, version, milliseconds, findings: own, notices };
      void connection.sendNotification(notifications.analysed, analysis);
    }
  }

  /** Each once: every analysis reports them until they are fixed. */
  function tellMistakes(mistakes: readonly string[]): void {
    for (const it of mistakes) {
      if (told.has(it)) continue;
      told.add(it);
      tell(it);
    }
  }

  function tell(warning: string): void {
    const { type } = ShowMessageNotification;
    const message = plainMessage(`Deadtime: ${warning}`);
    void connection.sendNotification(type, { type: MessageType.Warning, message });
  }

  function outdateAll(): void {
    analyses.leftOut.forget();
    for (const sheet of sheets.all()) {
      if (analyses.known(sheet) || runOf(sheet) !== 'manual') analyses.outdate(sheet);
    }
    showAll();
  }

  function showAll(): void {
    refreshSoon();
    if (!client.hasPull) for (const sheet of sheets.all()) diagnostics.push(sheet);
  }

  function refreshSoon(): void {
    refreshTimer ??= setTimeout(() => {
      refreshTimer = undefined;
      const { diagnostics: canPull, lenses, inlayHints } = client.refreshes;
      if (client.hasPull && canPull) void isGranted(connection.languages.diagnostics.refresh());
      if (lenses) void isGranted(connection.sendRequest(CodeLensRefreshRequest.type));
      if (inlayHints) void isGranted(connection.languages.inlayHint.refresh());
    }, REFRESH_MS);
  }
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

/** What may change the findings of a file without a word from the editor. Emacs takes no star between braces. */
const watched = [
  '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}',
  '**/{deadtime.config.json,deadtime.config.jsonc,deadtime.baseline.json,package.json,pnpm-workspace.yaml}',
  '**/{package-lock.json,postgresql.conf}',
  '**/*Dockerfile*',
  '**/*compose*.{yml,yaml}',
  '**/ecosystem*',
  '**/pm2*.json',
  '**/tsconfig*.json',
  '**/{.gitignore,.deadtimeignore}',
  // Each commit adds a line.
  '**/.git/logs/HEAD',
];

/** Settles with whether the client reports changes on disk. */
async function registerAll(
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

/** A client may reject a request that its capabilities promise: the server continues. */
function isGranted(request: Promise<unknown>): Promise<boolean> {
  return request.then(
    () => true,
    () => false,
  );
}
