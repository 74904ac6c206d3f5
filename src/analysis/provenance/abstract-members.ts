import { valueQuery } from '../file/value-query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { type ClassNode, type Node, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
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
    const declared = signatureIn(file, node, name);
    if (declared) return implemented({ kind: 'interface', file, node }, name, declared);
    if (node.type === 'TSTypeLiteral') return UNKNOWN;
    const inherited = heritageOf(file, node).map((it) => mutual.memberOf(it, name, { file, node }));
    const value = firstKnown(inherited);
    // What has it is of this interface, which may be less than all that is of the other.
    return value.kind === 'declared' || value.kind === 'function'
      ? implemented({ kind: 'interface', file, node }, name, value)
      : value;
  },
);

function signatureIn(
  file: FileFacts,
  node: InterfaceValue['node'],
  name: string,
): Value | undefined {
  const members = node.type === 'TSTypeLiteral' ? node.members : node.body.body;
  for (const member of members) {
    if (member.type === 'TSPropertySignature' && propertyName(member) === name) {
      const type = member.typeAnnotation?.typeAnnotation;
      return type ? mutual.typeValue(file, type) : UNKNOWN;
    }
    if (member.type === 'TSMethodSignature' && propertyName(member) === name)
      return declaredFunction(file, member);
  }
  return undefined;
}

/** A member of which the type is a parameter of the interface: what that is given. */
export function givenMember({ file, node, given }: InterfaceValue, name: string): Value {
  const owner = node.type === 'TSTypeLiteral' ? node.parent : node;
  const parameters = 'typeParameters' in owner ? owner.typeParameters?.params : undefined;
  const members = node.type === 'TSTypeLiteral' ? node.members : node.body.body;
  const member = members.find(
    (it) => it.type === 'TSPropertySignature' && propertyName(it) === name,
  );
  const type =
    member?.type === 'TSPropertySignature' ? member.typeAnnotation?.typeAnnotation : undefined;
  if (type?.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return UNKNOWN;
  const [definition] = file.variableOf(type.typeName)?.defs ?? [];
  const index = parameters?.findIndex((it) => it === definition?.node) ?? -1;
  return given?.[index] ?? UNKNOWN;
}

/** `interface Storage { … }` next to `class Storage {}`: the class has its members, and others implement them. */
export function mergedMember(file: FileFacts, node: ClassNode, name: string): Value | undefined {
  for (const it of file.nodes.all('TSInterfaceDeclaration')) {
    if (it.id.name !== node.id?.name || blockAround(it) !== blockAround(node)) continue;
    const declared = signatureIn(file, it, name);
    if (declared) return implemented({ kind: 'instance', file, node }, name, declared);
  }
  return undefined;
}

function blockAround({ parent }: ClassNode | TSESTree.TSInterfaceDeclaration): Node {
  return parent.type.startsWith('Export') ? parent.parent! : parent;
}

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
