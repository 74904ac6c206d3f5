import { type ExtensionContext, window } from 'vscode';
import { terminalFor } from './terminal.ts';

/** As `deadtime init --agents` takes them. */
const agents = { claude: 'Claude Code', codex: 'Codex', copilot: 'Copilot', cursor: 'Cursor' };

/** Shows in a terminal what it would write for the chosen agents, and writes it after a yes: nothing is overwritten. */
export async function installAgentHook(context: ExtensionContext): Promise<void> {
  const terminal = terminalFor(context, 'an agent of the project runs the hook');
  if (!terminal) return;
  const chosen = await window.showQuickPick(
    Object.entries(agents).map(([name, label]) => ({ label, name })),
    { title: 'Which agents get the findings of their edits?', canPickMany: true },
  );
  if (!chosen || chosen.length === 0) return;
  await terminal.run('init', ['init', '--agents', chosen.map((it) => it.name).join(',')]);
}
