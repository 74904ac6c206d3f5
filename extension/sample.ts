import { commands, Disposable, type ExtensionContext, Uri, window, workspace } from 'vscode';
import type { Findings } from './findings.ts';
import type { Proofs } from './proofs.ts';

/** A file with findings for users without a project at hand; a copy, so that they may edit it. */
export function registerSample(
  context: ExtensionContext,
  findings: Findings,
  proofs: Proofs,
): Disposable {
  const original = Uri.joinPath(context.extensionUri, 'media/sample.ts.txt');
  const copy = Uri.joinPath(context.globalStorageUri, 'sample', 'worker.ts');
  const open = async () => {
    await workspace.fs.copy(original, copy, { overwrite: true });
    await window.showTextDocument(await workspace.openTextDocument(copy));
  };
  return Disposable.from(
    commands.registerCommand('deadtime.openSample', open),
    commands.registerCommand('deadtime.proveSample', async () => {
      await open();
      await proofs.prove(await findings.first(copy));
    }),
    commands.registerCommand('deadtime.openWalkthrough', () =>
      commands.executeCommand(
        'workbench.action.openWalkthrough',
        `${context.extension.id}#start`,
        false,
      ),
    ),
  );
}
