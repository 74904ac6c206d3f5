import { bare, dottedName, type Node, propertyName } from '../syntax/ast.ts';
import { type Call, calleeOf } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { endsAt, rangeOf, startsAt } from '../syntax/places.ts';

/** The quote in a message of the place where a path leaves: the called function, or the statement's keyword. */
export function quoted(file: FileFacts, node: Node): string {
  const it = bare(node);
  switch (it.type) {
    case 'AwaitExpression':
      return quoted(file, it.argument);
    case 'CallExpression':
    case 'NewExpression': {
      const callee = bare(it.callee);
      const method = callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
      return dottedName(callee) ?? method ?? 'a call';
    }
    case 'TaggedTemplateExpression':
      return dottedName(it.tag) ?? 'a query';
    case 'ThrowStatement':
      return 'throw';
    case 'ReturnStatement':
      return 'return';
    case 'YieldExpression':
      return 'yield';
    case 'SwitchCase':
      return it.test ? `case ${shortened(file, it.test)}` : 'default';
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return it.type.startsWith('For') ? 'for' : 'while';
    default:
      return dottedName(it) ?? shortened(file, it);
  }
}

/** As written, as far as a sentence can take it. */
function shortened(file: FileFacts, node: Node): string {
  const text = file.textOf(node);
  return text.length > LONGEST_QUOTE || /[`\n{]/.test(text) ? 'this test' : text;
}

/** Characters. */
const LONGEST_QUOTE = 40;

/** Counted from 1. */
export function lineOf(file: FileFacts, node: Node): number {
  return file.lines.numberAt(startsAt(node));
}

/** The place to underline: the call, without a callback that goes on over many lines. */
export function headOf(file: FileFacts, call: Call): readonly [number, number] {
  if (!file.textOf(call).includes('\n')) return rangeOf(call);
  return [startsAt(call), endsAt(calleeOf(call))];
}
