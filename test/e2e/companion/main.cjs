// What only an extension can do: it opens new texts, changes the user's settings at once, and asks the tools for language models as an assistant would.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { commands, ConfigurationTarget, env, lm, window, workspace } = require('vscode');

exports.activate = ({ subscriptions }) => {
  const said = {
    'companion.listTools': async () =>
      lm.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    'companion.askTools': async () => [
      await answer('deadtime_check_code', { paths: ['src/worker.ts'] }),
      await answer('deadtime_explain_finding', { id: 'src/worker.ts:10' }),
    ],
    'companion.askForProof': () => answer('deadtime_prove_finding', { id: 'src/worker.ts:10' }),
  };
  subscriptions.push(
    commands.registerCommand('companion.newText', async () => {
      const { fsPath } = workspace.workspaceFolders[0].uri;
      const content = readFileSync(join(fsPath, 'src/worker.ts'), 'utf8');
      const document = await workspace.openTextDocument({ language: 'typescript', content });
      await window.showTextDocument(document);
    }),
    commands.registerCommand('companion.toggleVersion', async () => {
      const settings = workspace.getConfiguration('deadtime');
      const name = 'useWorkspaceVersion';
      const value = settings.inspect(name).globalValue ? undefined : true;
      await settings.update(name, value, ConfigurationTarget.Global);
    }),
  );
  for (const [name, run] of Object.entries(said)) {
    subscriptions.push(
      commands.registerCommand(name, async () => {
        await env.clipboard.writeText(JSON.stringify(await run()));
        void window.showInformationMessage('The answer is in the clipboard.');
      }),
    );
  }
};

async function answer(name, input) {
  try {
    const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map((it) => it.value).join('\n');
  } catch (error) {
    return String(error);
  }
}
