import { commands, ProgressLocation, window } from 'vscode';
import { type EditorFinding, type InstallResult, requests } from '../server/protocol.ts';
import type { Server } from './server.ts';

/** Gets what the last proof of a finding lacked, after one question that names the command; whether it is there now. */
export async function install(
  server: Server,
  { uri, fingerprint, needs }: EditorFinding,
): Promise<boolean> {
  const need = needs.find((it) => it.command !== undefined);
  if (!need) return false;
  const yes = 'Install';
  const detail = [
    `Missing: ${need.what}`,
    `npm installs it with this command: ${need.command}`,
    'The extension keeps it in its own storage, for all workspaces. To measure on your own server instead, set deadtime.prove.databaseUrl.',
  ].join('\n\n');
  const question = 'Install the missing parts of this proof?';
  if ((await window.showInformationMessage(question, { modal: true, detail }, yes)) !== yes) {
    return false;
  }
  const { isInstalled, text } = await window.withProgress(
    {
      location: ProgressLocation.Notification,
      title: 'Deadtime installs the missing parts of the proof',
      cancellable: true,
    },
    async (_, token) => {
      const id = { uri, fingerprint };
      const result = await server.ask<InstallResult>(requests.install, id, token);
      return token.isCancellationRequested ? { isInstalled: false, text: '' } : result;
    },
  );
  if (text !== '') void tellFailure(server, text);
  return isInstalled;
}

async function tellFailure({ output }: Server, text: string): Promise<void> {
  output.error(text);
  const show = 'Show the Output';
  if ((await window.showErrorMessage('The installation failed.', show)) === show) {
    await commands.executeCommand('deadtime.showOutput');
  }
}
