import { CommanderError } from 'commander';
import { visibleLines } from '../report/visible.ts';
import type { Ran } from './command-line.ts';
import { exitCodes, Interrupted, UsageError } from './failure.ts';
import { programFor } from './program.ts';

/** Runs the command that the arguments name. */
export async function run(argv: readonly string[]): Promise<Ran> {
  let code: number = exitCodes.clean;
  let command: string | undefined;
  const program = programFor((result) => (code = result));
  program.hook('preAction', (_, it) => {
    command = it.name();
  });
  try {
    await program.parseAsync(argv);
  } catch (error) {
    code = codeOf(error);
  }
  return { code, command };
}

/** Prints the error. */
function codeOf(error: unknown): number {
  // Commander has printed its own message; help and version are not failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (error instanceof Interrupted) {
    if (error.message) process.stderr.write(`deadtime: ${error.message}\n`);
    return exitCodes.interrupted;
  }
  if (error instanceof UsageError) {
    process.stderr.write(`deadtime: ${visibleLines(error.message)}\n`);
    return exitCodes.usage;
  }
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd') {
    process.stderr.write(
      'deadtime: The current folder no longer exists. Change into one that exists.\n',
    );
    return exitCodes.usage;
  }
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`deadtime: internal error, please report it:\n${visibleLines(cause)}\n`);
  return exitCodes.internal;
}
