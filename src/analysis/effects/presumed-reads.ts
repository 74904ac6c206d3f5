import type { FileFacts } from '../file/file.ts';
import { isAwaited } from '../flow/awaited.ts';
import { bare, dottedName, isFunction, type Node } from '../syntax/ast.ts';
import { argumentsOf, type Call, calleeOf } from '../syntax/calls.ts';
import { wordsOf } from '../syntax/words.ts';
import { patternOf } from '../words/word-list.ts';
import { readingVerbs } from '../words/work.ts';
import { declaredEffect, type Effect } from './effects.ts';

const READING = patternOf(readingVerbs, { isFirst: true });

/** Whether a call is named like a read: `getRates`, `listOrders`. */
export function isNamedAsRead(name: string): boolean {
  return READING.test(wordsOf(name));
}

/**
 * The read that an unresolved call is assumed to be, by its name and by where its receiver comes from: a package, or a class or an
 * interface of the project. A function among its arguments may do anything.
 */
export function presumedRead(file: FileFacts, call: Call): Effect | undefined {
  const callee = bare(calleeOf(call));
  const name = dottedName(callee);
  if (name === undefined || callee.type !== 'MemberExpression') return undefined;
  if (!isNamedAsRead(name.slice(name.lastIndexOf('.') + 1))) return undefined;
  // no veto: what is not awaited is no read of a run.
  if (!isAwaited(file, call)) return undefined;
  if (argumentsOf(call).some((it) => isFunction(bare(it)))) return undefined;
  if (!isDeclaredReceiver(file, callee.object)) return undefined;
  return { ...declaredEffect(file, call, 'read'), assumed: `\`${name}()\` only reads` };
}

/** How many names are followed. */
const FARTHEST = 4;

function isDeclaredReceiver(file: FileFacts, node: Node, distance = 0): boolean {
  const it = bare(node);
  if (distance > FARTHEST) return false;
  switch (it.type) {
    case 'MemberExpression':
      return (
        it.object.type === 'ThisExpression' || isDeclaredReceiver(file, it.object, distance + 1)
      );
    case 'AwaitExpression':
      return isDeclaredReceiver(file, it.argument, distance + 1);
    case 'CallExpression':
    case 'NewExpression':
      return isDeclaredReceiver(file, it.callee, distance + 1);
    case 'Identifier': {
      const definition = file.variableOf(it)?.defs[0];
      if (definition?.type === 'ImportBinding') return true;
      const name = definition?.name;
      if (
        name?.type === 'Identifier' &&
        name.typeAnnotation?.typeAnnotation.type === 'TSTypeReference'
      )
        return true;
      const init = definition?.type === 'Variable' ? definition.node.init : undefined;
      return !!init && isDeclaredReceiver(file, init, distance + 1);
    }
    default:
      return false;
  }
}
