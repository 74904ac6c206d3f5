import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node, propertyName } from '../syntax/ast.ts';
import { mentions } from '../syntax/mentions.ts';
import { isHandle, memberOnHandle } from './handle.ts';
import type { State, Tour } from './state.ts';

/**
 * Whether an expression leads to the handle without being it: a channel has its connection (`channel.connection`), and so has
 * a function that works with the channel. To close a channel closes no connection.
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
      return isChannelMade(tour, state, it);
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

/** What the function that has taken the handle hands out or keeps: the handle lives as long, and is whoever's who has its part. */
export function handedOut(tour: Tour, state: State, part: Node): State | undefined {
  if (tour.depth > 0 || !isPart(tour, state, part)) return undefined;
  tour.notes.isUsedLater = true;
  return { ...state, phase: 'gone' };
}
