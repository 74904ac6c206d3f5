import { strictEqual } from 'node:assert/strict';
import { shop, suite } from './suite.ts';

describe('proofs as tests in VS Code', function () {
  this.timeout(90_000);
  const vs = suite('proof-tests', {
    folders: [shop],
    settings: { 'deadtime.testing.enabled': true },
  });
  const { lens } = vs;

  it('lists the findings, and runs one by the sign next to its line', async () => {
    const { page } = vs.window;
    await vs.open('worker.ts');
    // It moves the line and its sign.
    await lens('Prove it').waitFor();
    await page.locator('.testing-run-glyph').click();
    await lens('Measuring').waitFor();
    await lens(/slower|Cannot be proved here|Exceeded its time/i)
      .first()
      .waitFor({ timeout: 60_000 });
    await vs.window.run('Test: Show Output');
    await page.locator('.test-output-peek-tree', { hasText: 'This worker sleeps' }).waitFor();
    await page.locator('.xterm-rows', { hasText: 'Ran on Node.js v24' }).waitFor();
    strictEqual(await page.locator('.test-message-inline-content').count(), 0);
  });

  it('asks before it runs them with all tests', async () => {
    await vs.open('jobs.ts');
    // VS Code knows the tests once it has drawn their signs, which is after the findings.
    await vs.window.page.locator('.testing-run-glyph').nth(1).waitFor();
    await vs.window.run('Test: Run All Tests');
    const question = vs.dialog('Prove 2 findings?');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await lens('Prove it').nth(1).waitFor();
  });
});
