import { disk } from '../project/files.ts';
import { waitsOf, withChanged } from '../report/measured-waits.ts';
import { changedSinceRun } from '../scan/changed-since-run.ts';
import { noRecording, recordingIn, recordingName } from '../scan/recording-file.ts';
import type { ToolAnswer } from './answer.ts';
import { pathInside, Refusal, type Workspace } from './workspace.ts';

/** What the program has waited for in its last run, by entry and line. */
export function measuredWaits(workspace: Workspace): ToolAnswer {
  const { cwd } = workspace;
  const found = recordingIn(cwd);
  if (!found) throw new Refusal(noRecording);
  if ('mistake' in found) throw new Refusal(found.mistake);
  const { recording } = found;
  const { text, entries, files } = waitsOf(recording, recordingName);
  const changed = changedSinceRun(files, recording, {
    folder: cwd,
    textOf: (path) => textInside(workspace, path),
  });
  return { text: withChanged(text, changed), data: { entries, changed } };
}

/** A recording may name any file. */
function textInside(workspace: Workspace, path: string): string | undefined {
  try {
    return disk.read(pathInside(workspace, path));
  } catch {
    return undefined;
  }
}
