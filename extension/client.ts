import {
  type Disposable,
  type ExtensionContext,
  languages as vscodeLanguages,
  type LogOutputChannel,
  Uri,
  workspace,
} from 'vscode';
import {
  CloseAction,
  DocumentDiagnosticRequest,
  type Executable,
  LanguageClient,
  type Middleware,
  State,
  TransportKind,
  vsdiag,
} from 'vscode-languageclient/node';
import { clientCommands, type ServerOptions } from '../server/protocol.ts';
import type { Choice } from './choice.ts';
import { notShownBy, shownByLinters } from './dedupe.ts';
import { rulePageAddress } from './rule-pages.ts';

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

/** The client of one server; a different server gets a new one, since a failed start leaves a client in any state. */
export function newClient(
  choice: Choice,
  context: ExtensionContext,
  output: LogOutputChannel,
): LanguageClient {
  const kind = choice.isOfWorkspace ? WorkspaceClient : LanguageClient;
  const client: LanguageClient = new kind('deadtime', 'Deadtime', programOf(choice, context), {
    documentSelector: schemes.flatMap((scheme) =>
      languages.map((language) => ({ scheme, language })),
    ),
    outputChannel: output,
    initializationOptions: () => optionsFor(context),
    diagnosticPullOptions: { onChange: true, onSave: true, onFocus: true },
    middleware: {
      ...withoutDoubles,
      workspace: {
        // The change itself may have ended the server: then no connection is left for the message.
        didChangeConfiguration: (sections, next) =>
          next(sections).catch((error: unknown) => {
            if (client.isRunning()) throw error;
          }),
      },
    },
    ...(choice.isOfWorkspace && {
      // There is our own to go on with, so a start that fails is not tried again.
      initializationFailedHandler: () => false,
      errorHandler: {
        error: (...all) => usual.error(...all),
        closed: () =>
          client.state === State.Starting
            ? { action: CloseAction.DoNotRestart, handled: true }
            : usual.closed(),
      },
    }),
  });
  const usual = client.createDefaultErrorHandler();
  return client;
}

/** The output has the reason why it does not start; the extension then starts its own version. */
class WorkspaceClient extends LanguageClient {
  override error(message: string, data?: unknown, isShown: boolean | 'force' = true): void {
    super.error(message, data, this.state === State.Running && isShown);
  }
}

/** On VS Code's own Node.js. */
function programOf({ path }: Choice, context: ExtensionContext): Executable {
  return {
    command: process.execPath,
    args: [path, 'lsp'],
    transport: TransportKind.stdio,
    options: {
      env: {
        ...process.env,
        ELECTRON_RUN_AS_NODE: '1',
        // Proofs install their parts there, after the user has consented.
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
    showsMessageInHover: true,
    rulePages: rulePageAddress('{id}'),
    storagePath: context.globalStorageUri.fsPath,
  };
}

/** Findings of ESLint and oxlint come first: a project that runs the plugin there has enabled it for all its developers. */
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

/** Has the documents asked about again; `running` is the client at that time. */
export function onLintersChanged(running: () => LanguageClient | undefined): Disposable {
  const known = new Map<string, string>();
  return vscodeLanguages.onDidChangeDiagnostics(({ uris }) => {
    let isOther = false;
    for (const uri of uris) {
      const shown = shownByLinters(vscodeLanguages.getDiagnostics(uri));
      isOther ||= shown !== (known.get(uri.toString()) ?? '');
      if (shown === '') known.delete(uri.toString());
      else known.set(uri.toString(), shown);
    }
    const client = running();
    if (!isOther || !client?.isRunning() || !isDeduped()) return;
    const feature = client.getFeature(DocumentDiagnosticRequest.method);
    for (const document of workspace.textDocuments) {
      feature.getProvider(document)?.onDidChangeDiagnosticsEmitter.fire();
    }
  });
}

function isDeduped(): boolean {
  return workspace.getConfiguration('deadtime').get('eslint.dedupe') !== 'off';
}
