import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';

let isPrinted = false;

/**
 * Prints one line at the end of a run of ESLint or oxlint: how to measure the finding that a command names. A message has no room
 * for it, and it is the same in each. To standard error, because programs read the output of a linter.
 */
export function printProofAtEnd(command: string): void {
  if (isPrinted || !isLinter()) return;
  isPrinted = true;
  const line = `Prove a finding by a benchmark, before and after its fix: ${command}\n`;
  process.once('exit', () => process.stderr.write(line));
}

/** Not an editor, whose server lints for hours, and no thread, of which ESLint starts several. */
function isLinter(): boolean {
  return isMainThread && /^(?:eslint|oxlint)(?:\.[cm]?js)?$/.test(basename(process.argv[1] ?? ''));
}
