import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** The licenses of the packages whose code the bundles hold, each as the package has it. */
export function noticesOf(root: string, metafiles: readonly Metafile[]): string {
  const inputs = metafiles.flatMap((it) => Object.keys(it.inputs));
  const folders = new Set(inputs.flatMap((it) => packageFolder(it) ?? []));
  return [...folders]
    .sort()
    .map((folder) => noticeOf(join(root, folder)))
    .join('\n');
}

/** `node_modules/@scope/name` of a file in it. */
function packageFolder(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<'name' | 'version' | 'license', string>>;
  const file = readdirSync(folder).find((it) => /^licen[cs]e/i.test(it));
  if (file === undefined) throw new Error(`${name} has no text of its license`);
  const text = readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
