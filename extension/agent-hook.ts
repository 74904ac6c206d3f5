import {
  type ExtensionContext,
  ProcessExecution,
  Task,
  tasks,
  TaskScope,
  window,
  workspace,
} from 'vscode';

/** As `deadtime init --agents` takes them. */
const agents = { claude: 'Claude Code', codex: 'Codex', copilot: 'Copilot', cursor: 'Cursor' };

/** Shows in a terminal what it would write for the chosen agents, and writes it after a yes: nothing is overwritten. */
export async function installAgentHook(context: ExtensionContext): Promise<void> {
  if (!workspace.isTrusted) {
    void window.showInformationMessage('An agent runs its hook: trust the workspace first.');
    return;
  }
  const folder = workspace.workspaceFolders?.[0];
  if (!folder) {
    void window.showInformationMessage('Open a folder first: the hook belongs to a project.');
    return;
  }
  const chosen = await window.showQuickPick(
    Object.entries(agents).map(([name, label]) => ({ label, name })),
    { title: 'Which agents get the findings of their edits?', canPickMany: true },
  );
  if (!chosen || chosen.length === 0) return;
  const program = context.asAbsolutePath('dist/server/dist/cli.js');
  const names = chosen.map((it) => it.name).join(',');
  const run = new ProcessExecution(process.execPath, [program, 'init', '--agents', names], {
    cwd: folder.uri.fsPath,
    env: { ELECTRON_RUN_AS_NODE: '1' },
  });
  const scope = workspace.workspaceFolders?.length === 1 ? folder : TaskScope.Workspace;
  await tasks.executeTask(new Task({ type: 'deadtime' }, scope, 'init', 'deadtime', run));
}
