import { match, strictEqual } from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shop, suite } from './suite.ts';

const toggled = "Companion: Toggle the User's Wish for the Version of the Workspace";
const installed = 'node_modules/deadtime/dist/cli.js';

/** Leaves a trace, and is then the server that the extension is packed with. */
const tracing = `
  import { writeFileSync } from 'node:fs';
  writeFileSync(new URL('../trace', import.meta.url), '');
  await import('${pathToFileURL(resolve('extension/dist/server/dist/cli.js'))}');
`;

/** Answers the first request, as a server of before there was a number for the protocol. */
const older = `
  process.stdin.once('data', (request) => {
    const [, id] = /"id":(\\d+)/.exec(request);
    const result = { capabilities: {}, serverInfo: { name: 'deadtime', version: '0.0.9' } };
    const answer = JSON.stringify({ jsonrpc: '2.0', id: Number(id), result });
    process.stdout.write(\`Content-Length: \${answer.length}\\r\\n\\r\\n\${answer}\`);
  });
`;

describe('the extension in a restricted workspace', function () {
  this.timeout(120_000);
  const vs = suite('trust', {
    folders: [shop],
    hasTrust: true,
    extensions: ['test/e2e/companion'],
    settings: {
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.untrustedFiles': 'open',
    },
    files: {
      '.vscode/settings.json': JSON.stringify({ 'deadtime.useWorkspaceVersion': true }),
      'node_modules/deadtime/package.json': JSON.stringify({ name: 'deadtime', type: 'module' }),
      [installed]: tracing,
    },
  });
  const hasTrace = () => existsSync(join(vs.server.folders[0]!, installed, '../../trace'));

  /** Waits until the output has it: in all of its lines, since the panel wraps them. */
  async function hasOutput(text: string): Promise<void> {
    await vs.window.run('Deadtime: Show the Output');
    await vs.window.page.locator('.part.panel .view-lines', { hasText: text }).first().waitFor();
  }

  it('analyses, and starts no proof', async () => {
    const { page } = vs.window;
    await page.locator('.statusbar', { hasText: 'Restricted Mode' }).waitFor();
    await vs.open('worker.ts');
    await vs.lens('Prove it').click();
    const refusal = vs.toast('this workspace is not trusted');
    await refusal.waitFor();
    await vs.window.screenshot('restricted');
    await refusal.locator('.monaco-button', { hasText: 'Manage Workspace Trust' }).click();
    await page.locator('.workspace-trust-editor').waitFor();
  });

  it('runs its own version, also where the workspace sets a different one', async () => {
    await vs.open('worker.ts');
    await vs.hasStatus('of the extension');
    strictEqual(hasTrace(), false);
    await vs.window.run(toggled);
    await hasOutput("Runs the extension's version: the workspace is not trusted.");
    await vs.renewed('warning', () => vs.window.run('Deadtime: Restart the Server'));
    await vs.hasStatus('of the extension');
    strictEqual(hasTrace(), false);
    await vs.window.run(toggled);
  });

  it('proves once the workspace is trusted', async () => {
    const { page } = vs.window;
    await vs.window.run('Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
    await page.locator('.statusbar', { hasText: 'Restricted Mode' }).waitFor({ state: 'detached' });
    await hasOutput('Runs deadtime');
    await vs.window.closeAll();
    await vs.open('worker.ts');
    await vs.lens('Prove it').click();
    await vs.lens('Measuring').waitFor();
    await vs.lens(/slower|machine is busy|did not fit its time/i).waitFor({ timeout: 60_000 });
  });

  it('runs the version of the workspace then, and reports that', async () => {
    strictEqual(hasTrace(), true);
    await vs.open('worker.ts');
    await vs.hasStatus('of the workspace');
    await vs.window.run('Deadtime: Copy the Diagnostics Report');
    await vs.toast('The diagnostics report is in the clipboard.').waitFor();
    const copied = await vs.window.page.evaluate<string>('navigator.clipboard.readText()');
    match(copied, /deadtime \d\S+ of the workspace, workspace trusted\ndeadtime \d/);
  });

  for (const [name, text, said] of [
    ['speaks another protocol', older, 'deadtime 0.0.9 of the workspace'],
    ['does not start', 'process.exitCode = 1;', 'the version of the workspace does not start.'],
    [
      'answers nothing',
      'process.stdin.resume();',
      'the version of the workspace does not respond within',
    ],
  ] as const) {
    it(`runs its own version where that of the workspace ${name}`, async () => {
      await vs.open('worker.ts');
      writeFileSync(join(vs.server.folders[0]!, installed), text);
      await vs.window.run('Deadtime: Restart the Server');
      await hasOutput(`Runs the extension's version: ${said}`);
      strictEqual(await vs.toast("couldn't create connection").count(), 0);
      await vs.underlined('warning').waitFor();
      await vs.hasStatus('of the extension');
    });
  }

  it('changes to its own version with the setting', async () => {
    await vs.open('worker.ts');
    writeFileSync(join(vs.server.folders[0]!, installed), tracing);
    await vs.renewed('warning', () => vs.window.run('Deadtime: Restart the Server'));
    await vs.hasStatus('of the workspace');
    await vs.renewed('warning', () =>
      rm(join(vs.server.folders[0]!, '.vscode'), { recursive: true }),
    );
    await vs.hasStatus('of the extension');
    // The client that has ended meanwhile has nothing to complain of.
    strictEqual(await vs.toast('didChangeConfiguration').count(), 0);
  });
});
