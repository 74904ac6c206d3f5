import {
  commands,
  type Disposable,
  type Event,
  EventEmitter,
  type ExtensionContext,
  languages as vscodeLanguages,
  type LogOutputChannel,
  Uri,
  workspace,
} from 'vscode';
import {
  type CancellationToken,
  DocumentDiagnosticRequest,
  type Executable,
  LanguageClient,
  type Middleware,
  TransportKind,
  vsdiag,
} from 'vscode-languageclient/node';
import {
  type Analysis,
  clientCommands,
  notifications,
  type Proof,
  type ServerOptions,
} from '../server/protocol.ts';
import { notShownBy, shownByLinters } from './dedupe.ts';
import { rulePageAddress } from './rule-pages.ts';

/** The language server, as the rest of the extension sees it: it may be stopped, and started anew. */
export interface Server extends Disposable {
  readonly client: LanguageClient;
  readonly isRunning: boolean;
  readonly onAnalysed: Event<Analysis>;
  readonly onProofChanged: Event<Proof>;
  /** Fires when it starts or ends, by itself or not. */
  readonly onStateChanged: Event<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The answer to one of `requests`. */
  ask<Result>(method: string, parameters: unknown, token?: CancellationToken): Promise<Result>;
}

/** The scripts in the last three are ours as well. */
export const languages = [
  'javascript',
  'javascriptreact',
  'typescript',
  'typescriptreact',
  'vue',
  'svelte',
  'astro',
];

/** Not the other side of a comparison: an older version of a file has no findings of its own. */
const schemes = ['file', 'untitled', 'vscode-notebook-cell'];

export function createServer(context: ExtensionContext, output: LogOutputChannel): Server {
  const analysed = new EventEmitter<Analysis>();
  const proofChanged = new EventEmitter<Proof>();
  const stateChanged = new EventEmitter<void>();
  const client = new LanguageClient('deadtime', 'Deadtime', programOf(context), {
    documentSelector: schemes.flatMap((scheme) =>
      languages.map((language) => ({ scheme, language })),
    ),
    outputChannel: output,
    initializationOptions: () => optionsFor(context),
    diagnosticPullOptions: { onChange: true, onSave: true, onFocus: true },
    middleware: withoutDoubles,
  });
  client.onNotification(notifications.analysed, (it: Analysis) => analysed.fire(it));
  client.onNotification(notifications.proofChanged, (it: Proof) => proofChanged.fire(it));
  const trust = workspace.onDidGrantWorkspaceTrust(async () => {
    if (client.isRunning()) {
      await client.sendNotification(notifications.trustChanged, { isTrusted: true });
    }
  });
  const state = client.onDidChangeState(async () => {
    stateChanged.fire();
    await commands.executeCommand('setContext', 'deadtime.isRunning', client.isRunning());
  });
  const linters = onLintersChanged(client);
  return {
    client,
    get isRunning() {
      return client.isRunning();
    },
    onAnalysed: analysed.event,
    onProofChanged: proofChanged.event,
    onStateChanged: stateChanged.event,
    start: () => client.start(),
    stop: () => client.stop(),
    ask: (method, parameters, token) => client.sendRequest(method, parameters, token),
    dispose() {
      for (const it of [trust, state, linters, analysed, proofChanged, stateChanged]) it.dispose();
      void client.dispose();
    },
  };
}

/** On VS Code's own Node.js. What it executes lies in the extension, never in the workspace. */
function programOf(context: ExtensionContext): Executable {
  return {
    command: process.execPath,
    args: [context.asAbsolutePath('dist/server/dist/cli.js'), 'lsp'],
    transport: TransportKind.stdio,
    options: {
      env: {
        ...process.env,
        ELECTRON_RUN_AS_NODE: '1',
        // What somebody consents to install for proofs goes there.
        DEADTIME_DOWNLOADS: Uri.joinPath(context.globalStorageUri, 'npm').fsPath,
      },
    },
  };
}

function optionsFor(context: ExtensionContext): ServerOptions {
  return {
    clientCommands: Object.values(clientCommands),
    isTrusted: workspace.isTrusted,
    hasStatus: true,
    rulePages: rulePageAddress('{id}'),
    storagePath: context.globalStorageUri.fsPath,
  };
}

/** ESLint's and oxlint's stand first: whoever runs our plugin there has switched it on for all who build the project. */
const withoutDoubles: Middleware = {
  async provideDiagnostics(document, previousResultId, token, next) {
    const report = await next(document, previousResultId, token);
    const uri = document instanceof Uri ? document : document.uri;
    if (!isDeduped() || report?.kind !== vsdiag.DocumentDiagnosticReportKind.full) return report;
    const others = vscodeLanguages.getDiagnostics(uri);
    // Without an id: the next answer is whole again, and may be another because of another linter.
    return { kind: report.kind, items: [...notShownBy(others, report.items)] };
  },
};

function onLintersChanged(client: LanguageClient): Disposable {
  const known = new Map<string, string>();
  return vscodeLanguages.onDidChangeDiagnostics(({ uris }) => {
    let isOther = false;
    for (const uri of uris) {
      const shown = shownByLinters(vscodeLanguages.getDiagnostics(uri));
      isOther ||= shown !== (known.get(uri.toString()) ?? '');
      if (shown === '') known.delete(uri.toString());
      else known.set(uri.toString(), shown);
    }
    if (!isOther || !client.isRunning() || !isDeduped()) return;
    const feature = client.getFeature(DocumentDiagnosticRequest.method);
    for (const document of workspace.textDocuments) {
      feature.getProvider(document)?.onDidChangeDiagnosticsEmitter.fire();
    }
  });
}

function isDeduped(): boolean {
  return workspace.getConfiguration('deadtime').get('eslint.dedupe') !== 'off';
}
