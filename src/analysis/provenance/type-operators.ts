import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import { awaited, type CallableValue, join, UNKNOWN, type Value } from '../file/value.ts';
import { mutual } from './mutual.ts';
import { annotatedValue } from './pattern-values.ts';

/** What one of the language's type operators makes of its argument; undefined for any other name. */
export function operatedType(
  file: FileFacts,
  name: string,
  [type]: readonly TSESTree.TypeNode[],
): Value | undefined {
  // no veto: an operator without an argument.
  if (!type || !OPERATORS.has(name)) return undefined;
  const inner = mutual.typeValue(file, type);
  switch (name) {
    case 'Awaited':
      return awaited(inner);
    case 'ReturnType':
      return returnedBy(inner);
    case 'InstanceType':
      if (inner.kind === 'class') return { ...inner, kind: 'instance' };
      return inner.kind === 'callable'
        ? referred(inner, inner.signature.construct?.returns)
        : UNKNOWN;
    case 'Parameters':
      return listOf(takenBy(inner) ?? takenByCallback(file, type));
    default:
      return inner;
  }
}

const OPERATORS = new Set([
  ...['Awaited', 'InstanceType', 'Parameters', 'ReturnType'],
  // Their result is, for provenance, what they are applied to.
  ...['NonNullable', 'Omit', 'Partial', 'Pick', 'Readonly', 'Required'],
]);

/** `Deps['pool']`, `Parameters<Work>[0]`, `Handlers[number]` */
export function indexedType(file: FileFacts, type: TSESTree.TSIndexedAccessType): Value {
  const owner = mutual.typeValue(file, type.objectType);
  const index = indexOf(type);
  if (owner.kind === 'array' && !owner.isKeyed) {
    const element = typeof index === 'number' ? owner.elements?.[index] : undefined;
    return element ?? owner.of;
  }
  return index === undefined
    ? UNKNOWN
    : mutual.memberOf(owner, String(index), { file, node: type });
}

function indexOf({ indexType }: TSESTree.TSIndexedAccessType): string | number | undefined {
  if (indexType.type !== 'TSLiteralType' || indexType.literal.type !== 'Literal') return undefined;
  const { value } = indexType.literal;
  return typeof value === 'number' || typeof value === 'string' ? value : undefined;
}

function returnedBy(fn: Value): Value {
  if (fn.kind === 'function') return mutual.returnOf(fn);
  if (fn.kind === 'callable') return referred(fn, fn.signature.returns);
  return fn.kind === 'declared' && fn.returns ? mutual.typeValue(fn.file, fn.returns) : UNKNOWN;
}

/** The types of what a function of the project is given, as it declares them. */
function takenBy(fn: Value): readonly Value[] | undefined {
  const node = fn.kind === 'function' ? fn.node : fn.kind === 'declared' ? fn.signature : undefined;
  if (!node || (fn.kind !== 'function' && fn.kind !== 'declared')) return undefined;
  return node.params.map((it) => annotatedValue(fn.file, it));
}

/** Of `Parameters<typeof db.transaction>[0]`: what a function of a library gives to the function that it is given. */
function takenByCallback(file: FileFacts, type: TSESTree.TypeNode): readonly Value[] {
  if (type.type !== 'TSIndexedAccessType' || type.objectType.type !== 'TSTypeReference') return [];
  const { typeName, typeArguments } = type.objectType;
  const [of] = typeArguments?.params ?? [];
  if (!of || typeName.type !== 'Identifier' || typeName.name !== 'Parameters') return [];
  const fn = mutual.typeValue(file, of);
  const callback = fn.kind === 'callable' ? fn.signature.callback : undefined;
  if (fn.kind !== 'callable' || !callback || callback.at !== indexOf(type)) return [];
  return callback.params.map((it) => referred(fn, it));
}

function referred({ library, receiver }: CallableValue, reference: string | undefined): Value {
  return mutual.referredValue(library, reference, undefined, receiver);
}

function listOf(elements: readonly Value[]): Value {
  return { kind: 'array', of: join(elements), elements };
}
