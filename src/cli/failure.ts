import { visibleLines } from '../report/visible.ts';

/** Exit codes; 130 follows the shell's 128 + SIGINT. */
export const exitCodes = {
  clean: 0,
  findings: 1,
  usage: 2,
  internal: 3,
  interrupted: 130,
} as const;

/** An error that the user can fix: shown as one line, without a stack. */
export class UsageError extends Error {}

/** The user pressed Ctrl-C; a non-empty message is shown. */
export class Interrupted extends Error {}

/** Commander's message about a command line, which it quotes, shown as a `UsageError`. */
export function shownError(text: string): string {
  return visibleLines(text).replace(
    /^error: (.)/,
    (_, first: string) => `deadtime: ${first.toUpperCase()}`,
  );
}
