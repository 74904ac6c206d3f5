import { checkedRecording } from '../runtime/checked-recording.ts';
import type { Recording } from '../runtime/recording.ts';
import { regularText } from '../system/regular-file.ts';
import { UsageError } from './failure.ts';

/** A recording that an earlier `deadtime run` has written. Throws a `UsageError`. */
export function recordingAt(path: string): Recording {
  let content: unknown;
  try {
    content = JSON.parse(regularText(path));
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`);
  }
  const checked = checkedRecording(content);
  if ('recording' in checked) return checked.recording;
  throw new UsageError(
    `${path} ${checked.mistake}: name a file that deadtime run --output has written.`,
  );
}
