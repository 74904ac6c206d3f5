import { CommanderError } from 'commander';
import { visibleLines } from '../report/visible.ts';
import { exitCodes, UsageError } from './failure.ts';
import { programFor } from './program.ts';

/** Runs the command that the arguments name; the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.clean;
  const program = programFor((result) => (code = result));
  try {
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    // Commander has printed its own message; help and version are not failures.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    if (error instanceof UsageError) {
      process.stderr.write(`deadtime: ${visibleLines(error.message)}\n`);
      return exitCodes.usage;
    }
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`deadtime: internal error, please report it:\n${visibleLines(cause)}\n`);
    return exitCodes.internal;
  }
}
