import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { installedApart } from '../install-apart.ts';

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/**
 * The platforms of VS Code, each with what the parser calls it. Every one gets a .vsix of its own: all binaries together are
 * 8 MB compressed, and the parser as WebAssembly, which would do for all, is slower.
 */
export const targets = {
  'alpine-arm64': 'linux-arm64-musl',
  'alpine-x64': 'linux-x64-musl',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm64': 'linux-arm64-gnu',
  'linux-armhf': 'linux-arm-gnueabihf',
  'linux-x64': 'linux-x64-gnu',
  'win32-arm64': 'win32-arm64-msvc',
  'win32-x64': 'win32-x64-msvc',
} as const;
export type Target = keyof typeof targets;

/** The machine that this runs on. */
export function ownTarget(): Target {
  const { platform, arch } = process;
  const system = platform === 'linux' && isMusl() ? 'alpine' : platform;
  const name = `${system}-${arch === 'arm' ? 'armhf' : arch}`;
  if (name in targets) return name as Target;
  throw new Error(`VS Code has no extensions for ${name}.`);
}

/** The package that holds the parser's binary: where each file lies, and where it goes below the server. */
export function parserBinary(target: Target): readonly { from: string; to: string }[] {
  const name = `@oxc-parser/binding-${targets[target]}`;
  const folder = existsSync(join(modules, name)) ? modules : downloaded(name);
  return globSync('{package.json,*.node}', { cwd: join(folder, name) }).map((file) => ({
    from: join(folder, name, file),
    to: `node_modules/${name}/${file}`,
  }));
}

/** npm installs what other machines need only when it is forced to. */
function downloaded(name: string): string {
  const { version } = JSON.parse(
    readFileSync(join(modules, 'oxc-parser/package.json'), 'utf8'),
  ) as { readonly version: string };
  const folder = join(modules, `.cache/deadtime-parsers/${version}-${name.split('/')[1]}`);
  return installedApart(folder, [name, version], { isForced: true });
}

function isMusl(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}
