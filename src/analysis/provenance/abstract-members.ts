import { valueQuery } from '../file/value-query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { type Node, propertyName } from '../syntax/ast.ts';
import { implementersOf } from './implementers.ts';
import { heritageOf } from './type-values.ts';
import {
  type AbstractValue,
  declaredFunction,
  type DeclaredValue,
  firstKnown,
  type FunctionValue,
  type InterfaceValue,
  isKnown,
  join,
  UNKNOWN,
  type Value,
} from '../file/value.ts';
import { mutual } from './mutual.ts';

/** The declaration of a member in an interface, and its implementations. */
export const interfaceMember = valueQuery(
  'member of an interface',
  (file, node: InterfaceValue['node'], name: string) => {
    const members = node.type === 'TSTypeLiteral' ? node.members : node.body.body;
    for (const member of members) {
      if (member.type === 'TSPropertySignature' && propertyName(member) === name) {
        const { typeAnnotation } = member;
        const declared = typeAnnotation
          ? mutual.typeValue(file, typeAnnotation.typeAnnotation)
          : UNKNOWN;
        return implemented({ kind: 'interface', file, node }, name, declared);
      }
      if (member.type === 'TSMethodSignature' && propertyName(member) === name) {
        return implemented({ kind: 'interface', file, node }, name, declaredFunction(file, member));
      }
    }
    if (node.type === 'TSTypeLiteral') return UNKNOWN;
    const inherited = heritageOf(file, node).map((it) => mutual.memberOf(it, name, { file, node }));
    const value = firstKnown(inherited);
    // What has it is of this interface, which may be less than all that is of the other.
    return value.kind === 'declared' || value.kind === 'function'
      ? implemented({ kind: 'interface', file, node }, name, value)
      : value;
  },
);

/** A method that a class leaves to its subclasses, or a property that it has them compute. */
export function abstractMember(
  of: AbstractValue,
  name: string,
  { kind, value }: TSESTree.TSAbstractMethodDefinition,
): Value {
  const { file } = of;
  if (kind !== 'get') return implemented(of, name, declaredFunction(file, value));
  const declared = value.returnType
    ? mutual.typeValue(file, value.returnType.typeAnnotation)
    : UNKNOWN;
  return isKnown(declared) ? declared : whatAllHave(of, name);
}

/** A method of which the project has one form is that form; of several, each may be called. */
function implemented(of: AbstractValue, name: string, declared: Value): Value {
  if (declared.kind !== 'declared' && declared.kind !== 'function') return declared;
  const forms = formsOf(of, name);
  if (forms?.of.length === 1 && !forms.isForConnections) return forms.of[0]!;
  return declared.kind === 'declared' && forms ? { ...declared, member: { of, name } } : declared;
}

/** What a member of an interface is in each implementation. */
export interface Forms {
  readonly of: readonly FunctionValue[];
  /** On which connection they work is open. */
  readonly isForConnections: boolean;
}

function formsOf(of: AbstractValue, name: string): Forms | undefined {
  const { file, node } = of;
  const implementers = implementersOf(of);
  const values = implementers?.of.map((it) => mutual.memberOf(it, name, { file, node }));
  const forms = new Map<Node, FunctionValue>();
  for (const it of values ?? []) {
    if (it.kind !== 'function') return undefined;
    forms.set(it.node, it);
  }
  const { isForConnections = false } = implementers ?? {};
  return forms.size > 0 ? { of: [...forms.values()], isForConnections } : undefined;
}

function whatAllHave(of: AbstractValue, name: string): Value {
  const { file, node } = of;
  const implementers = implementersOf(of);
  const values = implementers?.isForConnections === false ? implementers.of : [];
  const members = values.map((it) => mutual.memberOf(it, name, { file, node }));
  return members.length > 0 ? join(members) : UNKNOWN;
}

/** Each form of a method of which only the type is resolved; undefined where there may be others. */
export function formsOfMember({
  of,
  name,
}: NonNullable<DeclaredValue['member']>): Forms | undefined {
  return formsOf(of, name);
}
