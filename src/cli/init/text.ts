import type { Read, Step } from './step.ts';

/** A file of its own; one of the project by that name stays as it is. */
export function fileStep(path: string, text: string, read: Read): Step {
  return read(path) === undefined
    ? { kind: 'write', path, before: undefined, after: text }
    : { kind: 'present', path };
}

/** A piece at the end of a file, unless `mark` is in it. */
export function appendStep(path: string, piece: string, mark: string, read: Read): Step {
  const before = read(path);
  if (before?.includes(mark)) return { kind: 'present', path };
  return { kind: 'write', path, before, after: appended(before, piece) };
}

/** After an empty line, with the line ends that the text has. */
function appended(before: string | undefined, piece: string): string {
  if (!before?.trim()) return piece;
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  return `${before.trimEnd()}${eol}${eol}${piece.replaceAll('\n', eol)}`;
}
