import { valueOf } from './value-of.ts';
import { bare, dottedName, type Node, walk } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';

const CLOCKS = new Set(['Date.now', 'performance.now']);

/** Whether `node` is the time now, in milliseconds: `Date.now()`, `performance.now()`, `+new Date()`, `new Date().getTime()`. */
export function isClockReading(file: FileFacts, node: Node): boolean {
  const it = bare(node);
  switch (it.type) {
    case 'UnaryExpression':
      return it.operator === '+' && isClockReading(file, it.argument);
    case 'NewExpression':
      return it.arguments.length === 0 && isGlobal(file, it.callee, 'Date');
    case 'CallExpression': {
      const callee = bare(it.callee);
      if (callee.type === 'MemberExpression' && /\)$/.test(file.textOf(callee.object))) {
        return isClockReading(file, callee.object);
      }
      return CLOCKS.has(dottedName(callee) ?? '') && isGlobal(file, callee, dottedName(callee)!);
    }
    default:
      return false;
  }
}

/** Whether a part of `node` reads the clock. */
export function readsClock(file: FileFacts, node: Node): boolean {
  let reads = false;
  walk(node, (it) => {
    reads ||= isClockReading(file, it);
    return !reads;
  });
  return reads;
}

/** Whether a part of `node` takes the time since another reading: `Date.now() - start`. */
export function measuresTime(file: FileFacts, node: Node): boolean {
  let measures = false;
  walk(node, (it) => {
    measures ||=
      it.type === 'BinaryExpression' &&
      it.operator === '-' &&
      isClockReading(file, it.left) &&
      isKeptReading(file, it.right);
    return !measures;
  });
  return measures;
}

function isKeptReading(file: FileFacts, node: Node): boolean {
  const it = bare(node);
  const definition = it.type === 'Identifier' ? file.variableOf(it)?.defs[0] : undefined;
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  return !!init && isClockReading(file, init);
}

function isGlobal(file: FileFacts, node: Node, name: string): boolean {
  const value = valueOf(file, node);
  return value.kind === 'global' && value.name === name;
}
