import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { packageExtension } from '../../tools/build/package-extension.ts';
import { launchBrowser } from './vscode/browser.ts';
import { type ServerOptions, startServer, type VSCodeServer } from './vscode/server.ts';
import { openWindow, type Window } from './vscode/window.ts';

export const shop = 'fixtures/editor/shop';

let packed: Promise<string> | undefined;

/** One window for all tests of a `describe`, with the packed extension installed. */
export interface Suite {
  readonly window: Window;
  readonly server: VSCodeServer;
  /** Opens a copy of a file of the shop, one for each test, and waits until its finding is underlined. */
  open(name: string, severity?: Severity): Promise<string>;
  underlined(severity: Severity): Locator;
  /** Waits until what is underlined has gone and come back, however soon. */
  renewed(severity: Severity, by: () => Promise<void>): Promise<void>;
  lens(text: string | RegExp): Locator;
  /** A question that has to be answered before anything else. */
  dialog(text: string): Locator;
  /** A message in the corner. */
  toast(text: string): Locator;
  /** Opens the menu of quick fixes at the cursor and chooses one. */
  fix(title: string): Promise<void>;
  /** Waits until the language status says so. */
  hasStatus(text: string): Promise<void>;
}

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** Its window and server are there from the first test on. */
export function suite(name: string, options: Omit<ServerOptions, 'vsix'>): Suite {
  let browser: Browser | undefined;
  let server: VSCodeServer | undefined;
  let window: Window | undefined;
  let copies = 0;

  before(async () => {
    const vsix = await (packed ??= packageExtension());
    server = await startServer({ ...options, vsix });
    browser = await launchBrowser();
    window = await openWindow(browser, server);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window?.screenshot(`failed-${name}-${copies}`);
    await window?.closeAll();
  });

  const underlined = (severity: Severity) => window!.page.locator(markOf(severity));
  const having = (selector: string, hasText: string | RegExp) =>
    window!.page.locator(selector, { hasText });
  return {
    lens: (text) => having('.codelens-decoration a', text),
    dialog: (text) => having('.monaco-dialog-box', text),
    toast: (text) => having('.notification-toast', text),
    get window() {
      return window!;
    },
    get server() {
      return server!;
    },
    underlined,
    async renewed(severity, by) {
      await Promise.all([isGone(window!.page, markOf(severity)), by()]);
      await underlined(severity).waitFor();
    },
    async open(file, severity = 'warning') {
      const path = join(server!.folders[0]!, 'src', `${++copies}-${basename(file)}`);
      const text = readFileSync(`${shop}/src/${file}`, 'utf8');
      // A proof is known again in another file; each test has a function of its own.
      const own = text.replaceAll(
        /(?<=export async function \w+)(?=\()/g,
        copies === 1 ? '' : `${copies}`,
      );
      writeFileSync(path, own);
      await window!.open(path);
      await underlined(severity).first().waitFor();
      return path;
    },
    async fix(title) {
      const { page } = window!;
      await page.locator('.lightBulbWidget').waitFor();
      const row = page.locator('.action-widget .monaco-list-row', { hasText: title });
      await page.keyboard.press('Control+.');
      for (let left = 5; left > 0 && !(await isShown(row)); left--) {
        // A key is lost where VS Code still closes a menu or asks for actions: a person would press it again.
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+.');
      }
      await row.click();
      // While it closes, the key for the menu would be its own.
      await row.waitFor({ state: 'detached' });
    },
    async hasStatus(text) {
      const { page } = window!;
      await page.locator('#status\\.languageStatus').click();
      await page.locator('.hover-language-status', { hasText: text }).first().waitFor();
      await page.keyboard.press('Escape');
    },
  };
}

function markOf(severity: Severity): string {
  return `.editor-instance .squiggly-${severity}`;
}

/** Looks at each frame of the page: between two looks from outside, it may have come back already. */
async function isGone(page: Page, selector: string): Promise<void> {
  await page.waitForFunction(`!document.querySelector(${JSON.stringify(selector)})`);
}

/** Whether it comes within a few seconds. */
function isShown(it: Locator): Promise<boolean> {
  return it.waitFor({ timeout: 5_000 }).then(
    () => true,
    () => false,
  );
}
