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
  return new ChosenServer(context, output);
}

class ChosenServer implements Server {
  readonly output: LogOutputChannel;
  readonly #context: ExtensionContext;
  readonly #analysed = new EventEmitter<Analysis>();
  readonly #proofChanged = new EventEmitter<Proof>();
  readonly #stateChanged = new EventEmitter<void>();
  readonly onAnalysed = this.#analysed.event;
  readonly onProofChanged = this.#proofChanged.event;
  readonly onStateChanged = this.#stateChanged.event;
  readonly #inTurn = turns();
  readonly #subscriptions: readonly Disposable[];
  readonly #own: Choice;
  /** What was chosen when it was last started, and what runs: ours where that one could not. */
  #chosen: Choice;
  #running: { readonly choice: Choice; readonly client: LanguageClient } | undefined;

  constructor(context: ExtensionContext, output: LogOutputChannel) {
    this.output = output;
    this.#context = context;
    const path = context.asAbsolutePath('dist/server/dist/cli.js');
    this.#own = { path, isOfWorkspace: false };
    this.#chosen = this.#own;
    this.#subscriptions = [
      ...[this.#analysed, this.#proofChanged, this.#stateChanged],
      onLintersChanged(() => this.#running?.client),
      ...this.#followWorkspace(),
    ];
  }

  get isRunning(): boolean {
    return this.#running?.client.isRunning() ?? false;
  }

  get version(): string {
    if (!this.#running || !this.isRunning) return '';
    const { choice, client } = this.#running;
    return `${versionOf(client)} of the ${choice.isOfWorkspace ? 'workspace' : 'extension'}`;
  }

  start(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.isRunning) return;
      await this.#end();
      await this.#begin();
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(() => this.#end());
  }

  async ask<Result>(
    method: string,
    parameters: unknown,
    token?: CancellationToken,
  ): Promise<Result> {
    return (await this.#present()).sendRequest(method, parameters, token);
  }

  async editFrom(sent: SentEdit): Promise<WorkspaceEdit> {
    return (await this.#present()).protocol2CodeConverter.asWorkspaceEdit(sent);
  }

  dispose(): void {
    for (const it of this.#subscriptions) it.dispose();
    if (this.#running) void ended(this.#running.client);
  }

  #followWorkspace(): readonly Disposable[] {
    return [
      workspace.onDidGrantWorkspaceTrust(() =>
        this.#inTurn(async () => {
          if (!this.isRunning || (await this.#chooseAgain())) return;
          const trust = { isTrusted: true };
          await this.#running?.client.sendNotification(notifications.trustChanged, trust);
        }),
      ),
      workspace.onDidChangeConfiguration((change) => {
        if (!change.affectsConfiguration(`deadtime.${setting}`)) return;
        void this.#inTurn(async () => {
          if (this.isRunning) await this.#chooseAgain();
        });
      }),
    ];
  }

  /** The client, once its start has ended. */
  async #present(): Promise<LanguageClient> {
    await this.#inTurn(async () => {});
    if (!this.#running) throw new Error('Deadtime is paused.');
    return this.#running.client;
  }

  async #begin(): Promise<void> {
    this.#chosen = await this.#choose();
    if (this.#chosen.isOfWorkspace && (await this.#beginOfWorkspace(this.#chosen))) return;
    const client = this.#clientFor(this.#own);
    this.#running = { choice: this.#own, client };
    await client.start();
  }

  async #choose(): Promise<Choice> {
    const choice = await chosenServer({
      own: this.#own.path,
      isWanted: workspace.getConfiguration('deadtime').get(setting) === true,
      isTrusted: workspace.isTrusted,
      installed: installedServer,
    });
    if (choice.reason !== undefined) this.#warnOfOwn(choice.reason);
    return choice;
  }

  /** Whether it came to another one than before, which runs now. */
  async #chooseAgain(): Promise<boolean> {
    if ((await this.#choose()).path === this.#chosen.path) return false;
    await this.#end();
    await this.#begin();
    return true;
  }

  /** Whether the protocols match: this is resolved before the server can send any other answer. */
  async #beginOfWorkspace(choice: Choice): Promise<boolean> {
    const client = this.#clientFor(choice);
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
      this.#warnOfOwn(reason);
      return false;
    }
    this.#running = { choice, client };
    this.output.info(`Runs ${versionOf(client)} of the workspace: ${choice.path}`);
    this.#tellState();
    return true;
  }

  async #end(): Promise<void> {
    const client = this.#running?.client;
    this.#running = undefined;
    this.#tellState();
    if (client) await ended(client);
  }

  #clientFor(choice: Choice): LanguageClient {
    const client = newClient(choice, this.#context, this.output);
    client.onNotification(notifications.analysed, (it: Analysis) => this.#analysed.fire(it));
    client.onNotification(notifications.proofChanged, (it: Proof) => this.#proofChanged.fire(it));
    client.onDidChangeState(() => this.#tellState());
    return client;
  }

  #tellState(): void {
    this.#stateChanged.fire();
    void commands.executeCommand('setContext', 'deadtime.isRunning', this.isRunning);
  }

  #warnOfOwn(reason: string): void {
    this.output.warn(`Runs the extension's version: ${reason}.`);
  }
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
