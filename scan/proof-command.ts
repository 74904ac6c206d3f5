/** What a user types to measure what a finding costs; `file` as a command line in their folder names it. */
export function proofCommand(file: string, line: number): string {
  return `npx deadtime prove ${shellWord(`${file}:${line}`)}`;
}

/** A word as a POSIX shell takes it: quoted where it has to be. */
export function shellWord(word: string): string {
  return /^[\w./:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
