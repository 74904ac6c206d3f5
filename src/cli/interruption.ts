import { exitCodes } from './failure.ts';

/**
 * Aborted by Ctrl-C; a second one ends the process immediately. Only for a command with cleanup: without a handler the system
 * ends the process, also in the middle of work during which no handler would run.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}

/** For a server: what it has started ends with its exit, which a signal without a handler would leave out. */
export function endAtSignals(): void {
  process.once('SIGTERM', () => process.exit());
  process.once('SIGINT', () => process.exit(exitCodes.interrupted));
}
