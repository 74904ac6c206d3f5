/** What a user types to measure what a finding costs; `file` as a command line in their folder names it. */
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
