import { valueOf } from './value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { type Call, isSpreadUpTo, returnedExpressions } from '../syntax/calls.ts';
import type { Variable } from '../syntax/names.ts';
import { bare, type Node, propertyName } from '../syntax/ast.ts';
import type { Place } from '../file/place.ts';
import type { FileFacts } from '../file/file.ts';
import { memberIn, placeOfParameter } from './given-parts.ts';
import { constantNamed, constantOf } from './spelled-lists.ts';

/** The text of a statement as written, NUL where run-time values go; or the parameter it comes from; or unknown. */
export type SqlText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'parameter'; readonly index: number; readonly fn: Node }
  | { readonly kind: 'unknown' };

const UNKNOWN_TEXT: SqlText = { kind: 'unknown' };
const MAX_DEPTH = 12;

/**
 * The statement in the first argument of a call, as written, with NUL for run-time values; undefined where its beginning is
 * unresolved.
 */
export function sqlOf(file: FileFacts, call: Call): string | undefined {
  const node = call.type === 'TaggedTemplateExpression' ? call.quasi : call.arguments[0];
  const text = node ? sqlTextOf(file, node) : undefined;
  return text?.kind === 'text' ? text.text : undefined;
}

export function sqlTextOf(file: FileFacts, node: Node, depth = 0): SqlText {
  if (depth > MAX_DEPTH) return UNKNOWN_TEXT;
  const it = bare(node);
  switch (it.type) {
    case 'Literal':
      return typeof it.value === 'string' ? { kind: 'text', text: it.value } : UNKNOWN_TEXT;
    case 'TemplateLiteral':
      return headed(
        it.quasis.flatMap((quasi, i) => [
          { kind: 'text', text: quasi.value.raw } as const,
          ...(it.expressions[i] ? [sqlTextOf(file, it.expressions[i], depth + 1)] : []),
        ]),
      );
    case 'TaggedTemplateExpression':
      return sqlTextOf(file, it.quasi, depth + 1);
    case 'BinaryExpression':
      return it.operator === '+'
        ? headed([sqlTextOf(file, it.left, depth + 1), sqlTextOf(file, it.right, depth + 1)])
        : UNKNOWN_TEXT;
    case 'ObjectExpression': {
      const text = it.properties.find(
        (property) =>
          property.type === 'Property' && /^(?:text|sql|query)$/.test(propertyName(property) ?? ''),
      );
      return text?.type === 'Property' ? sqlTextOf(file, text.value, depth + 1) : UNKNOWN_TEXT;
    }
    case 'ConditionalExpression': {
      const [a, b] = [it.consequent, it.alternate].map((side) => sqlTextOf(file, side, depth + 1));
      return a!.kind === 'text' && b!.kind === 'text'
        ? { kind: 'text', text: `${a!.text} ${b!.text}` }
        : UNKNOWN_TEXT;
    }
    case 'CallExpression':
      return calledText(file, it, depth);
    case 'MemberExpression':
      return memberText(file, it.object, propertyName(it), depth);
    case 'Identifier': {
      const variable = file.variableOf(it);
      if (variable?.defs[0]?.type === 'ImportBinding') {
        return constantText(constantOf(file, it), depth);
      }
      return variable ? variableText(file, variable, depth) : UNKNOWN_TEXT;
    }
    default:
      return UNKNOWN_TEXT;
  }
}

/** The beginning decides what a statement does: without it the text is unknown, later holes stay holes. */
function headed(parts: readonly SqlText[], separator = ''): SqlText {
  const [first, ...rest] = parts.filter((it) => it.kind !== 'text' || it.text.trim() !== '');
  if (first?.kind !== 'text') return UNKNOWN_TEXT;
  return {
    kind: 'text',
    text: [first, ...rest].map((it) => (it.kind === 'text' ? it.text : '\0')).join(separator),
  };
}

/**
 * `'select …'.trim()` and `'select ' + x` behind a method, and what sql-template-strings puts together; `sql('select …')`-like
 * tags are calls of their own.
 */
function calledText(
  file: FileFacts,
  { callee, arguments: args }: TSESTree.CallExpression,
  depth: number,
): SqlText {
  const it = bare(callee);
  const name = it.type === 'MemberExpression' ? (propertyName(it) ?? '') : '';
  if (it.type === 'MemberExpression' && name === 'append') {
    return headed([it.object, ...args].map((part) => sqlTextOf(file, part, depth + 1)));
  }
  return it.type === 'MemberExpression' &&
    /^(?:trim|toString|replace|replaceAll|setName)$/.test(name)
    ? sqlTextOf(file, it.object, depth + 1)
    : returnedText(file, it, args, depth);
}

/** `prepared('select …', values)` of a function that puts the values in. */
function returnedText(
  file: FileFacts,
  callee: Node,
  args: readonly TSESTree.CallExpressionArgument[],
  depth: number,
): SqlText {
  const fn = valueOf(file, callee);
  const [returned, ...others] =
    fn.kind === 'function' && !fn.node.async ? returnedExpressions(fn.node) : [];
  if (fn.kind !== 'function' || !returned || others.length > 0) return UNKNOWN_TEXT;
  const text = sqlTextOf(fn.file, returned, depth + 1);
  if (text.kind !== 'parameter') return text;
  const argument =
    text.fn === fn.node && !isSpreadUpTo(args, text.index) ? args[text.index] : undefined;
  return argument ? sqlTextOf(file, argument, depth + 1) : UNKNOWN_TEXT;
}

/** `queries.findUser` of an object, a module or a class that holds statements. */
function memberText(
  file: FileFacts,
  object: Node,
  name: string | undefined,
  depth: number,
): SqlText {
  // A field of an instance may be another's below, and so may one of `this` where that is the class.
  if (name === undefined || object.type === 'ThisExpression') return UNKNOWN_TEXT;
  if (valueOf(file, object).kind === 'instance') return UNKNOWN_TEXT;
  return constantText(constantNamed(file, object, name), depth);
}

/** What a constant says, where it is written out. */
function constantText(constant: Place | undefined, depth: number): SqlText {
  return constant ? sqlTextOf(constant.file, constant.node, depth + 1) : UNKNOWN_TEXT;
}

function variableText(file: FileFacts, variable: Variable, depth: number): SqlText {
  const [definition] = variable.defs;
  const place = definition && placeOfParameter(definition);
  if (place) return variable.writes.length > 0 ? UNKNOWN_TEXT : { kind: 'parameter', ...place };
  if (definition?.type !== 'Variable') return UNKNOWN_TEXT;
  const { id, init } = definition.node;
  if (id.type !== 'Identifier') {
    // `const { findUser } = require('./queries')`
    return init && variable.writes.length === 0
      ? memberText(file, init, memberIn(id, definition.name), depth)
      : UNKNOWN_TEXT;
  }
  const parts: SqlText[] = init ? [sqlTextOf(file, init, depth + 1)] : [];
  for (const reference of variable.writes) {
    const assignment = reference.identifier.parent;
    if (assignment?.type !== 'AssignmentExpression') return UNKNOWN_TEXT;
    const text = sqlTextOf(file, assignment.right, depth + 1);
    // Every statement that the variable may hold is part of the text: one write among them makes it a write.
    if (assignment.operator !== '+=' && text.kind !== 'text') return UNKNOWN_TEXT;
    parts.push(text);
  }
  return parts.length === 1 ? parts[0]! : headed(parts, '\n');
}
