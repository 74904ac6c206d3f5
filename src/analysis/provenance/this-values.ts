import { valueOf } from './value-of.ts';
import {
  classAround,
  contains,
  functionAround,
  type FunctionNode,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { callbackOf } from './contextual.ts';
import { equippedSelf } from './equipment.ts';
import type { FileFacts } from '../file/file.ts';
import { isInformative, UNKNOWN, type Value } from '../file/value.ts';
import { mutual } from './mutual.ts';

/** The value of `super`: the parent, seen from an instance or from the class. */
export function superValue(parent: Value, isStatic: boolean): Value {
  if (isStatic) return parent;
  if (parent.kind === 'class') return { kind: 'instance', file: parent.file, node: parent.node };
  if (parent.kind === 'callable' && parent.signature.construct) {
    return mutual.referredValue(parent.library, parent.signature.construct.returns, undefined);
  }
  return UNKNOWN;
}

/** The value of `this` at a place. */
export function thisValue(file: FileFacts, node: Node): Value {
  const around = classAround(node);
  let fn = functionAround(node);
  while (fn?.type === 'ArrowFunctionExpression') fn = functionAround(fn);
  if (around) {
    const isMethod = fn?.parent.type === 'MethodDefinition' && contains(around.node, fn);
    const equipped = isMethod ? equippedSelf(file, fn!) : undefined;
    return equipped ?? { kind: around.static ? 'class' : 'instance', file, node: around.node };
  }
  if (!fn) return UNKNOWN;
  const called = callbackOf(file, fn);
  const self = called?.callback.self;
  return self ? mutual.referredValue(called.library, self, undefined) : receiverOf(file, fn);
}

/** What a plain function is called on, by where it is written. */
function receiverOf(file: FileFacts, fn: FunctionNode): Value {
  const equipped = equippedSelf(file, fn);
  if (equipped) return equipped;
  const declared = declaredReceiver(file, fn);
  if (isInformative(declared)) return declared;
  const { parent } = fn;
  if (parent.type === 'Property' && parent.parent.type === 'ObjectExpression') {
    const owner = parent.parent;
    const prototype = owner.parent.type === 'AssignmentExpression' ? owner.parent.left : undefined;
    return prototypeOwner(file, prototype) ?? { kind: 'object', file, node: owner };
  }
  if (parent.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression') {
    const { object } = parent.left;
    const constructed = prototypeOwner(file, object);
    if (constructed) return constructed;
    const owner = valueOf(file, object);
    if (['object', 'class', 'function', 'namespace'].includes(owner.kind)) return owner;
  }
  return { kind: 'constructed', file, node: fn };
}

/** `async function byEmail(this: ReaderModel, email: string)` */
function declaredReceiver(file: FileFacts, { params: [first] }: FunctionNode): Value {
  return first?.type === 'Identifier' && first.name === 'this' && first.typeAnnotation
    ? mutual.typeValue(file, first.typeAnnotation.typeAnnotation)
    : UNKNOWN;
}

/** What `Db.prototype` is the prototype of. */
function prototypeOwner(file: FileFacts, node: Node | undefined): Value | undefined {
  if (node?.type !== 'MemberExpression' || propertyName(node) !== 'prototype') return undefined;
  const owner = valueOf(file, node.object);
  if (owner.kind === 'class') return { ...owner, kind: 'instance' };
  return owner.kind === 'function'
    ? { kind: 'constructed', file: owner.file, node: owner.node }
    : undefined;
}
