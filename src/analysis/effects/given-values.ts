import type { TSESTree } from '@typescript-eslint/utils';
import { bare, calledName, contains, type FunctionNode, type Node } from '../syntax/ast.ts';
import { type Call, passedBy } from '../syntax/calls.ts';
import { conditionsOn } from '../syntax/conditions.ts';
import type { Effect } from './effects.ts';
import { givenFor, partNamed } from '../provenance/given-parts.ts';

/**
 * Whether the callee would do this only if it had not been given what this call gives it:
 * `const found = roles ?? (await load(user))` of a call with `{ roles: ['editor'] }`.
 */
export function isSparedBy(call: Call, callee: FunctionNode, { at }: Effect): boolean {
  // no veto: conditions further down are those of another call.
  if (!contains(callee, at.node)) return false;
  const given = passedBy(call, callee);
  // no veto: only lists are sure to be there.
  if (!given.some(holdsList)) return false;
  return conditionsOn(at.node, callee).some(({ test, holds, node }) => {
    const missing = test && missingIn(test, holds);
    if (!missing) return false;
    // Behind the test, it may be set to what was missing.
    const part = partNamed(at.file, missing, callee, node);
    const value = part && givenFor(given, part);
    return value !== undefined && isThere(value);
  });
}

/** The name that is not there where the test comes out so: `!roles`, `roles == null`, `!roles || !Array.isArray(roles)`. */
function missingIn(test: Node, holds: boolean): TSESTree.Identifier | undefined {
  const it = bare(test);
  if (it.type === 'UnaryExpression' && it.operator === '!') return missingIn(it.argument, !holds);
  if (it.type === 'Identifier') return holds ? undefined : it;
  if (it.type === 'CallExpression' && calledName(it.callee) === 'isArray') {
    const argument = it.arguments[0] && bare(it.arguments[0]);
    return !holds && argument?.type === 'Identifier' ? argument : undefined;
  }
  if (it.type === 'BinaryExpression' && holds && /^===?$/.test(it.operator)) {
    const isNothing =
      (it.right.type === 'Literal' && it.right.value === null) ||
      (it.right.type === 'Identifier' && it.right.name === 'undefined');
    return isNothing && it.left.type === 'Identifier' ? it.left : undefined;
  }
  if (it.type !== 'LogicalExpression') return undefined;
  const left = missingIn(it.left, holds);
  if (it.operator === '??') return !holds && it.left.type === 'Identifier' ? it.left : undefined;
  // Either of two signs has to be one of the same name.
  if ((it.operator === '||') !== holds) return left ?? missingIn(it.right, holds);
  const right = missingIn(it.right, holds);
  return left && right?.name === left.name ? left : undefined;
}

/** A list, or an object with one: spares the question what stands around everything that a callee does. */
function holdsList(argument: Node): boolean {
  const it = bare(argument);
  return it.type === 'ObjectExpression'
    ? it.properties.some((part) => part.type === 'Property' && isThere(part.value))
    : isThere(it);
}

/** What no test takes for missing. */
function isThere(node: Node): boolean {
  return bare(node).type === 'ArrayExpression';
}
