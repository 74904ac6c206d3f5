import { shop, suite } from './suite.ts';

describe('the extension in a restricted workspace', function () {
  this.timeout(120_000);
  const vs = suite('trust', {
    folders: [shop],
    hasTrust: true,
    settings: {
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.untrustedFiles': 'open',
    },
  });

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

  it('proves once the workspace is trusted', async () => {
    const { page } = vs.window;
    await vs.window.run('Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
    await page.locator('.statusbar', { hasText: 'Restricted Mode' }).waitFor({ state: 'detached' });
    await vs.window.closeAll();
    await vs.open('worker.ts');
    await vs.lens('Prove it').click();
    await vs.lens('Measuring').waitFor();
    await vs.lens(/slower|machine is busy/i).waitFor({ timeout: 60_000 });
  });
});
