// vetoes of no-thread-pool-flood
import { bare, dottedName, type FunctionNode, type Node, propertyName, walkOwn } from './ast.ts';
import { argumentsOf, calleeOf, isCall, returnedExpressions } from './calls.ts';
import type { Effect } from './effects.ts';
import type { FileFacts } from './file.ts';
import { alternativesOf } from './value.ts';

/**
 * Whether the function, which comes to the reading of a file, gives or stores what it has read: all contents are in
 * memory in the end, and to read fewer at once would spare none.
 */
export function keepsContent(file: FileFacts, fn: FunctionNode, effect: Effect): boolean {
  const isContent = (node: Node) => holdsContent(file, node, effect, 0);
  let keeps = returnedExpressions(fn).some(isContent);
  walkOwn(fn.body!, (it) => {
    keeps ||= storedBy(it).some(isContent);
    return !keeps;
  });
  return keeps;
}

/** `contents[path] = text`, `contents.set(path, text)`. */
function storedBy(node: Node): readonly Node[] {
  if (node.type === 'AssignmentExpression') {
    return node.left.type === 'MemberExpression' ? [node.right] : [];
  }
  if (node.type !== 'CallExpression') return [];
  const callee = bare(node.callee);
  const isStore =
    callee.type === 'MemberExpression' && /^(?:set|push|add)$/.test(propertyName(callee) ?? '');
  return isStore ? argumentsOf(node) : [];
}

/** Functions further away than this say little about one expression. */
const FARTHEST = 5;

/** Whether the expression is what was read, or as large: text of it, an object that holds it. */
function holdsContent(file: FileFacts, node: Node, effect: Effect, depth: number): boolean {
  const it = bare(node);
  const some = (parts: readonly (Node | null | undefined)[]) =>
    parts.some((part) => part && holdsContent(file, part, effect, depth));
  // no veto: nobody looks further.
  if (depth > FARTHEST) return false;
  switch (it.type) {
    case 'AwaitExpression':
    case 'SpreadElement':
      return some([it.argument]);
    case 'TemplateLiteral':
      return some(it.expressions);
    case 'ObjectExpression':
      return some(it.properties.map((part) => (part.type === 'Property' ? part.value : part)));
    case 'ArrayExpression':
      return some(it.elements);
    case 'Identifier': {
      const definition = file.variableOf(it)?.defs[0];
      if (definition?.type !== 'Variable' || definition.node.id !== definition.name) return false;
      return some([definition.node.init]);
    }
    case 'CallExpression':
      return isRead(file, it, effect, depth);
    default:
      return false;
  }
}

/** The reading itself, what turns it into text, or a function of the project that gives either. */
function isRead(file: FileFacts, call: Node, effect: Effect, depth: number): boolean {
  // no veto: only a call is asked about.
  if (!isCall(call)) return false;
  if (call === effect.at.node) return true;
  const callee = bare(calleeOf(call));
  const holds = (node: Node) => holdsContent(file, node, effect, depth);
  if (callee.type === 'MemberExpression' && propertyName(callee) === 'toString') {
    return holds(callee.object);
  }
  if (/^(?:JSON\.parse|Buffer\.from)$/.test(dottedName(callee) ?? '')) {
    return argumentsOf(call).some(holds);
  }
  return alternativesOf(file.valueOf(callee)).some(
    (it) =>
      it.kind === 'function' &&
      returnedExpressions(it.node).some((returned) =>
        holdsContent(it.file, returned, effect, depth + 1),
      ),
  );
}
