/** The command that measures the cost of a finding; `file` is relative to the user's folder. */
export function proofCommand(file: string, line: number): string {
  return `npx deadtime prove ${fileWord(`${file}:${line}`)}`;
}

/** A file's name, which no command takes for an option. */
export function fileWord(file: string): string {
  return shellWord(file.startsWith('-') ? `./${file}` : file);
}

/** A word as a POSIX shell takes it: quoted where it has to be. */
export function shellWord(word: string): string {
  return /^[\w./:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
