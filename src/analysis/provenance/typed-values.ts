import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node, propertyName, wrapped } from '../syntax/ast.ts';
import { libraryType } from './library-values.ts';
import { libraryOf } from '../model/index.ts';
import { handleMembers } from '../model/names.ts';
import type { CheckedType, Types } from '../file/source.ts';
import { join, promiseOf, UNKNOWN, type Value } from '../file/value.ts';

/**
 * The type checker's answer about an expression that is worth a question: the receiver of a call named like a modelled method,
 * and the object that it is a member of.
 */
export function typedValue(types: Types, node: Node): Value {
  return isCandidate(node) ? checkedValue(types.typeOf(node)) : UNKNOWN;
}

/** Seen from the node outwards: that rests on no other part of the file, and outlasts an edit of one. */
function isCandidate(node: Node): boolean {
  const member = memberOf(node);
  // `ctx.prisma.user.findMany()`: the model knows prisma, and what is read off it.
  return member !== undefined && (isModelledMethod(member) || isReceiver(member));
}

function isReceiver(node: Node): boolean {
  const member = memberOf(node);
  return member !== undefined && isModelledMethod(member);
}

/** The member that is read off the node. */
function memberOf(node: Node): TSESTree.MemberExpression | undefined {
  const { parent } = wrapped(node);
  return parent?.type === 'MemberExpression' && bare(parent.object) === node ? parent : undefined;
}

function isModelledMethod(member: TSESTree.MemberExpression): boolean {
  const { parent } = wrapped(member);
  const name = propertyName(member);
  // no veto: other methods are no rule's affair, and asking takes its time
  if (name === undefined || !handleMembers.has(name)) return false;
  return parent?.type === 'CallExpression' && bare(parent.callee) === member;
}

function checkedValue(type: CheckedType | undefined): Value {
  switch (type?.kind) {
    case 'object':
      for (const module of type.modules) {
        const library = libraryOf(module);
        const value = library ? libraryType(library, type.name) : UNKNOWN;
        if (value.kind !== 'unknown') return value;
      }
      return UNKNOWN;
    case 'promise':
      return promiseOf(checkedValue(type.of));
    case 'array':
      return { kind: 'array', of: checkedValue(type.of) };
    case 'union':
      return join(type.of.map(checkedValue));
    default:
      return UNKNOWN;
  }
}
