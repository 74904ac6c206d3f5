import { commands, Disposable, type ExtensionContext, Uri, window, workspace } from 'vscode';

/** Pages of rules come from the extension: without network, and without the question that a web link asks. */
const scheme = 'deadtime-rule';

export function rulePageAddress(ruleId: string): string {
  return `${scheme}:/${ruleId}.md`;
}

export function registerRulePages(context: ExtensionContext): Disposable {
  const folder = Uri.joinPath(context.extensionUri, 'dist/server/rules');
  return Disposable.from(
    workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent({ path }) {
        return pageOf(folder, path.slice(1).replace(/\.md$/, ''));
      },
    }),
    commands.registerCommand('deadtime.openRulePage', async (ruleId?: string) => {
      const id = ruleId ?? (await chosenRule(folder));
      if (id !== undefined) await openRulePage(id);
    }),
  );
}

/** Opens the page as rendered Markdown. */
export async function openRulePage(ruleId: string): Promise<void> {
  await commands.executeCommand('markdown.showPreview', Uri.parse(rulePageAddress(ruleId)));
}

async function chosenRule(folder: Uri): Promise<string | undefined> {
  const entries = await workspace.fs.readDirectory(folder);
  const items = entries.map(async ([label]) => {
    return { label, detail: descriptionIn(await pageOf(folder, label)) };
  });
  const options = { title: 'Which rule?', matchOnDetail: true };
  return (await window.showQuickPick(Promise.all(items), options))?.label;
}

async function pageOf(folder: Uri, id: string): Promise<string> {
  const page = await workspace.fs.readFile(Uri.joinPath(folder, id, 'README.md'));
  return new TextDecoder().decode(page);
}

/** The line below the title of a rule's page. */
function descriptionIn(page: string): string {
  return page.split('\n\n', 2)[1] ?? '';
}
