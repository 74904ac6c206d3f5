import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { measureProfile } from '../../proof/measure/machine-profile.ts';
import { profileAt } from '../../proof/measure/profile-file.ts';
import type { MachineProfile } from '../../proof/measure/results.ts';
import { type Database, type NoDatabase, startDatabase } from '../../proof/servers/database.ts';
import { needsText } from '../../report/measure/lines.ts';
import { profileText } from '../../report/measure/profile-text.ts';
import { visible, visibleLines } from '../../report/visible.ts';
import { exitCodes, UsageError } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { packageVersion } from '../package.ts';
import { type ProgressLine, progressLine } from '../progress.ts';
import { writeFiles } from '../write-files.ts';

export interface ProfileOptions {
  readonly databaseUrl?: string;
  /** The file that is written. */
  readonly output: string;
  readonly json?: boolean;
  readonly hasColors: boolean;
}

/** Measures, writes the profile, prints it, and returns the exit code. */
export async function profile(options: ProfileOptions): Promise<number> {
  const path = replaceable(options.output);
  const signal = interruption();
  const progress = progressLine();
  progress.show('starting the database');
  const database = await startDatabase({ url: options.databaseUrl, signal });
  try {
    if (database.state === 'failed') throw new Error(database.message);
    const measured = await measuredWith(database, signal, progress);
    progress.clear();
    writeFiles([{ path, text: jsonText(measured) }]);
    process.stdout.write(options.json ? jsonText(measured) : profileText(measured, options));
    process.stderr.write(`deadtime: written to ${visible(options.output)}\n`);
    if (database.state === 'ready') return exitCodes.clean;
    process.stderr.write(
      `deadtime: no database was measured. That needs\n${needsText(database.needs)}`,
    );
    return exitCodes.findings;
  } catch (error) {
    progress.clear();
    if (signal.aborted) return exitCodes.interrupted;
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`deadtime: ${visibleLines(reason)}\n`);
    return exitCodes.findings;
  } finally {
    if (database.state === 'ready') await database.close();
  }
}

function measuredWith(
  database: Database | NoDatabase,
  signal: AbortSignal,
  progress: ProgressLine,
): Promise<MachineProfile> {
  return measureProfile({
    database: database.state === 'ready' ? database : undefined,
    writtenBy: `deadtime profile ${packageVersion()}`,
    signal,
    onStep: (step) => progress.show(`measuring ${step}`),
  });
}

/** Before the measurement: a typing error must not overwrite a file such as package.json. */
function replaceable(output: string): string {
  const path = resolve(output);
  if (existsSync(path)) {
    try {
      profileAt(path);
    } catch {
      throw new UsageError(`${output} exists and is no profile: name another file by --output.`);
    }
  }
  return path;
}

function jsonText(measured: MachineProfile): string {
  return `${JSON.stringify(measured, undefined, 2)}\n`;
}
