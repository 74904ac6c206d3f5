import { bare, type Node, propertyName } from './ast.ts';

/** `Math.max` or `parseInt`: the last two names of a callee, as written. */
export function globalName(callee: Node): string | undefined {
  const it = bare(callee);
  if (it.type === 'Identifier') return it.name;
  if (it.type !== 'MemberExpression') return undefined;
  const object = bare(it.object);
  const name = propertyName(it);
  return object.type === 'Identifier' ? `${object.name}.${name}` : name;
}
