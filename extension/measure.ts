import { type ExtensionContext, Uri, window, workspace } from 'vscode';
import { type Terminal, terminalFor } from './terminal.ts';

/** Where the command that was typed last is kept, for the workspace. */
const LAST = 'deadtime.measured';

/** Runs the program in a terminal with probes, until it ends or Ctrl-C: the findings then show what they cost in it. */
export async function runAndMeasure(context: ExtensionContext): Promise<void> {
  const terminal = terminalFor(context, 'the program of the project is run');
  if (!terminal) return;
  const command = await chosenCommand(context, terminal);
  if (command) await terminal.run('run', ['run', '--', ...command]);
}

async function chosenCommand(
  context: ExtensionContext,
  { folder }: Terminal,
): Promise<readonly string[] | undefined> {
  const last = context.workspaceState.get<string>(LAST);
  const typed = { label: 'A different command…', description: last ?? 'node server.js' };
  const scripts = (await scriptsIn(folder.uri)).map(([name, script]) => ({
    label: `npm run ${name}`,
    description: script,
  }));
  const chosen = await window.showQuickPick([...scripts, typed], {
    title: 'Which command starts the program?',
    placeHolder: 'Send it the requests that matter, then press Ctrl-C in the terminal',
  });
  if (chosen !== typed) return chosen?.label.split(' ');
  const line = await window.showInputBox({
    title: 'Which command starts the program?',
    value: last ?? 'node ',
  });
  if (!line?.trim()) return undefined;
  await context.workspaceState.update(LAST, line);
  return wordsOf(line);
}

async function scriptsIn(folder: Uri): Promise<readonly (readonly [string, string])[]> {
  try {
    const manifest = await workspace.fs.readFile(Uri.joinPath(folder, 'package.json'));
    const { scripts } = JSON.parse(new TextDecoder().decode(manifest)) as {
      readonly scripts?: Readonly<Record<string, unknown>>;
    };
    return Object.entries(scripts ?? {}).flatMap(([name, script]) =>
      typeof script === 'string' && !/\s/.test(name) ? [[name, script] as const] : [],
    );
  } catch {
    // Without a manifest, the command is typed.
    return [];
  }
}

/** As a shell divides them, as far as quotes go. */
function wordsOf(line: string): readonly string[] {
  return Array.from(line.matchAll(/"([^"]*)"|'([^']*)'|\S+/g), ([word, a, b]) => a ?? b ?? word);
}
