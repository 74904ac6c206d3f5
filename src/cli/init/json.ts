import {
  applyEdits,
  findNodeAtLocation,
  format,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser';
import type { Read, Step } from './step.ts';

/** A value that a file must contain; existing values stay unchanged. */
export interface Entry {
  /** The names on the way to the member, or to the array of which it becomes the last element. */
  readonly at: readonly string[];
  readonly value: unknown;
  /** For an element: the text that an array with the element already contains. */
  readonly mark?: string;
}

/** Puts the entries into the file and leaves its comments, its order and its formatting alone. */
export function jsonStep(path: string, entries: readonly Entry[], read: Read): Step {
  const before = read(path);
  let after = before?.trim() ? before : '{}\n';
  for (const entry of entries) {
    const merged = withEntry(after, entry);
    if ('because' in merged) return { kind: 'by-hand', path, ...merged, text: snippetOf(entries) };
    after = merged.text;
  }
  return after === before ? { kind: 'present', path } : { kind: 'write', path, before, after };
}

function withEntry(
  text: string,
  { at, value, mark }: Entry,
): { readonly text: string } | { readonly because: string } {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  if (!tree || errors.length > 0) return { because: 'it is no valid JSON' };
  const isElement = mark !== undefined;
  const target: JSONPath = isElement ? [...at, -1] : [...at];
  const stray = strayOn(target, tree);
  if (stray !== undefined) return { because: stray };
  const known = findNodeAtLocation(tree, [...at]);
  if (known && (!isElement || textOf(known, text).includes(mark))) return { text };
  return { text: inserted(text, target, value, tree) };
}

/** On lines of its own, which are the only ones that are formatted. */
function inserted(text: string, target: JSONPath, value: unknown, tree: Node): string {
  const isArrayInsertion = target.at(-1) === -1;
  const [edit] = modify(text, target, value, { isArrayInsertion });
  const { offset, content } = edit!;
  const { indent, eol } = styleOf(text);
  const known = target.findIndex((_, i) => !findNodeAtLocation(tree, target.slice(0, i + 1)));
  const comma = content.startsWith(',') ? ',' : '';
  const line = indent.repeat(known + 1) + content.slice(comma.length);
  const at = offset + comma.length + eol.length;
  const isLast = /^[ \t]*[}\]]/.test(text.slice(offset));
  const rest = isLast
    ? eol + indent.repeat(known) + text.slice(offset).trimStart()
    : text.slice(offset);
  const merged = text.slice(0, offset) + comma + eol + line + rest;
  const hasTabs = indent.startsWith('\t');
  const style = { insertSpaces: !hasTabs, tabSize: hasTabs ? 1 : indent.length, eol };
  return applyEdits(merged, format(merged, { offset: at, length: line.length }, style));
}

/** Something on the way that is neither the object nor the array that it has to be. */
function strayOn(target: JSONPath, tree: Node): string | undefined {
  for (const [i, step] of target.entries()) {
    const node = findNodeAtLocation(tree, target.slice(0, i));
    const type = typeof step === 'number' ? 'array' : 'object';
    if (node && node.type !== type) {
      return i === 0 ? `it is no ${type}` : `its "${target[i - 1]}" is no ${type}`;
    }
  }
  return undefined;
}

function textOf({ offset, length }: Node, text: string): string {
  return text.slice(offset, offset + length);
}

function snippetOf(entries: readonly Entry[]): string {
  const parts = entries.map(({ at, value, mark }) => {
    const inner: unknown = mark === undefined ? value : [value];
    return at.reduceRight((content, name) => ({ [name]: content }), inner);
  });
  return JSON.stringify(Object.assign({}, ...parts), undefined, 2);
}

/** As the file is written already. */
function styleOf(text: string) {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return { indent, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}
