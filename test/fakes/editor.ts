import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import {
  type ClientCapabilities,
  ConfigurationRequest,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type InitializeResult,
  type ProtocolConnection,
  createProtocolConnection,
  ErrorCodes,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { createConnection } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { answerOrders, orderPort } from '../../server/analysis/answer-orders.ts';
import type { Start } from '../../server/analysis/thread.ts';
import {
  notifications,
  requests,
  type ServerOptions,
  type Settings,
} from '../../server/protocol.ts';
import { serve } from '../../server/serve.ts';
import type { Environment } from '../../server/session.ts';
import { packageFile, packageFileUrl } from '../../src/cli/package.ts';
import type { Edit } from '../../tools/random-edits.ts';

export interface EditorOptions {
  /** Absolute paths of the workspace's folders. */
  readonly folders?: readonly string[];
  readonly capabilities?: ClientCapabilities;
  readonly options?: ServerOptions;
  /** What the editor answers when it is asked for its configuration; may be changed later. */
  readonly settings?: Settings;
  /** What it answers for single folders, by their absolute paths. */
  readonly folderSettings?: Readonly<Record<string, Settings>>;
  /** Refuses whatever the server registers, and to ask for anything again. */
  readonly isRefusing?: boolean;
  readonly environment?: Partial<Environment>;
}

/** An editor without windows: it holds the texts, and remembers what the server has sent. */
export interface Editor {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  readonly warnings: readonly string[];
  /** What the server has written to the log of its channel. */
  readonly log: readonly string[];
  open(uri: string, text: string, languageId?: string): Promise<void>;
  /** Replaces the first occurrence of `from`. */
  edit(uri: string, from: string, to: string): Promise<void>;
  replace(uri: string, edit: Edit): Promise<void>;
  close(uri: string): Promise<void>;
  configure(settings: Settings): Promise<void>;
  textOf(uri: string): string;
  pull(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport>;
  /** The items of a pull, each as `line: message id`. */
  itemsOf(uri: string): Promise<readonly Diagnostic[]>;
  /** Settles with what is pushed next for a document. */
  pushed(uri: string): Promise<readonly Diagnostic[]>;
  /** Settles with the parameters of the next notification of this kind. */
  told<T>(method: string): Promise<T>;
  /** Settles when the server has read all that was sent. */
  isRead(): Promise<void>;
  end(): Promise<void>;
}

const open: Editor[] = [];

afterEach(async () => {
  for (const editor of open.splice(0)) await editor.end();
});

export const usualCapabilities: ClientCapabilities = {
  workspace: { configuration: true, workspaceEdit: { documentChanges: true } },
  textDocument: {
    diagnostic: {},
    publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true },
    hover: { contentFormat: ['markdown'] },
  },
};

/** Connected to a server in this process, over two streams; mocha's `afterEach` ends it. */
export async function editorFor(given: EditorOptions = {}): Promise<Editor> {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const server = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down));
  serve(server, {
    version: '0.0.0',
    program: [],
    storagePath: join(tmpdir(), 'deadtime-nothing-is-proved'),
    pageOf: (id) => packageFile(`rules/${id}/README.md`),
    pageUrlOf: (id) => packageFileUrl(`rules/${id}/README.md`),
    start: inThisThread,
    ...given.environment,
  });
  const editor = await connected(
    createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up)),
    given,
  );
  open.push(editor);
  return editor;
}

/** As a thread would, one message after the other. */
export const inThisThread: Start = ({ cancellation }) => {
  const { port1, port2 } = new MessageChannel();
  answerOrders(orderPort(port1), cancellation);
  return {
    port: orderPort(port2),
    end: () => port1.close(),
  };
};

