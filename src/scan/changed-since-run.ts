import { resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { keyOfText } from '../runtime/plan.ts';
import type { Recording } from '../runtime/recording.ts';

/** Those of the files, as a recording names them, whose text is different from that of the run: their lines may be others. */
export function changedSinceRun(
  files: readonly string[],
  { files: recorded }: Pick<Recording, 'files'>,
  { folder, textOf }: { readonly folder: string; textOf(path: string): string | undefined },
): readonly string[] {
  const keys = new Map(recorded.map((it) => [it.file, it.text]));
  return files.filter((it) => {
    const key = keys.get(it);
    const text = key === undefined ? undefined : textOf(resolve(folder, it));
    return text === undefined || keyOfText(text, crc32) !== key;
  });
}
