import type { TSESTree } from '@typescript-eslint/utils';
import { bare, propertyName } from '../../analysis/syntax/ast.ts';
import { argumentsOf, type Call, calleeOf } from '../../analysis/syntax/calls.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { commentsBetween } from '../../analysis/syntax/comments.ts';
import {
  endsAt,
  indentAt,
  rangeOf,
  startsAt,
  type TextEdit,
} from '../../analysis/syntax/places.ts';

/**
 * The edit that adds `property` to the options at an argument; undefined where they are elsewhere, or contain comments that the
 * edit could separate from their subject.
 */
export function optionInsertion(
  file: FileFacts,
  call: Call,
  at: number,
  property: string,
): TextEdit | undefined {
  const args = argumentsOf(call);
  const options = args[at];
  if (options) {
    const object = bare(options);
    return object.type === 'ObjectExpression' ? insertion(file, object, property) : undefined;
  }
  if (args.length < at) return undefined;
  const end = endOfArguments(file, call);
  if (end === undefined) return undefined;
  return { range: [end, end], text: `${at > 0 ? ', ' : ''}{ ${property} }` };
}

/**
 * Where one more argument has its place: before the comma that may end the list, and behind the parentheses that may stand
 * around the last. Undefined beside a comment, which it could part from what it is about.
 */
function endOfArguments(file: FileFacts, call: Call): number | undefined {
  const close = endsAt(call) - 1;
  const last = argumentsOf(call).at(-1);
  if (!last) {
    // `new Pool` and `new (Pool)` have no place for it.
    const isEmptyList = /\(\s*\)$/.test(file.text.slice(endsAt(calleeOf(call)), close + 1));
    return isEmptyList ? close : undefined;
  }
  const rest = file.text.slice(endsAt(last), close);
  return /[^\s),]/.test(rest) ? undefined : endsAt(last) + rest.replace(',', '').trimEnd().length;
}

function insertion(
  file: FileFacts,
  object: TSESTree.ObjectExpression,
  property: string,
): TextEdit | undefined {
  const last = object.properties.at(-1);
  const [name] = property.split(':');
  if (object.properties.some((it) => it.type === 'Property' && propertyName(it) === name))
    return undefined;
  if (!last) return { range: rangeOf(object), text: `{ ${property} }` };
  const [, end] = rangeOf(last);
  if (commentsBetween(file.source.comments, end, endsAt(object)).length > 0) return undefined;
  const lineStart = file.lines.startAt(startsAt(last));
  const isOwnLine = lineStart > startsAt(object);
  const indent = indentAt(file, startsAt(last));
  return { range: [end, end], text: isOwnLine ? `,\n${indent}${property}` : `, ${property}` };
}
