// Plain JavaScript: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = ['src', 'rules', 'server', 'tools/build', 'package.json'];
const [path, ...options] = process.argv.slice(2);

if (!existsSync(join(root, 'node_modules'))) run('npm', ['ci'], { inShell: true });
if (isBuildStale()) run(process.execPath, ['--import', 'tsx', 'tools/build/build.ts']);
// npm runs scripts in the package; a path is meant where the user is.
const target = path
  ? resolve(process.env['INIT_CWD'] ?? process.cwd(), path)
  : join('fixtures', 'projects');
const { status } = spawnSync(
  process.execPath,
  ['dist/cli.js', 'check', '--prove', target, ...options],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
// Findings are what this command is for: npm would call exit code 1 a failure.
process.exitCode = status === 1 ? 0 : (status ?? 3);

function run(command, args, { inShell = false } = {}) {
  const isShellNeeded = inShell && process.platform === 'win32';
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: isShellNeeded,
  });
  if (status !== 0) process.exit(status ?? 3);
}

function isBuildStale() {
  const built = statSync(join(root, 'dist', 'cli.js'), { throwIfNoEntry: false });
  if (!built) return true;
  return sources.some((source) => newestMs(join(root, source)) > built.mtimeMs);
}

function newestMs(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}
