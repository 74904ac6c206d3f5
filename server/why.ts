import { runProgram } from '../src/system/processes.ts';
import { readingOf } from '../src/scan/text.ts';
import { shownPath } from '../src/report/path.ts';
import type { LineId, TextResult } from './protocol.ts';
import { folderOf, type Session } from './session.ts';

/** It traces one file, which takes a second or two. */
const LIMIT_MS = 120_000;
const MOST_BYTES = 1 << 22;

/** Why a line has no finding, exactly as `deadtime why` prints it: in a process of its own, whose analysis names each condition. */
export async function whyAt(
  session: Session,
  { uri, line }: LineId,
  signal: AbortSignal,
): Promise<TextResult | null> {
  const { sheets, workspace, environment } = session;
  const sheet = sheets.get(uri);
  if (!sheet?.isOnDisk) return null;
  const reading = readingOf(sheet.path);
  if (!('text' in reading) || reading.text !== sheet.text())
    return { text: 'Save the file first: Deadtime analyses it from disk for this answer.' };
  const folder = folderOf(session, sheet);
  const args = ['why', `${shownPath(sheet.path, folder)}:${line + 1}`, '--no-color'];
  if (workspace.trustsConfigurationAt(folder)) args.push('--trust-config');
  const command = [...environment.program, ...args];
  const { stdout, stderr } = await runProgram(process.execPath, command, {
    ...{ cwd: folder, signal, limitMs: LIMIT_MS, mostBytes: MOST_BYTES },
  });
  return { text: (stdout || stderr).trim().replace(/^deadtime: /, '') };
}
