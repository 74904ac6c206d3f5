import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type InstalledVSCode, installedVSCode } from './install.ts';

export interface ServerOptions {
  /** Folders of this repository; each is copied and opened, two of them as a multi-root workspace. */
  readonly folders: readonly string[];
  /** What lies in the first one beside what is copied, before a window sees it. */
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Without it every folder is trusted. */
  readonly hasTrust?: boolean;
  /** Folders of this machine that look empty to VS Code and all that it starts. */
  readonly hidden?: readonly string[];
  /** Folders of this repository with extensions that are there beside ours. */
  readonly extensions?: readonly string[];
  readonly vsix: string;
}

/** VS Code's server on a loopback port, with folders, settings and extensions of its own. */
export interface VSCodeServer {
  readonly url: string;
  /** The copies of the folders. */
  readonly folders: readonly string[];
  /** What the window opens: the folder, or the file that lists several. */
  readonly workspace: string;
  /** Where the extension keeps what belongs to no workspace. */
  readonly storage: string;
  readonly logs: string;
  stop(): Promise<void>;
}

const settings = {
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'files.hotExit': 'off',
  'git.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'terminal.integrated.gpuAcceleration': 'off',
  'workbench.editor.restoreEditors': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** The built-in extensions that the tests see: the languages and themes. What TypeScript says of missing packages is not ours. */
const builtIns = [
  'configuration-editing',
  'ipynb',
  'javascript',
  'json',
  'json-language-features',
  'markdown-basics',
  'markdown-language-features',
  'theme-defaults',
  'theme-seti',
  'typescript-basics',
];

export async function startServer(options: ServerOptions): Promise<VSCodeServer> {
  const vscode = installedVSCode();
  // A short path: VS Code's sockets lie below it, and theirs may have 107 characters.
  const root = mkdtempSync(join(tmpdir(), 'e2e-'));
  const folders = options.folders.map((it) => copied(it, join(root, basename(it))));
  for (const [name, text] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(folders[0]!, name)), { recursive: true });
    writeFileSync(join(folders[0]!, name), text);
  }
  const user = made(root, 'user/User');
  writeFileSync(
    join(user, 'settings.json'),
    JSON.stringify({ ...settings, ...options.settings }, undefined, 2),
  );
  const env = environment(root);
  const parameters = serverParameters(root, vscode, options);
  execFileSync(vscode.node, [...parameters, '--install-extension', options.vsix, '--force'], {
    env,
    stdio: 'pipe',
  });
  const listening = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token'];
  const [program, ...rest] = hiding(options.hidden ?? [], [
    vscode.node,
    ...parameters,
    ...listening,
  ]);
  const child = spawn(program!, rest, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const url = await urlOf(child, root);
  return {
    url,
    folders,
    workspace: folders.length === 1 ? folders[0]! : workspaceFile(root, folders),
    storage: join(user, 'globalStorage/deadtime.deadtime-vscode'),
    logs: join(root, 'data'),
    async stop() {
      const gone = child.exitCode === null ? once(child, 'exit') : undefined;
      stopGroup(child, 'SIGTERM');
      const hard = setTimeout(() => stopGroup(child, 'SIGKILL'), 5000);
      await gone;
      clearTimeout(hard);
      // The extension hosts are in the same group.
      stopGroup(child, 'SIGKILL');
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function serverParameters(
  root: string,
  { folder }: InstalledVSCode,
  { hasTrust = false, extensions = [] }: ServerOptions,
): readonly string[] {
  return [
    join(folder, 'out/server-main.js'),
    '--accept-server-license-terms',
    '--disable-telemetry',
    ...(hasTrust ? [] : ['--disable-workspace-trust']),
    ...['--server-data-dir', made(root, 'data')],
    ...['--user-data-dir', made(root, 'user')],
    ...['--extensions-dir', made(root, 'extensions')],
    ...['--builtin-extensions-dir', builtInFolder(root, folder, extensions)],
  ];
}

function builtInFolder(root: string, folder: string, others: readonly string[]): string {
  const chosen = made(root, 'built-in');
  const own = builtIns.map((name) => join(folder, 'extensions', name));
  for (const path of [...own, ...others.map((it) => resolve(it))]) {
    const link = join(chosen, basename(path));
    if (!existsSync(link)) symlinkSync(path, link);
  }
  return chosen;
}

/** The command with a view of the disk of its own. */
function hiding(folders: readonly string[], command: readonly string[]): readonly string[] {
  const present = folders.filter((it) => existsSync(it));
  if (present.length === 0) return command;
  const account = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const mounts = present.map((it) => `mount -t tmpfs none "${it}"`);
  const script = [...mounts, 'exec "$@"'].join(' && ');
  return ['unshare', '--mount', ...account, 'sh', '-c', script, 'sh', ...command];
}

/**
 * Nothing of whoever runs the tests: neither home nor npm's variables, nor the programs of this repository. Only npm finds its
 * settings and what it has fetched before, for the test that installs something.
 */
function environment(root: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:VSCODE_|ELECTRON_|npm_|NODE_(?!EXTRA_CA_CERTS))/.test(name),
  );
  const { PATH = '' } = process.env;
  return {
    ...Object.fromEntries(own),
    PATH: PATH.split(delimiter)
      .filter((it) => !it.includes('node_modules'))
      .join(delimiter),
    npm_config_userconfig: join(homedir(), '.npmrc'),
    npm_config_cache: join(homedir(), '.npm'),
    HOME: made(root, 'home'),
    TMPDIR: made(root, 'tmp'),
    XDG_CONFIG_HOME: made(root, 'home/.config'),
    XDG_DATA_HOME: made(root, 'home/.local/share'),
    XDG_CACHE_HOME: made(root, 'home/.cache'),
    XDG_RUNTIME_DIR: made(root, 'run'),
    EXTENSIONS_GALLERY: '{}',
  };
}

async function urlOf(child: ChildProcess, root: string): Promise<string> {
  const log = createWriteStream(join(root, 'server.log'));
  const lines: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) stream.pipe(log, { end: false });
  return new Promise((resolve, reject) => {
    createInterface(child.stdout!).on('line', (line) => {
      lines.push(line);
      const [, port] = /Extension host agent listening on (\d+)/.exec(line) ?? [];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`VS Code's server ended:\n${lines.join('\n')}`)));
  });
}

function workspaceFile(root: string, folders: readonly string[]): string {
  const path = join(root, 'both.code-workspace');
  writeFileSync(path, JSON.stringify({ folders: folders.map((it) => ({ path: it })) }));
  return path;
}

function copied(folder: string, to: string): string {
  cpSync(resolve(folder), to, { recursive: true });
  return to;
}

function made(root: string, name: string): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  return path;
}

function stopGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal);
  } catch {
    // It has ended.
  }
}
