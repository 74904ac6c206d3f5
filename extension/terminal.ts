import {
  type ExtensionContext,
  ProcessExecution,
  Task,
  tasks,
  TaskScope,
  window,
  workspace,
  type WorkspaceFolder,
} from 'vscode';

/** The packed command line, in a terminal of one folder. */
export interface Terminal {
  readonly folder: WorkspaceFolder;
  /** `name`: of the task. */
  run(name: string, args: readonly string[]): Promise<void>;
}

/** `why`: what needs trust and a folder, as the end of a sentence. Without one of them it shows a message, and returns undefined. */
export function terminalFor(context: ExtensionContext, why: string): Terminal | undefined {
  if (!workspace.isTrusted) {
    void window.showInformationMessage(`Trust the workspace first: ${why}.`);
    return undefined;
  }
  const open = window.activeTextEditor?.document.uri;
  const folder = (open && workspace.getWorkspaceFolder(open)) ?? workspace.workspaceFolders?.[0];
  if (!folder) {
    void window.showInformationMessage(`Open a folder first: ${why}.`);
    return undefined;
  }
  return {
    folder,
    run: async (name, args) => {
      const program = context.asAbsolutePath('dist/server/dist/cli.js');
      const execution = new ProcessExecution(process.execPath, [program, ...args], {
        cwd: folder.uri.fsPath,
        env: { ELECTRON_RUN_AS_NODE: '1' },
      });
      const scope = workspace.workspaceFolders?.length === 1 ? folder : TaskScope.Workspace;
      const task = new Task({ type: 'deadtime' }, scope, name, 'deadtime', execution);
      // A terminal that an earlier task has used may not scroll to what comes.
      task.presentationOptions = { clear: true };
      await tasks.executeTask(task);
    },
  };
}
