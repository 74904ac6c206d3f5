import type { Hash } from 'node:crypto';
import { childrenOf, isFunction, type Node, type NodeOf } from '../analysis/syntax/ast.ts';
import type { Finding } from '../../rules/define-rule.ts';
import type { NodeFinder } from './node-finder.ts';

/**
 * Keys for the findings of one file, in their order. A key combines the rule, the text of the innermost function around the
 * finding (the statement, at top level), and the finding's index among those with the same rule and text. It stays the same
 * when the function is moved, also into a different file, and when it is formatted; an edit in the function changes it.
 */
export function fingerprintsOf(
  findings: readonly Finding[],
  nodeAt: NodeFinder,
): readonly string[] {
  const codes = new Map<Node, string>();
  const byCode = new Map<string, Map<string, Same>>();
  const codeOf = (unit: Node) => {
    const code = codes.get(unit) ?? codeIn(unit);
    codes.set(unit, code);
    return code;
  };
  return findings.map(({ ruleId, range }) => {
    const code = codeOf(unitAround(nodeAt(range)));
    const byRule = known(byCode, code, () => new Map<string, Same>());
    const same = known(byRule, ruleId, () => ({ start: startOf(ruleId, code), turn: 0 }));
    return same.start.copy().update(`\0${same.turn++}`).digest('hex').slice(0, 16);
  });
}

/** The findings of one rule in the same code. A long function with many is read once. */
interface Same {
  readonly start: Hash;
  turn: number;
}

function startOf(ruleId: string, code: string): Hash {
  // Not imported, as for `hashOf`: most scans of one file find nothing.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(`${ruleId}\0${code}`);
}

function known<K, V>(all: Map<K, V>, key: K, make: () => V): V {
  const it = all.get(key) ?? make();
  all.set(key, it);
  return it;
}

/** The innermost function, or else the top-level statement, around a node. */
export function unitAround(node: Node): Node {
  let it = node;
  while (!isFunction(it) && it.parent && it.parent.type !== 'Program') it = it.parent;
  return it;
}

/** The tree in the order of reading: what a formatter may change is not in it. */
function codeIn(unit: Node): string {
  const words: string[] = [];
  const stack: Node[] = [unit];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const children = childrenOf(node).filter(isSaid);
    words.push(...wordsOf(node), String(children.length));
    stack.push(...children.reverse());
  }
  return words.join(' ');
}

/** Formatters add and remove semicolons, and break the lines of markup. */
function isSaid(node: Node): boolean {
  if (node.type === 'EmptyStatement') return false;
  return node.type !== 'JSXText' || node.value.trim() !== '' || !node.value.includes('\n');
}

/** The kind of a node, and its content besides its children: names, operators, modifiers. */
function wordsOf(node: Node): readonly string[] {
  switch (node.type) {
    case 'Literal':
      return [literalOf(node)];
    case 'TemplateElement':
      return [JSON.stringify(node.value.raw.replaceAll('\r\n', '\n'))];
    case 'JSXText':
      return [node.value.replaceAll(/\s+/g, ' ').trim()];
  }
  const said: string[] = [];
  for (const name of Object.keys(node)) {
    const value: unknown = node[name as keyof Node];
    if ((value !== true && typeof value !== 'string') || unsaid.has(name)) continue;
    said.push(value === true ? name : value);
  }
  return said;
}

/** Places, and what the children also contain. */
const unsaid: ReadonlySet<string> = new Set([
  'range',
  'start',
  'end',
  'raw',
  'directive',
  'parent',
]);

/** However it is spelled; `{ 'id': 1 }` and `{ id: 1 }` have the same key. */
function literalOf(node: NodeOf<'Literal'>): string {
  const { value, raw, parent } = node;
  if (typeof value !== 'string') return typeof value === 'number' ? String(value) : raw;
  const isKey = 'computed' in parent && 'key' in parent && parent.key === node && !parent.computed;
  return isKey ? `Identifier ${value}` : JSON.stringify(value);
}
