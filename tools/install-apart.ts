import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs a package into a folder of its own, once, because a lock file with it would bring it to everyone; no script of it
 * runs. `isForced` takes packages for other machines, too. Returns the folder's `node_modules`; throws where npm fails.
 */
export function installedApart(
  folder: string,
  [name, version]: readonly [name: string, version: string],
  { isForced } = { isForced: false },
): string {
  const modules = join(folder, 'node_modules');
  if (existsSync(join(modules, name))) return modules;
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, 'package.json');
  // What is there already is to stay.
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (isForced) flags.push('--force');
  execFileSync('npm', ['install', ...flags, `${name}@${version}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return modules;
}