/** Over any connection: the tests of the built server have theirs. */
export async function connected(
  connection: ProtocolConnection,
  given: EditorOptions,
): Promise<Editor> {
  const texts = new Map<string, TextDocument>();
  const warnings: string[] = [];
  const log: string[] = [];
  const waiting = new Map<string, ((params: never) => void)[]>();
  const arrived = (key: string, params: unknown) => {
    for (const it of waiting.get(key)?.splice(0) ?? []) it(params as never);
  };
  const next = <T>(key: string) =>
    new Promise<T>((resolve) => waiting.set(key, [...(waiting.get(key) ?? []), resolve]));
  let settings = given.settings ?? {};

  connection.onRequest(ConfigurationRequest.type, ({ items }) =>
    items.map(({ scopeUri }) => {
      const folder = scopeUri === undefined ? '' : fileURLToPath(scopeUri);
      return given.folderSettings?.[folder] ?? settings;
    }),
  );
  const refreshes = ['diagnostic', 'codeLens', 'inlayHint'].map((it) => `workspace/${it}/refresh`);
  for (const method of ['client/registerCapability', ...refreshes]) {
    connection.onRequest(method, () => {
      arrived(method, undefined);
      if (given.isRefusing) throw new ResponseError(ErrorCodes.InternalError, 'Not here');
      return null;
    });
  }
  for (const method of Object.values(notifications)) {
    connection.onNotification(method, (params: unknown) => arrived(method, params));
  }
  connection.onNotification('textDocument/publishDiagnostics', (params: { uri: string }) =>
    arrived(`pushed ${params.uri}`, params),
  );
  connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
    warnings.push(message);
    arrived('window/showMessage', message);
  });
  connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
    log.push(message);
  });
  connection.listen();

  const folders = given.folders ?? [];
  const initialized = await connection.sendRequest<InitializeResult>('initialize', {
    // It would be watched for ever, and keep the tests alive.
    processId: null,
    rootUri: null,
    workspaceFolders: folders.map((it) => ({ name: it, uri: pathToFileURL(it).href })),
    capabilities: { ...usualCapabilities, ...given.capabilities },
    initializationOptions: given.options,
  });
  await connection.sendNotification('initialized', {});

  const editor: Editor = {
    ...{ connection, initialized, warnings, log },
    async open(uri, text, languageId = 'typescript') {
      texts.set(uri, TextDocument.create(uri, languageId, 1, text));
      const textDocument = { uri, languageId, version: 1, text };
      await connection.sendNotification('textDocument/didOpen', { textDocument });
    },
    async edit(uri, from, to) {
      const at = texts.get(uri)!.getText().indexOf(from);
      if (at === -1) throw new Error(`${uri} has no ${JSON.stringify(from)}`);
      await editor.replace(uri, { at, removed: from.length, text: to });
    },
    async replace(uri, { at, removed, text }) {
      const document = texts.get(uri)!;
      const range = { start: document.positionAt(at), end: document.positionAt(at + removed) };
      const version = document.version + 1;
      const contentChanges = [{ range, text }];
      TextDocument.update(document, contentChanges, version);
      const textDocument = { uri, version };
      await connection.sendNotification('textDocument/didChange', { textDocument, contentChanges });
    },
    async close(uri) {
      texts.delete(uri);
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    },
    async configure(changed) {
      settings = changed;
      await connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    },
    textOf: (uri) => texts.get(uri)!.getText(),
    pull: (uri, previousResultId) =>
      connection.sendRequest('textDocument/diagnostic', {
        textDocument: { uri },
        ...(previousResultId === undefined ? {} : { previousResultId }),
      }),
    async itemsOf(uri) {
      const report = await editor.pull(uri);
      return report.kind === 'full' ? report.items : [];
    },
    async pushed(uri) {
      const { diagnostics } = await next<{ diagnostics: readonly Diagnostic[] }>(`pushed ${uri}`);
      return diagnostics;
    },
    told: (method) => next(method),
    async isRead() {
      // Messages are read in their order, and this one needs no analysis.
      await connection.sendRequest(requests.cancelProof, { uri: '', fingerprint: '' });
    },
    async end() {
      await connection.sendRequest('shutdown');
      connection.dispose();
    },
  };
  return editor;
}

/** The text with a line of marks under each diagnostic: `//   ^^^^ no-hot-path-sleep warning`. */
export function annotated(text: string, diagnostics: readonly Diagnostic[]): string {
  const severities = ['error', 'warning', 'information', 'hint'];
  return text
    .split('\n')
    .flatMap((line, i) => [
      line,
      ...diagnostics
        .filter(({ range }) => range.start.line === i)
        .map(({ range: { start, end }, code, severity }) => {
          const last = end.line === i ? end.character : line.length;
          const carets = '^'.repeat(last - start.character);
          return `//${' '.repeat(start.character - 2)}${carets} ${code} ${severities[severity! - 1]}`;
        }),
    ])
    .join('\n');
}
