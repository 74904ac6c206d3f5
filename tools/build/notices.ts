import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** The licenses of the packages whose code the bundles hold, each as the package has it. */
export function noticesOf(root: string, metafiles: readonly Metafile[]): string {
  return packageFolders(metafiles)
    .map((folder) => noticeOf(join(root, folder)))
    .join('\n');
}

/** The folders of the packages in the bundles, from the project's top, sorted. */
export function packageFolders(metafiles: readonly Metafile[]): readonly string[] {
  const inputs = metafiles.flatMap((it) => Object.keys(it.inputs));
  return [...new Set(inputs.flatMap((it) => packageFolder(it) ?? []))].sort();
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
  const text =
    file === undefined ? inReadme(folder) : readFileSync(join(folder, file), 'utf8').trim();
  if (text === undefined) throw new Error(`${name} has no text of its license`);
  return `${name} ${version} (${license})\n\n${text}\n`;
}

function inReadme(folder: string): string | undefined {
  const file = readdirSync(folder).find((it) => /^readme/i.test(it));
  if (file === undefined) return undefined;
  const readme = readFileSync(join(folder, file), 'utf8');
  return /^#+ licen[cs]e\s+(.*(?:permission|redistribution).*)/ims.exec(readme)?.[1]?.trim();
}
