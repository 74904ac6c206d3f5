import { ownCommand } from '../system/own-command.ts';
import type { Problem } from './problem.ts';

/** The command that measures the cost of a finding; `file` is relative to the user's folder. */
export function proofCommand(
  file: string,
  { names: { short, rule } }: Pick<Problem, 'names'>,
): string {
  const command = proofCommandAt(file, short);
  return rule === undefined ? command : `${command} --rule ${rule}`;
}

/** The same for a line, or for what else names a finding of the file. */
export function proofCommandAt(file: string, place: string | number): string {
  return ownCommand(`prove ${fileWord(`${file}:${place}`)}`);
}

/** A file's name, which no command takes for an option. */
export function fileWord(file: string): string {
  return shellWord(file.startsWith('-') ? `./${file}` : file);
}

/** A word as a POSIX shell takes it: quoted where it has to be. */
export function shellWord(word: string): string {
  return /^[\w./:@=+-][\w./:@=+#-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
