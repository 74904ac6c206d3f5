import { readFileSync } from 'node:fs';
import { type Recording, RECORDING_FORMAT } from '../runtime/recording.ts';
import { UsageError } from './failure.ts';

/** A recording that an earlier `deadtime run` has written. Throws a `UsageError`. */
export function recordingIn(path: string): Recording {
  let content: Partial<Recording> | undefined;
  try {
    content = JSON.parse(readFileSync(path, 'utf8')) as Partial<Recording>;
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`);
  }
  if (content?.format === RECORDING_FORMAT && content.entries && content.sites) {
    return content as Recording;
  }
  throw new UsageError(
    `${path} is no recording of this version of Deadtime: name a file that deadtime run --output has written.`,
  );
}
