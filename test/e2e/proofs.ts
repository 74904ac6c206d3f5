import { strictEqual } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { shop, suite } from './suite.ts';
import { webviewIn } from './vscode/window.ts';

describe('proofs in VS Code', function () {
  this.timeout(120_000);
  const vs = suite('proofs', { folders: [shop] });

  function lens(text: string | RegExp): Locator {
    return vs.window.page.locator('.codelens-decoration a', { hasText: text });
  }

  /** As a person would who is told that the machine is busy: again. */
  async function prove(): Promise<void> {
    await lens('Prove it').click();
    await lens('Measuring').waitFor();
    for (let attempt = 1; attempt < 4; attempt++) {
      await lens(/slower|machine is busy/i).waitFor({ timeout: 60_000 });
      if ((await lens('machine is busy').count()) === 0) return;
      await lens('machine is busy').click();
      await lens('Measuring').waitFor();
    }
    await lens(/slower/i).waitFor({ timeout: 60_000 });
  }

  it('measures from the lens and shows the number there, and the report beside the code', async () => {
    await vs.open('worker.ts');
    await prove();
    await vs.window.screenshot('proven');
    await lens(/slower/i).click();
    const report = webviewIn(vs.window);
    await report.getByText('Repeat it').waitFor();
    await report.locator('svg').first().waitFor();
    strictEqual(await report.locator('script').count(), 0);
    await vs.window.screenshot('report');
  });

  it('raises information to a warning by a proof, and calls it stale after an edit', async () => {
    await vs.open('outbox.ts', 'info');
    await prove();
    await vs.underlined('warning').waitFor();
    await vs.underlined('info').waitFor({ state: 'detached' });
    await vs.window.goTo(10, 5);
    await vs.window.page.keyboard.type('await redis.ping(); ');
    await lens('Stale').waitFor();
    await vs.window.screenshot('stale');
  });

  it('stops a proof that is cancelled', async () => {
    await vs.open('worker.ts');
    await lens('Prove it').click();
    await lens('Measuring').click();
    await lens('Cancelled').waitFor();
  });

  it('lists the findings as tests, of which one is run by its sign beside the line', async () => {
    const { page } = vs.window;
    await vs.open('worker.ts');
    await page.locator('.testing-run-glyph').click();
    await lens('Measuring').waitFor();
    await lens(/slower|machine is busy/i).waitFor({ timeout: 60_000 });
    await page.locator('.test-output-peek-tree', { hasText: 'This worker sleeps' }).waitFor();
  });

  it('ends its walkthrough in a proof of the sample', async () => {
    const { page } = vs.window;
    await vs.window.run('Deadtime: Open the Walkthrough');
    const step = page.locator('.getting-started-step', { hasText: 'Prove it' });
    await step.click();
    await vs.window.screenshot('walkthrough');
    await step.locator('.monaco-button', { hasText: 'Prove the Findings of the Sample' }).click();
    await page.locator('.tab', { hasText: 'worker.ts' }).waitFor();
    await lens(/slower|machine is busy/i)
      .first()
      .waitFor({ timeout: 60_000 });
  });
});
