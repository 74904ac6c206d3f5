import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runText } from '../report/run.ts';
import { shownPath } from '../report/path.ts';
import { type Handover, STARTED } from '../runtime/handover.ts';
import type { Plan } from '../runtime/plan.ts';
import type { RawRecording } from '../runtime/raw.ts';
import { recordingOf } from '../runtime/recorded.ts';
import { writeFiles } from './write-files.ts';

/** Prints what was measured on standard error, since standard output is the program's, and writes it as JSON. */
export function writtenRecording(
  handover: Handover,
  { output, hasColors }: { readonly output: string; readonly hasColors: boolean },
): void {
  const plan = JSON.parse(readFileSync(handover.plan, 'utf8')) as Plan;
  const raws = rawsIn(handover.recordings);
  if (raws.length === 0) {
    process.stderr.write(
      'deadtime: nothing was measured: no process of Node.js with code of this folder has run to its end. Vitest and Jest load files with a loader of their own, which is not measured.\n',
    );
    return;
  }
  const recording = recordingOf({
    ...{ plan, raws, program: handover.program },
    shownPath: (path) => shownPath(path, plan.root),
  });
  writeFiles([{ path: output, text: `${JSON.stringify(recording, undefined, 1)}\n` }]);
  process.stderr.write(runText(recording, { hasColors, output }));
}

/** The numbers of the processes that are or were measured. */
export function measuredProcesses({ recordings }: Handover): readonly number[] {
  return readdirSync(recordings).flatMap((it) => (it.endsWith(STARTED) ? Number.parseInt(it) : []));
}

/** Of the processes that have run something of the program: a package manager in front of it has not. */
function rawsIn(folder: string): readonly RawRecording[] {
  return readdirSync(folder)
    .filter((it) => it.endsWith('.json'))
    .map((it) => JSON.parse(readFileSync(join(folder, it), 'utf8')) as RawRecording)
    .filter((it) => it.sites.length + it.entries.length + it.leftAlone.length > 0);
}
