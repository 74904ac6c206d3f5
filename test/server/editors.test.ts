import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { builtCli } from '../fakes/built-cli.ts';
import { folderWith } from '../fakes/folder.ts';
import { worker as text } from '../fakes/worker.ts';

/** An editor that Debian has, with the settings for it in docs/guides/editors.md. */
interface Editor {
  readonly name: string;
  /** What installs it. */
  readonly packages: string;
  /** Ends well where it is installed. */
  readonly version: readonly string[];
  /** The heading of its settings, which are the first block below. */
  readonly heading: string;
  /** Runs the settings, and then what a person would do: open, look, point at it, choose the last action, look again. */
  readonly start: readonly string[];
}

const drives = resolve('test/server/drives');
const emacs = ['emacs', '--batch', '--eval', '(package-initialize)', '--load'];
const editors: readonly Editor[] = [
  {
    ...{ name: 'Neovim', heading: 'Neovim from 0.7 on', packages: 'neovim' },
    version: ['nvim', '--version'],
    start: [
      ...['nvim', '--headless', '--clean', '-n'],
      ...['-S', 'settings.lua', '-S', `${drives}/neovim.lua`],
    ],
  },
  ...(['eglot', 'lsp-mode'] as const).map((client): Editor => {
    const name = `Emacs with ${client === 'eglot' ? 'Eglot' : client}`;
    const start = ['settings.elisp', `${drives}/emacs.el`, `${drives}/${client}.el`];
    return {
      ...{ name, heading: name, packages: `emacs-nox elpa-${client}` },
      version: [...emacs, client],
      start: [...emacs, ...start.flatMap((it, i) => (i === 0 ? [`./${it}`] : ['--load', it]))],
    };
  }),
];

/** What a person would see in it. */
interface Seen {
  readonly diagnostics: readonly string[];
  readonly hover: string;
  readonly configuration: string;
  readonly titles: readonly string[];
  readonly after: number;
  readonly lines: string;
}

describe('docs/guides/editors.md', function () {
  this.timeout(120_000);
  let cli: string;
  let running: ChildProcess | undefined;
  before(async () => (cli = await builtCli()));
  after(() => {
    running?.kill('SIGKILL');
  });

  for (const editor of editors) {
    it(`has settings that work in ${editor.name}`, async function () {
      const [program, ...ask] = editor.version;
      if (spawnSync(program!, ask).status !== 0) {
        // Mocha says of a skipped test only its name.
        this.test!.title += ` (skipped: apt-get install ${editor.packages})`;
        return this.skip();
      }
      const { language, settings } = settingsOf(editor.heading);
      const folder = folderWith({
        ...{ 'package.json': '{}', 'worker.js': text },
        // Another profile than it would be without them.
        [`settings.${language}`]: settings.replace('recommended', 'strict'),
      });
      mkdirSync(join(folder.path, 'node_modules/.bin'), { recursive: true });
      symlinkSync(cli, join(folder.path, 'node_modules/.bin/deadtime'));
      const [command, ...parameters] = editor.start;
      running = spawn(command!, parameters, { cwd: folder.path, stdio: 'ignore' });
      await once(running, 'exit');
      const seen = JSON.parse(readFileSync(join(folder.path, 'seen.json'), 'utf8')) as Seen;
      deepStrictEqual(seen.diagnostics, ['10 no-hot-path-sleep']);
      match(seen.hover, /\*\*Prove:\*\* `npx deadtime prove worker\.js:10`/);
      match(seen.configuration, /"profile": "strict"/);
      strictEqual(seen.titles.at(-1), 'Ignore no-hot-path-sleep here, with a reason');
      strictEqual(seen.after, 0);
      match(
        seen.lines,
        /\n {4}\/\/ deadtime-ignore-next-line no-hot-path-sleep -- TODO: state why\n {4}await sleep/,
      );
    });
  }
});

function settingsOf(heading: string) {
  const [, below = ''] = readFileSync('docs/guides/editors.md', 'utf8').split(`\n### ${heading}\n`);
  const [, language, settings] = /```(\w+)\n([^]*?)```/.exec(below)!;
  return { language: language!, settings: settings! };
}
