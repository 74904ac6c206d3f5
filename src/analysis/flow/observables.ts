import { valueOf } from '../provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import type { Signature } from '../model/schema.ts';

/** What a function of a library does with observables, under any local name; undefined for all others. */
export function observingOf(file: FileFacts, callee: Node): Signature['observables'] {
  const value = valueOf(file, callee);
  return value.kind === 'callable' ? value.signature.observables : undefined;
}

/** Whether the function waits for the observables that it is given, or for all of a list. */
export function takesObservables(file: FileFacts, callee: Node): boolean {
  const observing = observingOf(file, callee);
  return observing === 'subscribes' || observing === 'joins';
}

/**
 * Which code subscribes to the observable that a call returns, and so sends its request: the code around it, or the callers of
 * the function that returns it; undefined where none does.
 */
export function subscriberOf(file: FileFacts, call: Node): 'code' | 'caller' | undefined {
  return subscriberAround(file, call, new Set());
}

/** `names`: those that were looked at, once each: one may be part of many others, or of itself. */
function subscriberAround(
  file: FileFacts,
  call: Node,
  names: Set<Node>,
): 'code' | 'caller' | undefined {
  for (let it = call, parent = it.parent; parent; it = parent, parent = it.parent) {
    switch (parent.type) {
      case 'ReturnStatement':
        return 'caller';
      case 'ArrowFunctionExpression':
        return bodyOf(parent) === it ? 'caller' : undefined;
      case 'CallExpression': {
        const observing = observingOf(file, bare(parent.callee));
        if (observing === 'subscribes') return 'code';
        // no veto: who else is given one does not say that it is sent.
        if (observing !== 'joins') return undefined;
        break;
      }
      case 'MemberExpression': {
        const name = parent.object === it ? (propertyName(parent) ?? '') : '';
        if (/^(?:subscribe|toPromise|forEach)$/.test(name)) return 'code';
        // no veto: what else there is of an observable is none.
        if (name !== 'pipe') return undefined;
        parent = parent.parent;
        break;
      }
      case 'VariableDeclarator':
        return parent.id.type === 'Identifier'
          ? subscriberOfName(file, parent.id, names)
          : undefined;
      case 'AwaitExpression':
      case 'ArrayExpression':
      case 'ObjectExpression':
      case 'Property':
      case 'ConditionalExpression':
      case 'LogicalExpression':
      case 'ChainExpression':
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
        break;
      default:
        return undefined;
    }
  }
  return undefined;
}

function subscriberOfName(
  file: FileFacts,
  name: TSESTree.Identifier,
  names: Set<Node>,
): 'code' | 'caller' | undefined {
  // no veto: its uses count already.
  if (names.has(name)) return undefined;
  names.add(name);
  const variable = file.variableOf(name);
  const uses = (variable?.references ?? []).filter(({ init }) => !init);
  const subscribers = uses.map(({ identifier }) => subscriberAround(file, identifier, names));
  return subscribers.includes('code') ? 'code' : subscribers.find((it) => it !== undefined);
}
