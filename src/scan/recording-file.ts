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
  /** A sentence: what is wrong with the file, and what to do. */
  | { readonly mistake: string };

/** The recording of the program in a folder; undefined where it has none. Without one, this opens one file that does not exist. */
export function recordingIn(folder: string): FoundRecording | undefined {
  let text: string;
  try {
    text = regularText(join(folder, recordingName));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return refused(error instanceof UnfitFile ? error.why : 'cannot be read');
  }
  const checked = checkedRecording(jsonOf(text));
  return 'mistake' in checked ? refused(checked.mistake) : checked;
}

/** Errors of the parser quote the text, which may be that of any file: a link of the project may lead to it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(why: string): FoundRecording {
  return {
    mistake: `${recordingName} ${why}, so findings have no measured costs. Run deadtime run again, or remove the file.`,
  };
}
