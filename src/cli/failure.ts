import { visibleLines } from '../report/visible.ts';

/** Exit codes; 130 follows the shell's 128 + SIGINT. */
export const exitCodes = {
  clean: 0,
  findings: 1,
  usage: 2,
  internal: 3,
  interrupted: 130,
} as const;

/** Something the user can mend: shown as one line, without a stack. */
export class UsageError extends Error {}

/** Ctrl-C was pressed; the message is shown where it says something. */
export class Interrupted extends Error {}

/** What commander says of a command line, which it quotes, as a `UsageError` is shown. */
export function shownError(text: string): string {
  return visibleLines(text).replace(
    /^error: (.)/,
    (_, first: string) => `deadtime: ${first.toUpperCase()}`,
  );
}
