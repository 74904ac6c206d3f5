import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node, propertyName, rootOf } from '../syntax/ast.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { type Call } from '../syntax/calls.ts';
import { mentions } from '../syntax/mentions.ts';
import { aliasOf, isHandle, memberOnHandle } from './handle.ts';
import type { State, Tour } from './state.ts';

/**
 * Whether an expression leads to the handle without being it: a channel has its connection (`channel.connection`), a
 * runner's manager (`runner.manager`) and its repositories are on the runner's, and so is a function that works with one.
 * To close a channel closes no connection.
 */
export function isPart(tour: Tour, state: State, node: Node): boolean {
  const it = bare(node);
  switch (it.type) {
    case 'Identifier': {
      const variable = tour.file.variableOf(it);
      return variable !== undefined && tour.notes.parts.has(variable);
    }
    case 'AwaitExpression':
      return isPart(tour, state, it.argument);
    case 'CallExpression':
      return isChannelMade(tour, state, it) || isMadeOfPart(tour, state, it);
    case 'MemberExpression':
      return isHandle(tour, state, it.object) && isOnConnection(tour, propertyName(it));
    case 'ObjectExpression':
      return it.properties.some(
        (property) => property.type === 'Property' && isPart(tour, state, property.value),
      );
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return mentions(tour.file, it, tour.notes.parts);
    default:
      return false;
  }
}

/** `connection.createChannel()` */
function isChannelMade(tour: Tour, state: State, { callee }: TSESTree.CallExpression): boolean {
  const it = bare(callee);
  return (
    it.type === 'MemberExpression' &&
    isHandle(tour, state, it.object) &&
    memberOnHandle(tour, propertyName(it))?.acquires === 'channel'
  );
}

/** `runner.manager.getRepository(Order)`: an object, where the answer to a query is the promise of one. */
function isMadeOfPart(tour: Tour, state: State, node: TSESTree.CallExpression): boolean {
  const callee = bare(node.callee);
  return (
    callee.type === 'MemberExpression' &&
    isPart(tour, state, callee.object) &&
    valueOf(tour.file, node).kind === 'library'
  );
}

/** `manager` of a runner: code with the manager uses the runner's connection. */
export function isOnConnection(tour: Tour, name: string | undefined): boolean {
  const member = memberOnHandle(tour, name);
  return member?.type !== undefined && member.begins !== undefined;
}

/** `runner.manager.findOne(…)`, `orders.find()` of a repository that the runner's manager has given. */
export function isWorkOfPart(tour: Tour, node: Call, receiver: Node, state: State): boolean {
  return !!libraryCallOf(tour.file, node)?.signature.effect && isPart(tour, state, receiver);
}

/** `repository.manager.queryRunner`, `manager.queryRunner`: what was made around the handle, or what is read off that, the handle or a part. */
export function belongsTo(tour: Tour, state: State, node: Node): boolean {
  const whole = bare(node);
  const it = rootOf(whole);
  const alias = aliasOf(tour, state, it);
  if (it === whole) return alias === 'wrapper';
  return alias !== undefined || isPart(tour, state, it);
}

/** Parts that the acquiring function passes out or stores: the handle lives as long, and belongs to the owner of its part. */
export function handedOut(tour: Tour, state: State, part: Node): State | undefined {
  if (tour.depth > 0 || !isPart(tour, state, part)) return undefined;
  tour.notes.isUsedLater = true;
  return { ...state, phase: 'gone' };
}
