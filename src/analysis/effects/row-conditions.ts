import type { TSESTree } from '@typescript-eslint/utils';
import { keepsDocuments } from '../model/index.ts';
import { bare, type Node, propertyName } from '../syntax/ast.ts';
import { chainOf } from '../syntax/call-chains.ts';
import type { Effect } from './effects.ts';

/** The conditions that a mapper or a builder gets for the rows, where a single condition is written out. */
export function conditionOf({ library, at: { node } }: Effect): Node | undefined {
  if (keepsDocuments(library)) return whereOf(node) ?? filterOf(node);
  return whereOf(node) ?? chainedWhereOf(node);
}

/**
 * `.where({ id })`, `.where('id', id)`, `.where('id = :id', { id })` of a builder, where it is the only one: what it is
 * compared with comes last, or after it: `.where('id = :id').setParameter('id', id)`.
 */
function chainedWhereOf(node: Node): Node | undefined {
  const [where, ...others] = callsIn(node, /where(?!Null|NotNull)/i);
  // no veto: one of several, and nobody knows which
  if (!where || others.length > 0) return undefined;
  const { arguments: given } = where;
  if (given.length > 1 || !given[0] || !hasParameters(given[0])) return given.at(-1);
  const [parameters, ...more] = callsIn(node, /^setParameters?$/);
  return more.length === 0 ? parameters?.arguments.at(-1) : undefined;
}

/** The calls of a chain by the name of their method. */
function callsIn(node: Node, name: RegExp): readonly TSESTree.CallExpression[] {
  return chainOf(node).filter(
    ({ callee }) => callee.type === 'MemberExpression' && name.test(propertyName(callee) ?? ''),
  );
}

/** `'id = :id'` */
function hasParameters(node: Node): boolean {
  const texts =
    node.type === 'TemplateLiteral'
      ? node.quasis.map((it) => it.value.raw)
      : [node.type === 'Literal' ? String(node.value) : ''];
  return texts.some((it) => /(?<!:):\w/.test(it));
}

/** `where` of the options that a mapper's call is given. */
export function whereOf(call: Node): Node | undefined {
  const it = bare(call);
  // no veto: no arguments.
  if (it.type !== 'CallExpression') return undefined;
  for (const argument of it.arguments) {
    if (argument.type !== 'ObjectExpression') continue;
    const where = argument.properties.find(
      (property) => property.type === 'Property' && propertyName(property) === 'where',
    );
    if (where?.type === 'Property') return where.value;
  }
  return undefined;
}

/** `Model.updateOne(filter, change)`, whatever is chained to it. */
function filterOf(node: Node): Node | undefined {
  const call = chainOf(node).find(({ callee, arguments: given }) => {
    const name = callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
    if (name === 'findOne') return given.length > 0;
    return name !== undefined && CHANGES.test(name) && given.length > 1;
  });
  return call?.arguments[0];
}

const CHANGES = /^(?:(?:update|replace)One|updateMany|find(?:OneAnd|ByIdAnd)(?:Update|Replace))$/;
