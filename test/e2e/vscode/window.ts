import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import type { VSCodeServer } from './server.ts';

/**
 * What a person does and sees in one window. Everything waits for what is on the screen: lists and lenses are made anew whenever
 * another extension registers a provider, so a snapshot of them says nothing.
 */
export interface Window {
  readonly page: Page;
  /** Addresses beyond this machine that something in the window asked for in vain; VS Code itself answers some. */
  readonly strayRequests: readonly string[];
  open(file: string): Promise<void>;
  /** Puts the cursor there; both count from 1. */
  goTo(line: number, column: number): Promise<void>;
  /** Runs a command by its title. */
  run(title: string): Promise<void>;
  save(): Promise<void>;
  /** Saves what has changed, since VS Code would ask, and closes every editor and the panel. */
  closeAll(): Promise<void>;
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
}

const screenshots = 'node_modules/.cache/deadtime-e2e';

export async function openWindow(
  browser: Browser,
  { url, workspace, folders }: VSCodeServer,
): Promise<Window> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const strayRequests: string[] = [];
  page.on('requestfailed', (request) => {
    if (!/^(?:https?:\/\/(?:127\.0\.0\.1|localhost)[:/]|blob:|data:)/.test(request.url())) {
      strayRequests.push(request.url());
    }
  });
  const opened = folders.length === 1 ? 'folder' : 'workspace';
  const payload = JSON.stringify([['skipWelcome', 'true']]);
  const query = new URLSearchParams({ [opened]: workspace, payload });
  await page.goto(`${url}/?${query}`);
  // The first window of a fresh server on a busy machine.
  await page
    .locator('.explorer-folders-view .monaco-list-row')
    .first()
    .waitFor({ timeout: 60_000 });
  const run = (title: string) => choose(page, { key: 'F1', text: `>${title}`, row: title });
  return {
    page,
    strayRequests,
    async open(file) {
      // By its absolute path: the list of files does not know one that was made a moment ago.
      await choose(page, { key: 'Control+P', text: file, row: basename(file) });
      await page.locator('.tab.active', { hasText: basename(file) }).waitFor();
      const group = page.locator('.editor-group-container.active');
      await group.locator('.monaco-editor.focused, .notebook-editor').first().waitFor();
    },
    async goTo(line, column) {
      await page.keyboard.press('Control+G');
      const input = page.locator('.quick-input-widget input[type=text]');
      await input.waitFor();
      await input.fill(`:${line}:${column}`);
      await page.keyboard.press('Enter');
      await page.locator('.statusbar-item', { hasText: `Ln ${line}, Col ${column}` }).waitFor();
    },
    run,
    async save() {
      await page.keyboard.press('Control+S');
      await page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
    },
    async closeAll() {
      await page.keyboard.press('Escape');
      if ((await page.locator('.tab.dirty').count()) > 0) await run('File: Save All');
      await page.locator('.tab.dirty').waitFor({ state: 'detached' });
      await run('View: Close All Editors');
      await page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
      if (await page.locator('.part.panel').isVisible()) await run('View: Hide Panel');
    },
    async screenshot(name) {
      mkdirSync(screenshots, { recursive: true });
      const path = join(screenshots, `${name}.png`);
      await page.screenshot({ path });
    },
    close: () => context.close(),
  };
}

interface Wanted {
  readonly key: string;
  readonly text: string;
  readonly row: string;
}

/**
 * From the list that a key opens. Where VS Code moves the focus at that moment, as it does once a workspace is trusted, the key
 * is lost or its list closes at once: a person would press it again.
 */
async function choose(page: Page, { key, text, row }: Wanted): Promise<void> {
  const input = page.locator('.quick-input-widget input[type=text]');
  const found = page.locator('.quick-input-list .monaco-list-row', { hasText: row }).first();
  const chosen = async (timeout: number) => {
    await page.keyboard.press(key);
    await input.fill(text, { timeout });
    await found.click({ timeout });
  };
  await chosen(5_000)
    .catch(() => chosen(10_000))
    .catch(() => chosen(30_000));
}

/** The page of a webview, within its two frames. */
export function webviewIn({ page }: Window): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
}
