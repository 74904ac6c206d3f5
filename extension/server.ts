import {
  commands,
  type Disposable,
  type Event,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
  Uri,
  workspace,
  type WorkspaceEdit,
} from 'vscode';
import type {
  CancellationToken,
  LanguageClient,
  WorkspaceEdit as SentEdit,
} from 'vscode-languageclient/node';
import { type Analysis, notifications, type Proof } from '../server/protocol.ts';
import { type Choice, chosenServer, isUnderstood, withinLimit } from './choice.ts';
import { newClient, onLintersChanged } from './client.ts';

/** The language server for the rest of the extension: it can be stopped and started again. */
export interface Server extends Disposable {
  readonly output: LogOutputChannel;
  readonly isRunning: boolean;
  /** "deadtime 1.2.3 of the workspace", or "of the extension"; empty while none runs. */
  readonly version: string;
  readonly onAnalysed: Event<Analysis>;
  readonly onProofChanged: Event<Proof>;
  /** Fires when it starts or ends, by itself or not. */
  readonly onStateChanged: Event<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The answer to one of `requests`. */
  ask<Result>(method: string, parameters: unknown, token?: CancellationToken): Promise<Result>;
  /** As VS Code applies it. */
  editFrom(sent: SentEdit): Promise<WorkspaceEdit>;
}

/** The setting, after the section. */
const setting = 'useWorkspaceVersion';

export function createServer(context: ExtensionContext, output: LogOutputChannel): Server {
  const analysed = new EventEmitter<Analysis>();
  const proofChanged = new EventEmitter<Proof>();
  const stateChanged = new EventEmitter<void>();
  const own: Choice = {
    path: context.asAbsolutePath('dist/server/dist/cli.js'),
    isOfWorkspace: false,
  };
  /** What was chosen when it was last started, and what runs: ours where that one could not. */
  let chosen = own;
  let running: { readonly choice: Choice; readonly client: LanguageClient } | undefined;
  const isRunning = () => running?.client.isRunning() ?? false;
  const inTurn = turns();

  const tellState = () => {
    stateChanged.fire();
    void commands.executeCommand('setContext', 'deadtime.isRunning', isRunning());
  };
  const clientFor = (choice: Choice) => {
    const client = newClient(choice, context, output);
    client.onNotification(notifications.analysed, (it: Analysis) => analysed.fire(it));
    client.onNotification(notifications.proofChanged, (it: Proof) => proofChanged.fire(it));
    client.onDidChangeState(tellState);
    return client;
  };
  const ownInstead = (reason: string) => output.warn(`Runs the extension's version: ${reason}.`);

  async function choose(): Promise<Choice> {
    const choice = await chosenServer({
      own: own.path,
      isWanted: workspace.getConfiguration('deadtime').get(setting) === true,
      isTrusted: workspace.isTrusted,
      installed: installedServer,
    });
    if (choice.reason !== undefined) ownInstead(choice.reason);
    return choice;
  }

  async function begin(): Promise<void> {
    chosen = await choose();
    if (chosen.isOfWorkspace && (await beginOfWorkspace(chosen))) return;
    const client = clientFor(own);
    running = { choice: own, client };
    await client.start();
  }

  /** Whether the protocols match: this is resolved before the server can send any other answer. */
  async function beginOfWorkspace(choice: Choice): Promise<boolean> {
    const client = clientFor(choice);
    const start = client.start().then(
      () =>
        isUnderstood(client.initializeResult?.capabilities.experimental)
          ? undefined
          : `${versionOf(client)} of the workspace has a different protocol`,
      () => 'the version of the workspace does not start',
    );
    const reason = await withinLimit(start);
    if (reason !== undefined) {
      await ended(client);
      // Its process is there for a moment, and could still answer: two that run would show everything twice.
      await withinLimit(start);
      await ended(client);
      ownInstead(reason);
      return false;
    }
    running = { choice, client };
    output.info(`Runs ${versionOf(client)} of the workspace: ${choice.path}`);
    tellState();
    return true;
  }

  async function end(): Promise<void> {
    const client = running?.client;
    running = undefined;
    tellState();
    if (client) await ended(client);
  }

  /** Whether it came to another one than before, which runs now. */
  async function chooseAnew(): Promise<boolean> {
    if ((await choose()).path === chosen.path) return false;
    await end();
    await begin();
    return true;
  }

  /** The client, once its start has ended. */
  async function present(): Promise<LanguageClient> {
    await inTurn(async () => {});
    if (!running) throw new Error('Deadtime is paused.');
    return running.client;
  }

  const subscriptions = [
    ...[analysed, proofChanged, stateChanged],
    onLintersChanged(() => running?.client),
    workspace.onDidGrantWorkspaceTrust(() =>
      inTurn(async () => {
        if (!isRunning() || (await chooseAnew())) return;
        await running?.client.sendNotification(notifications.trustChanged, { isTrusted: true });
      }),
    ),
    workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(`deadtime.${setting}`)) return;
      void inTurn(async () => {
        if (isRunning()) await chooseAnew();
      });
    }),
  ];
  return {
    output,
    get isRunning() {
      return isRunning();
    },
    get version() {
      if (!running || !isRunning()) return '';
      const { choice, client } = running;
      return `${versionOf(client)} of the ${choice.isOfWorkspace ? 'workspace' : 'extension'}`;
    },
    onAnalysed: analysed.event,
    onProofChanged: proofChanged.event,
    onStateChanged: stateChanged.event,
    start: () =>
      inTurn(async () => {
        if (isRunning()) return;
        await end();
        await begin();
      }),
    stop: () => inTurn(end),
    ask: async (method, parameters, token) =>
      (await present()).sendRequest(method, parameters, token),
    editFrom: async (sent) => (await present()).protocol2CodeConverter.asWorkspaceEdit(sent),
    dispose() {
      for (const it of subscriptions) it.dispose();
      if (running) void ended(running.client);
    },
  };
}

/** Starts run one at a time: a command, trust and a setting may request them concurrently. */
function turns(): (run: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const done = last.then(run);
    last = done.catch(() => undefined);
    return done;
  };
}

/** One that has not come up, or does not answer any more, cannot be asked to end: its process is ended then. */
function ended(client: LanguageClient): Promise<void> {
  return client.dispose().catch(() => undefined);
}

function versionOf({ initializeResult }: LanguageClient): string {
  return `deadtime ${initializeResult?.serverInfo?.version ?? 'of an unknown version'}`;
}

/** In the first folder, as npm puts it there. */
async function installedServer(): Promise<string | undefined> {
  const folder = workspace.workspaceFolders?.[0];
  if (folder?.uri.scheme !== 'file') return undefined;
  const uri = Uri.joinPath(folder.uri, 'node_modules/deadtime/dist/cli.js');
  return workspace.fs.stat(uri).then(
    () => uri.fsPath,
    () => undefined,
  );
}
