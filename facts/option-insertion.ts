import type { TSESTree } from '@typescript-eslint/utils';
import { bare, propertyName } from './ast.ts';
import { argumentsOf, type Call } from './calls.ts';
import type { FileFacts } from './file.ts';
import { indentAt } from './places.ts';

interface TextEdit {
  readonly range: readonly [number, number];
  readonly text: string;
}

/** The edit that adds `property` to the options at an argument; undefined where those stand elsewhere, or hold comments that it could part from what they are about. */
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
  // `new Pool` without parentheses has no place for it.
  const close = call.range[1] - 1;
  if (args.length < at || file.text[close] !== ')') return undefined;
  return { range: [close, close], text: `${at > 0 ? ', ' : ''}{ ${property} }` };
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
  if (!last) return { range: object.range, text: `{ ${property} }` };
  const [, end] = last.range;
  const hasComment = file.source.comments.some(
    ({ range }) => range[0] >= end && range[1] <= object.range[1],
  );
  if (hasComment) return undefined;
  const lineStart = file.text.lastIndexOf('\n', last.range[0]) + 1;
  const isOwnLine = lineStart > object.range[0];
  const indent = indentAt(file.text, last.range[0]);
  return { range: [end, end], text: isOwnLine ? `,\n${indent}${property}` : `, ${property}` };
}
