import { valueOf } from '../../analysis/provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  dottedName,
  type FunctionNode,
  type Node,
  propertyName,
  walkOwn,
} from '../../analysis/syntax/ast.ts';
import type { Place } from '../../analysis/file/place.ts';
import { argumentsOf, returnedExpressions } from '../../analysis/syntax/calls.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { alternativesOf } from '../../analysis/file/value.ts';

/**
 * Whether the function, which reads a file, returns or stores its content, or text from it: all contents are in memory at the
 * end, and reading fewer concurrently would save none.
 */
export function keepsContent(file: FileFacts, fn: FunctionNode, effect: Effect): boolean {
  const open: Place[] = returnedExpressions(fn).map((node) => ({ file, node }));
  walkOwn(bodyOf(fn)!, (it) => {
    for (const node of storedBy(it)) open.push({ file, node });
  });
  const seen = new Set<Node>();
  for (const place of open) {
    const node = bare(place.node);
    if (seen.has(node)) continue;
    seen.add(node);
    if (node === effect.at.node) return true;
    open.push(...partsOf({ file: place.file, node }));
  }
  return false;
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

/** What the expression is made of, if it is as large as what was read when one of them is: text of it, an object that holds it. */
function partsOf({ file, node }: Place): readonly Place[] {
  const here = (nodes: readonly (Node | null | undefined)[]) =>
    nodes.flatMap((it) => (it ? [{ file, node: it }] : []));
  switch (node.type) {
    case 'AwaitExpression':
    case 'SpreadElement':
      return here([node.argument]);
    case 'TemplateLiteral':
      return here(node.expressions);
    case 'ObjectExpression':
      return here(node.properties.map((it) => (it.type === 'Property' ? it.value : it)));
    case 'ArrayExpression':
      return here(node.elements);
    case 'Identifier': {
      const definition = file.variableOf(node)?.defs[0];
      return definition?.type === 'Variable' && definition.node.id === definition.name
        ? here([definition.node.init])
        : [];
    }
    case 'CallExpression':
      return partsOfCall(file, node);
    default:
      return [];
  }
}

/** What turns something into text, and what functions of the project give. */
function partsOfCall(file: FileFacts, call: TSESTree.CallExpression): readonly Place[] {
  const callee = bare(call.callee);
  if (callee.type === 'MemberExpression' && propertyName(callee) === 'toString') {
    return [{ file, node: callee.object }];
  }
  if (/^(?:JSON\.parse|Buffer\.from)$/.test(dottedName(callee) ?? '')) {
    return argumentsOf(call).map((node) => ({ file, node }));
  }
  return alternativesOf(valueOf(file, callee)).flatMap((it) =>
    it.kind === 'function'
      ? returnedExpressions(it.node).map((node) => ({ file: it.file, node }))
      : [],
  );
}
