import { createHash } from 'node:crypto';
import { isFunction, type Node } from '../facts/ast.ts';
import type { Source } from '../facts/source.ts';
import type { Finding } from '../rules/define-rule.ts';
import type { NodeFinder } from './node-finder.ts';

/**
 * Keys for the findings of one file, in their order. A key stands for the rule, the file's path, the code of the
 * innermost function around the finding (the statement, at top level) without comments and white space, and the finding's
 * turn among those for which all of that is the same. Lines moving above it do not change it; an edit in the function does.
 */
export function fingerprintsOf(
  source: Source,
  relativePath: string,
  findings: readonly Finding[],
  nodeAt: NodeFinder,
): readonly string[] {
  const turns = new Map<string, number>();
  const codes = new Map<Node, string>();
  const codeOf = (unit: Node) => {
    const code = codes.get(unit) ?? codeIn(source, unit.range);
    codes.set(unit, code);
    return code;
  };
  return findings.map(({ ruleId, range }) => {
    const key = [ruleId, relativePath, codeOf(unitAround(nodeAt(range)))].join('\0');
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return createHash('sha256').update(`${key}\0${turn}`).digest('hex').slice(0, 16);
  });
}

/** The innermost function, or else the top-level statement, around a node. */
export function unitAround(node: Node): Node {
  let it = node;
  while (!isFunction(it) && it.parent && it.parent.type !== 'Program') it = it.parent;
  return it;
}

function codeIn(source: Source, [start, end]: readonly [number, number]): string {
  let code = '';
  let from = start;
  for (const { range } of source.comments) {
    if (range[0] < from || range[1] > end) continue;
    code += source.text.slice(from, range[0]);
    from = range[1];
  }
  return (code + source.text.slice(from, end)).replace(/\s+/g, '');
}
