import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isClass, isFunction, type Node, propertyName, rootOf, walk } from '../syntax/ast.ts';
import { type Behaviour, knownBehaviourOfFunction } from './behaviour.ts';
import { isComputation } from '../syntax/computations.ts';
import { type DeclaredCalls, declaredOperation } from '../effects/declared-calls.ts';
import type { FileFacts } from '../file/file.ts';
import { locationOf, writtenTarget } from '../effects/memory.ts';

/** Global functions and constructors that only compute. */
const PURE_GLOBALS =
  /^(?:Math\.|JSON\.|Object\.(?!assign|define|set)|Array\.|Number|String|Boolean|BigInt|Symbol|parseInt|parseFloat|isNaN|Date|Buffer\.|Promise\.(?:all|allSettled|resolve|race)|URL|URLSearchParams|encodeURI|decodeURI|structuredClone|Map$|Set$|WeakMap$|RegExp|Error|Intl\.|performance\.now|process\.hrtime|console\.|Array$|Object$|crypto\.randomUUID)/;

/** Of maps and sets; on a client or a cache the same names mean more, so the receiver must not be one. */
const COLLECTION_METHODS = new Set(['get', 'set', 'add', 'delete']);
const LOGGER = /^(?:console|log|logger)$/i;

/** Whether a statement, its awaited calls left aside, only computes locals and fields: another await may start before it. */
export function isHarmless(
  file: FileFacts,
  statement: Node,
  scope: Node,
  declared: DeclaredCalls,
): boolean {
  let harmless = true;
  walk(statement, (node) => {
    // no veto: what is awaited is judged by its effects; what is only defined here does nothing yet.
    if (!harmless || isClass(node) || node.type === 'AwaitExpression') return false;
    // no veto: the same.
    if (isFunction(node) && node.parent.type !== 'CallExpression') return false;
    if (doesSomething(file, node, scope, declared)) harmless = false;
    return harmless;
  });
  return harmless;
}

function doesSomething(file: FileFacts, node: Node, scope: Node, declared: DeclaredCalls): boolean {
  const target = writtenTarget(node);
  const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
  return (
    (isCall && !isPureCall(file, node, declared)) ||
    (target !== undefined && !isField(target) && locationOf(file, target, scope) !== undefined)
  );
}

/** `this.user = …`: whether a later await looks at it, its behaviour tells. */
function isField(target: Node): boolean {
  return rootOf(target).type === 'ThisExpression';
}

function isPureCall(
  file: FileFacts,
  call: TSESTree.CallExpression | TSESTree.NewExpression,
  declared: DeclaredCalls,
): boolean {
  if (declaredOperation(call, declared) !== undefined) return false;
  const callee = bare(call.callee);
  if (callee.type === 'MemberExpression') {
    const name = propertyName(callee);
    if (callee.object.type === 'Identifier' && LOGGER.test(callee.object.name)) return true;
    if (
      callee.object.type === 'MemberExpression' &&
      LOGGER.test(propertyName(callee.object) ?? '')
    ) {
      return true;
    }
    const value = valueOf(file, callee.object);
    if (
      name &&
      (isComputation(name) || COLLECTION_METHODS.has(name)) &&
      value.kind !== 'library' &&
      value.kind !== 'instance'
    ) {
      return !call.arguments.some((it) => isWriter(file, it, declared));
    }
  }
  const value = valueOf(file, callee);
  if (value.kind === 'global') return PURE_GLOBALS.test(value.name);
  if (value.kind === 'callable') return value.signature.effect === undefined;
  // no veto: nobody knows what it does.
  if (value.kind !== 'function') return false;
  const behaviour = knownBehaviourOfFunction(value, declared);
  return behaviour !== undefined && !leavesATrace(behaviour);
}

/** `groups.forEach(fill)`, where `fill` changes what it is given. */
function isWriter(file: FileFacts, given: Node, declared: DeclaredCalls): boolean {
  const value = given.type === 'Identifier' ? valueOf(file, given) : undefined;
  // no veto: a function that is written out is looked at where it stands.
  if (value?.kind !== 'function') return false;
  const behaviour = knownBehaviourOfFunction(value, declared);
  return behaviour !== undefined && behaviour.memoryWrites.size > 0;
}

function leavesATrace({ effects, memoryWrites, mayVeto }: Behaviour): boolean {
  return effects.length > 0 || memoryWrites.size > 0 || mayVeto;
}
