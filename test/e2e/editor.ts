import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { gitIn } from '../fakes/git-repository.ts';
import { shop, suite } from './suite.ts';
import { webviewIn } from './vscode/window.ts';

describe('the extension in VS Code', function () {
  this.timeout(90_000);
  const vs = suite('editor', { folders: [shop] });

  async function hoverAt(line: number, column: number): Promise<Locator> {
    const { window } = vs;
    await window.goTo(line, column);
    await window.page.keyboard.press('Control+K');
    await window.page.keyboard.press('Control+I');
    return window.page.locator('.monaco-hover:visible');
  }

  it('underlines a finding and lists it among the problems, with its rule', async () => {
    const { window } = vs;
    await vs.open('totals.ts');
    await window.page.keyboard.press('Control+Shift+M');
    const row = window.page.locator('.markers-panel .monaco-list-row', {
      hasText: 'Each iteration gives up a full turn of the event loop',
    });
    await row.locator('a', { hasText: 'no-yield-per-iteration' }).waitFor();
    await window.screenshot('problems');
  });

  it('tells in the hover what it costs, and opens the page of the rule from there', async () => {
    const { window } = vs;
    await vs.open('totals.ts');
    const hover = await hoverAt(10, 8);
    await hover.filter({ hasText: 'Not a problem' }).waitFor();
    await window.screenshot('hover');
    await hover.locator('a', { hasText: 'no-yield-per-iteration' }).first().click();
    await window.page.locator('.tab', { hasText: 'no-yield-per-iteration.md' }).waitFor();
  });

  it('applies the suggestion of the rule', async () => {
    const { window } = vs;
    const path = await vs.open('totals.ts');
    await window.goTo(10, 8);
    await vs.fix('Yield every 64 iterations');
    await vs.underlined('warning').waitFor({ state: 'detached' });
    await window.save();
    match(readFileSync(path, 'utf8'), /& 63/);
  });

  it('switches a rule off with the reason that it asks for', async () => {
    const { window } = vs;
    const path = await vs.open('worker.ts');
    await window.goTo(10, 8);
    await vs.fix('Ignore no-hot-path-sleep here, with a reason');
    await window.page
      .locator('.quick-input-widget input[type=text]')
      .fill('the service allows ten calls a second');
    await window.page.keyboard.press('Enter');
    await vs.underlined('warning').waitFor({ state: 'detached' });
    await window.save();
    match(
      readFileSync(path, 'utf8'),
      /\/\/ deadtime-ignore-next-line no-hot-path-sleep -- the service allows ten calls a second\n/,
    );
  });

  it('follows what is typed, without saving', async () => {
    const { window } = vs;
    await vs.open('worker.ts');
    await window.goTo(10, 5);
    await window.page.keyboard.press('Control+/');
    await vs.underlined('warning').waitFor({ state: 'detached' });
    await window.page.keyboard.press('Control+/');
    await vs.underlined('warning').waitFor();
  });

  it('follows a change of its settings without a restart', async () => {
    await vs.open('totals.ts');
    const folder = join(vs.server.folders[0]!, '.vscode');
    mkdirSync(folder, { recursive: true });
    const off = { 'deadtime.rules': { 'no-yield-per-iteration': 'off' } };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(off));
    await vs.underlined('warning').waitFor({ state: 'detached' });
    rmSync(folder, { recursive: true });
    await vs.underlined('warning').waitFor();
  });

  it('says in the status how many findings there are', async () => {
    await vs.open('jobs.ts');
    await vs.hasStatus('Deadtime: 2 findings');
  });

  it('pauses, goes on, and starts anew', async () => {
    const { window } = vs;
    await vs.open('worker.ts');
    await window.run('Deadtime: Pause');
    await vs.underlined('warning').waitFor({ state: 'detached' });
    await window.run('Deadtime: Resume');
    await vs.underlined('warning').waitFor();
    await window.run('Deadtime: Restart the Server');
    await vs.underlined('warning').waitFor({ state: 'detached' });
    await vs.underlined('warning').waitFor();
  });

  it('scans the workspace, and lists findings of files that are not open', async () => {
    const { window } = vs;
    await vs.open('worker.ts');
    await window.run('Deadtime: Scan the Workspace');
    await vs.toast('findings in').waitFor();
    await window.page.keyboard.press('Control+Shift+M');
    await window.page
      .locator('.markers-panel .monaco-list-row', { hasText: 'totals.ts' })
      .first()
      .waitFor();
  });

  it('lists what has come since the last commit, and opens it', async () => {
    const { window } = vs;
    const repository = gitIn({ path: vs.server.folders[0]!, write() {} });
    repository.git('init', '--quiet');
    repository.commit();
    const path = await vs.open('worker.ts');
    await window.run('Deadtime: Review the Changes since the Last Commit');
    const rows = window.page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: `${basename(path)}:10` }).waitFor();
    strictEqual(await rows.count(), 1);
    await window.page.keyboard.press('Enter');
    await window.page.locator('.statusbar-item', { hasText: 'Ln 10' }).waitFor();
  });

  it('says what holds for a file, and what one needs to report a defect', async () => {
    const { window } = vs;
    await vs.open('worker.ts');
    await window.run('Deadtime: Copy the Diagnostics Report');
    await vs.toast('The diagnostics report is in the clipboard.').waitFor();
    const copied = await window.page.evaluate<string>('navigator.clipboard.readText()');
    match(copied, /^VS Code 1\.139.*Node\.js v24.*workspace trusted\ndeadtime \d.*time by stage/s);
    await window.run('Deadtime: Show the Configuration of This File');
    await window.page
      .locator('.monaco-editor.focused .view-line', { hasText: 'no-autocommit-in-loop' })
      .first()
      .waitFor();
    await window.run('Deadtime: Show the Output');
    await window.page
      .locator('.part.panel .view-line', { hasText: 'Server process exited' })
      .first()
      .waitFor();
  });

  it('shows the page of a rule as it is meant to be read', async () => {
    const { window } = vs;
    await window.run("Deadtime: Open a Rule's Page");
    await window.page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'no-hot-path-sleep' })
      .first()
      .click();
    await webviewIn(window)
      .getByText('A fixed sleep in a worker is a speed limit that nobody wrote down.')
      .waitFor();
  });

  it('opens a sample that needs no project', async () => {
    const { window } = vs;
    await window.run('Deadtime: Open the Sample');
    await window.page.locator('.tab.active', { hasText: 'worker.ts' }).waitFor();
    await vs.underlined('warning').nth(2).waitFor();
    await window.screenshot('sample');
  });

  it('reached nothing beyond this machine', () => deepStrictEqual(vs.window.strayRequests, []));
});
