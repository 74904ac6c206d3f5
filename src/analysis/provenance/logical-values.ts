import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import { join, type Value } from '../file/value.ts';
import { passedIn } from '../file/passed-values.ts';
import { bare } from '../syntax/ast.ts';
import { parameterAt } from './given-parts.ts';
import { valueOf } from './value-of.ts';

/** `cached ?? new Pool()`: both sides are one thing, and a slot on the global object is a cache of the other side. */
export function logicalValue(file: FileFacts, node: TSESTree.LogicalExpression): Value {
  const right = valueOf(file, node.right);
  if (node.operator === '&&') return right;
  const left = valueOf(file, node.left);
  if (left.kind === 'global' && /^(?:globalThis|global)\b/.test(left.name)) return right;
  return byDefault(file, node, left, right) ?? join([left, right]);
}

/** `trx || this.knex` of a parameter without a type: it is what its callers may leave out, and of the same kind. */
function byDefault(
  file: FileFacts,
  node: TSESTree.LogicalExpression,
  left: Value,
  right: Value,
): Value | undefined {
  // no veto: what is resolved, or no connection, needs no guess.
  if (left.kind !== 'unknown' || right.kind !== 'library' || !right.type.role) return undefined;
  const given = parameterAt(file, bare(node.left));
  return (
    given &&
    passedIn({ ...right, parameter: undefined }, { ...given, hasFallback: true, isOpen: true })
  );
}
