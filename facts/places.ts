import type { Node } from './ast.ts';
import type { FileFacts } from './file.ts';

/** The node, or as much of it as stands in its first line: reports underline one line. */
export function firstLine(file: FileFacts, node: Node): readonly [number, number] {
  const [start, end] = node.range;
  const line = /^[^\n\r]*/.exec(file.text.slice(start, end))![0].trimEnd();
  return [start, start + line.length];
}
