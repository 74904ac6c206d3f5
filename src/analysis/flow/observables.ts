import { valueOf } from '../provenance/value-of.ts';
import { queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';

/** What makes a promise of an observable, or one observable of several that are all subscribed to. */
const SUBSCRIBING = /^(?:firstValueFrom|lastValueFrom)$/;
const JOINING = 'forkJoin';

/** The name of a function of rxjs, under any local name. */
export function rxjsName(file: FileFacts, callee: Node): string | undefined {
  // no veto: spares nearly all files the question.
  if (!mentionsRxjs(file)) return undefined;
  const value = valueOf(file, callee);
  return value.kind === 'callable' && value.library.name === 'rxjs' ? value.name : undefined;
}

const RXJS = /rxjs/;

const mentionsRxjs = queryOfFile('rxjs', (file: FileFacts): boolean => file.says(RXJS), {
  whileCyclic: false,
});

/** Whether the function waits for the observables that it is given, or for all of a list. */
export function takesObservables(file: FileFacts, callee: Node): boolean {
  const name = rxjsName(file, callee);
  return name !== undefined && (SUBSCRIBING.test(name) || name === JOINING);
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
        const name = rxjsName(file, bare(parent.callee));
        if (name !== undefined && SUBSCRIBING.test(name)) return 'code';
        // no veto: who else is given one does not say that it is sent.
        if (name !== JOINING) return undefined;
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
