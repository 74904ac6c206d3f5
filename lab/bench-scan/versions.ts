import { readFileSync } from 'node:fs';

/** Of a package that is installed here. */
export function versionOf(name: string): string {
  const manifest = readFileSync(`node_modules/${name}/package.json`, 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
