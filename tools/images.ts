import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../test/e2e/vscode/browser.ts';
import { installVSCode } from '../test/e2e/vscode/install.ts';
import { startServer } from '../test/e2e/vscode/server.ts';
import { openWindow, type Window, webviewIn } from '../test/e2e/vscode/window.ts';
import { packageExtension } from './build/package-extension.ts';

/* Takes the pictures in docs/images, in a light and a dark theme. Look at them before you commit them. */

const images = resolve('docs/images');
const project = 'fixtures/projects/parcel-tracker';
/** The sleep of the worker in it. */
const worker = { file: 'src/jobs/label-worker.ts', line: 25, column: 7 };

type Theme = 'light' | 'dark';

const browser = await launchBrowser();
try {
  await pictureReport(browser);
  await pictureEditor(browser);
} finally {
  await browser.close();
}

function imageOf(name: string, theme: Theme): { readonly path: string } {
  return { path: join(images, `${name}${theme === 'dark' ? '-dark' : ''}.png`) };
}

async function pictureReport(from: Browser): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'images-'));
  const html = join(folder, 'report.html');
  const program = ['--import', 'tsx', resolve('src/cli/main.ts'), 'check', '-f', `html:${html}`];
  spawnSync(process.execPath, program, { cwd: project, stdio: 'inherit' });
  for (const theme of ['light', 'dark'] as const) {
    const page = await from.newPage({
      viewport: { width: 1180, height: 760 },
      colorScheme: theme,
    });
    await page.goto(pathToFileURL(html).href);
    if (theme === 'dark') await page.locator('.finding summary').first().click();
    await page.screenshot(imageOf('check-report', theme));
    await page.close();
  }
  rmSync(folder, { recursive: true });
}

async function pictureEditor(from: Browser): Promise<void> {
  installVSCode();
  const server = await startServer({
    folders: [project],
    settings: {
      'editor.hover.above': false,
      'editor.stickyScroll.enabled': false,
      'window.autoDetectColorScheme': true,
      'workbench.activityBar.location': 'hidden',
    },
    vsix: await packageExtension(),
  });
  try {
    const window = await openWindow(from, server);
    await window.page.setViewportSize({ width: 1080, height: 620 });
    await window.run('View: Close Primary Side Bar');
    await window.open(join(server.folders[0]!, worker.file));
    await window.page.locator('.editor-instance .squiggly-warning').first().waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await useTheme(window, theme);
      await hover(window);
      await window.page.screenshot(imageOf('hover', theme));
      await window.page.keyboard.press('Escape');
    }
    await pictureProof(window, server.folders[0]!);
  } finally {
    await server.stop();
  }
}

async function useTheme({ page }: Window, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`.monaco-workbench.${theme === 'dark' ? 'vs-dark' : 'vs'}`).waitFor();
}

async function hover(window: Window): Promise<void> {
  const { page } = window;
  await window.goTo(worker.line, worker.column);
  await page.locator('.codelens-decoration a', { hasText: 'Prove it' }).waitFor();
  // Room below for the hover, which would cover the lens.
  for (let lines = 0; lines < 6; lines++) await page.keyboard.press('Control+ArrowDown');
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+I');
  await page.locator('.monaco-hover:visible', { hasText: 'When it is fine' }).waitFor();
}

/** Of a loop in memory: it needs no database, and timers are slow on any machine. */
async function pictureProof(window: Window, folder: string): Promise<void> {
  const { page } = window;
  const lens = (text: RegExp) => page.locator('.codelens-decoration a', { hasText: text });
  await useTheme(window, 'light');
  await page.setViewportSize({ width: 1280, height: 720 });
  await window.open(join(folder, 'src/jobs/month-end.ts'));
  await lens(/Prove it/).click();
  // A busy machine gives no result: then again.
  const ended = lens(/^Report$|Cannot be proved|Exceeded/);
  for (let tries = 0; tries < 4 && (await lens(/^Report$/).count()) === 0; tries++) {
    await ended.click({ timeout: 90_000 });
  }
  await webviewIn(window).locator('svg').first().waitFor();
  await page.screenshot(imageOf('report', 'light'));
}
