import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Locator } from 'playwright-core';
import { gitIn } from '../fakes/git-repository.ts';
import { shop, suite } from './suite.ts';
import { webviewIn } from './vscode/window.ts';

interface Tool {
  readonly name: string;
  readonly modelDescription: string;
  readonly inputSchema: object;
}

describe('the extension in VS Code', function () {
  this.timeout(90_000);
  const vs = suite('editor', { folders: [shop], extensions: ['test/e2e/companion'] });

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

  it('shows in the hover what it costs, and opens the page of the rule from there', async () => {
    const { window } = vs;
    await vs.open('totals.ts');
    const hover = await hoverAt(10, 8);
    await hover.filter({ hasText: 'When it is fine' }).waitFor();
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
    match(readFileSync(path, 'utf8'), /% 64 === 0/);
  });

  it('disables a rule with the reason that it asks for', async () => {
    const { window } = vs;
    const path = await vs.open('worker.ts');
    await window.goTo(10, 8);
    await vs.fix('Ignore no-hot-path-sleep here, with a reason');
    await window.page
      .locator('.quick-input-widget input[type=text]')
      .fill('the service allows ten calls per second');
    await window.page.keyboard.press('Enter');
    await vs.underlined('warning').waitFor({ state: 'detached' });
    await window.save();
    match(
      readFileSync(path, 'utf8'),
      /\/\/ deadtime-ignore-next-line no-hot-path-sleep -- the service allows ten calls per second\n/,
    );
  });

  it('explains, prompts and remembers from the same menu', async () => {
    const { window } = vs;
    await vs.open('worker.ts');
    await window.goTo(10, 8);
    await vs.fix('Copy a prompt that fixes this');
    await window.page
      .locator('.statusbar', { hasText: 'The prompt is in the clipboard.' })
      .waitFor();
    match(
      await window.page.evaluate<string>('navigator.clipboard.readText()'),
      /no-hot-path-sleep/,
    );
    await window.goTo(10, 9);
    await vs.fix('Add this finding to the baseline');
    await window.page.locator('.quick-input-widget input[type=text]').fill('the queue is short');
    await window.page.keyboard.press('Enter');
    await vs.underlined('warning').waitFor({ state: 'detached' });
    const baseline = join(vs.server.folders[0]!, 'deadtime.baseline.json');
    match(readFileSync(baseline, 'utf8'), /"reason":"the queue is short"/);
    rmSync(baseline);
    await vs.underlined('warning').waitFor();
    await window.goTo(10, 8);
    await vs.fix('Explain no-hot-path-sleep');
    await webviewIn(window).getByText('A fixed sleep in a worker').first().waitFor();
  });

  it('shows in a terminal what the hook of a coding agent needs, and writes it after a yes', async () => {
    const { page } = vs.window;
    await vs.open('worker.ts');
    await vs.window.run('Deadtime: Install the Hook of a Coding Agent');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Claude Code' }).click();
    await page.keyboard.press('Enter');
    const terminal = page.locator('.xterm-rows');
    await terminal.filter({ hasText: '[y/N]' }).waitFor();
    const written = join(vs.server.folders[0]!, '.claude/settings.json');
    strictEqual(existsSync(written), false);
    await page.locator('.xterm', { hasText: '[y/N]' }).click();
    await page.keyboard.type('y');
    await page.keyboard.press('Enter');
    await terminal.filter({ hasText: 'press any key' }).waitFor();
    match(readFileSync(written, 'utf8'), /deadtime hook/);
  });

  it('runs a program in a terminal, and writes what it waited for', async () => {
    const { page } = vs.window;
    const folder = vs.server.folders[0]!;
    writeFileSync(
      join(folder, 'paused.mjs'),
      "import { setTimeout as sleep } from 'node:timers/promises';\nawait sleep(50);\n",
    );
    await vs.open('worker.ts');
    await vs.window.run('Deadtime: Run and Measure the Program');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'A different command' }).click();
    await page.locator('.quick-input-box input').fill('node paused.mjs');
    await page.keyboard.press('Enter');
    await page.locator('.xterm-rows', { hasText: /Measured:\s+node/ }).waitFor();
    strictEqual(existsSync(join(folder, '.deadtime/run.json')), true);
    rmSync(join(folder, 'paused.mjs'));
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

  it('shows in the status how many findings there are', async () => {
    await vs.open('jobs.ts');
    await vs.hasStatus('Deadtime: 2 findings');
  });

  it('pauses, continues, and restarts', async () => {
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

  it('shows the configuration of a file, and the data for a bug report', async () => {
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
    await vs.open('worker.ts');
    await window.run('Deadtime: Why Is There No Finding on This Line?');
    await window.page
      .locator('.monaco-editor .view-line', { hasText: /worker\.ts:\d+\s/ })
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
      .getByText('A fixed sleep in a worker is a speed limit that no document states.')
      .waitFor();
  });

  it('opens a sample that needs no project', async () => {
    const { window } = vs;
    await window.run('Deadtime: Open the Sample');
    await window.page.locator('.tab.active', { hasText: 'worker.ts' }).waitFor();
    await vs.underlined('warning').nth(2).waitFor();
    await window.screenshot('sample');
  });

  it('reads a text that was never saved', async () => {
    const { window } = vs;
    await window.run('Companion: Open a New Text');
    await window.page.locator('.tab.active', { hasText: 'Untitled-1' }).waitFor();
    await vs.underlined('warning').waitFor();
    await window.run('View: Revert and Close Editor');
  });

  it('reads the cells of a notebook as one program', async () => {
    const { window } = vs;
    const [head, tail] = readFileSync(`${shop}/src/worker.ts`, 'utf8').split(/(?=export )/);
    const cells = [head!, tail!].map((source) => ({
      ...{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source },
    }));
    const metadata = { language_info: { name: 'typescript' } };
    const path = join(vs.server.folders[0]!, 'explore.ipynb');
    writeFileSync(path, JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }));
    await window.open(path);
    await window.page.locator('.notebook-editor .squiggly-warning').waitFor();
    await window.screenshot('notebook');
  });

  describe('to a language model', () => {
    async function answerTo(command: string): Promise<unknown> {
      await vs.window.run(`Companion: ${command}`);
      return told();
    }

    async function told(): Promise<unknown> {
      const toast = vs.toast('The answer is in the clipboard.');
      await toast.waitFor();
      const text = await vs.window.page.evaluate<string>('navigator.clipboard.readText()');
      await vs.window.run('Notifications: Clear All Notifications');
      await toast.waitFor({ state: 'detached' });
      return JSON.parse(text);
    }

    it('offers the tools of its manifest', async () => {
      await vs.open('worker.ts');
      const tools = (await answerTo('List the Tools')) as readonly { readonly name: string }[];
      const { contributes } = JSON.parse(readFileSync('extension/package.json', 'utf8')) as {
        readonly contributes: { readonly languageModelTools: readonly Tool[] };
      };
      deepStrictEqual(
        tools.filter(({ name }) => name.startsWith('deadtime_')),
        contributes.languageModelTools.map(({ name, modelDescription, inputSchema }) => ({
          ...{ name, description: modelDescription, inputSchema },
        })),
      );
    });

    it('answers as the server for agents does', async () => {
      await vs.open('worker.ts');
      const client = new Client({ name: 'a test', version: '1.0.0' });
      const args = [resolve('extension/dist/server/dist/cli.js'), 'mcp'];
      await client.connect(
        new StdioClientTransport({
          ...{ command: process.execPath, args, cwd: vs.server.folders[0]! },
        }),
      );
      const ask = async (name: string, parameters: Record<string, unknown>) => {
        const { content } = await client.callTool({ name, arguments: parameters });
        return content[0]?.type === 'text' ? content[0].text : undefined;
      };
      const expected = [
        await ask('check_code', { paths: ['src/worker.ts'] }),
        await ask('explain_finding', { id: 'src/worker.ts:10' }),
      ];
      await client.close();
      match(expected.join(), /^deadtime: 1 finding\nsrc\/worker\.ts:10 no-hot-path-sleep/);
      deepStrictEqual(await answerTo('Ask the Tools'), expected);
    });

    it('proves after a yes only', async () => {
      await vs.open('worker.ts');
      const question = vs.dialog('A benchmark of the shape of src/worker.ts:10 runs');
      const answers: unknown[] = [];
      for (const button of ['Cancel', 'Yes']) {
        await vs.window.run('Companion: Ask for a Proof');
        await question.getByRole('button', { name: button }).click();
        answers.push(await told());
      }
      match(String(answers[0]), /^Canceled/);
      match(String(answers[1]), /slower|machine is busy|No difference/i);
    });
  });

  it('reached nothing beyond this machine', () => deepStrictEqual(vs.window.strayRequests, []));
});
