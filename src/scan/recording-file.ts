import { join } from 'node:path';
import { checkedRecording } from '../runtime/checked-recording.ts';
import type { Recording } from '../runtime/recording.ts';
import { regularText, UnfitFile } from '../system/regular-file.ts';

/** Where `deadtime run` writes its recording, from the folder in which it was started. */
export const recordingName = '.deadtime/run.json';

/** For an agent, which may ask its user: the command runs the program. */
export const noRecording = `There is no ${recordingName}. This command runs the program and writes it: npx deadtime run -- node server.js`;

export type FoundRecording =
  | { readonly recording: Recording }
  /** What is wrong with the file. */
  | { readonly mistake: string };

/** The recording of the program in a folder; undefined where it has none. Without one, this opens one file that does not exist. */
export function recordingIn(folder: string): FoundRecording | undefined {
  const found = recordingAt(join(folder, recordingName));
  return found && 'mistake' in found
    ? {
        mistake: `${recordingName} ${found.mistake}, so findings have no measured costs. Run deadtime run again, or remove the file.`,
      }
    : found;
}

/** The same of a file; a mistake follows its path in a sentence. Undefined where there is none. */
export function recordingAt(path: string): FoundRecording | undefined {
  let text: string;
  try {
    text = regularText(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { mistake: error instanceof UnfitFile ? error.why : 'cannot be read' };
  }
  return checkedRecording(jsonOf(text));
}

/** Errors of the parser quote the text, which may be that of any file: a link of the project may lead to it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
