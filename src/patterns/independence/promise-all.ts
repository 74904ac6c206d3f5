import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { AwaitShape } from './await-shapes.ts';
import type { PromiseList } from '../load/false-parallelism.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { canIndent } from '../../analysis/ownership/remedies.ts';
import { commentsBetween } from '../../analysis/syntax/comments.ts';
import {
  endsAt,
  indentAt,
  rangeOf,
  startsAt,
  type TextEdit,
} from '../../analysis/syntax/places.ts';

/**
 * The edit that turns adjacent `const a = await f()` declarations into one destructured Promise.all; undefined when anything
 * else is between them, a comment included, or a declaration has more parts.
 */
export function promiseAllEdits(
  file: FileFacts,
  shapes: readonly AwaitShape[],
): readonly TextEdit[] | undefined {
  const declarations: TSESTree.VariableDeclaration[] = [];
  for (const { statement, declarator } of shapes) {
    if (!declarator || statement.type !== 'VariableDeclaration') return undefined;
    if (statement.declarations.length !== 1 || statement.kind === 'var') return undefined;
    if (declarator.id.typeAnnotation) return undefined;
    declarations.push(statement);
  }
  const first = declarations[0]!;
  const last = declarations.at(-1)!;
  if (!areAdjacent(file, declarations) || hasCommentWithin(file, startsAt(first), endsAt(last))) {
    return undefined;
  }
  if (new Set(declarations.map((it) => it.kind)).size > 1) return undefined;
  const patterns = shapes.map((it) => file.textOf(it.declarator!.id)).join(', ');
  const indent = indentAt(file, startsAt(first));
  const calls = shapes.map((it) => `${indent}  ${file.textOf(it.node.argument)},\n`).join('');
  const end = file.text[endsAt(last) - 1] === ';' ? ';' : '';
  return [
    {
      range: [startsAt(first), endsAt(last)],
      text: `${first.kind} [${patterns}] = await Promise.all([\n${calls}${indent}])${end}`,
    },
  ];
}

function areAdjacent(file: FileFacts, declarations: readonly TSESTree.Statement[]): boolean {
  return declarations.every((it, i) => {
    const next = declarations[i + 1];
    return !next || file.text.slice(endsAt(it), startsAt(next)).trim() === '';
  });
}

function hasCommentWithin(file: FileFacts, start: number, end: number): boolean {
  return commentsBetween(file.source.comments, start, end).some(
    ({ range }) => range[0] >= start && range[1] <= end,
  );
}

/**
 * The edit that turns a statement with `await Promise.all(…)` into sequential awaits; undefined where its results are used in
 * another way than name by name, or a comment would be lost.
 */
export function oneByOneEdit(
  file: FileFacts,
  call: TSESTree.CallExpression,
  list: PromiseList,
): TextEdit | undefined {
  const whole = call.parent;
  const statement = whole.type === 'AwaitExpression' ? statementAround(whole) : undefined;
  const isPlain = /\.all$/.test(file.textOf(call.callee)) && call.arguments[0] === list.node;
  if (
    !statement ||
    !isPlain ||
    list.kind === 'added' ||
    hasCommentWithin(file, ...rangeOf(statement))
  )
    return undefined;
  const lines =
    list.kind === 'each'
      ? loopOver(file, statement, list)
      : awaitsOf(file, statement, list.node.elements);
  return lines ? { range: rangeOf(statement), text: lines } : undefined;
}

function statementAround(
  whole: TSESTree.AwaitExpression,
): TSESTree.ExpressionStatement | TSESTree.VariableDeclaration | undefined {
  const { parent } = whole;
  const statement = parent.type === 'VariableDeclarator' ? parent.parent : parent;
  const isPlain =
    statement.type === 'ExpressionStatement' ||
    (statement.type === 'VariableDeclaration' && statement.declarations.length === 1);
  const isInBlock = /^(?:BlockStatement|Program)$/.test(statement.parent?.type ?? '');
  return isPlain && isInBlock ? statement : undefined;
}

/** `const [a, b] = await Promise.all([x, y])` or `await Promise.all([x, y])`: a statement for each element. */
function awaitsOf(
  file: FileFacts,
  statement: TSESTree.ExpressionStatement | TSESTree.VariableDeclaration,
  elements: TSESTree.ArrayExpression['elements'],
): string | undefined {
  const pattern =
    statement.type === 'VariableDeclaration' ? statement.declarations[0].id : undefined;
  const names = pattern?.type === 'ArrayPattern' ? pattern.elements : undefined;
  if (pattern && (!names || pattern.typeAnnotation || names.length > elements.length))
    return undefined;
  const lines = elements.map((it, i) => {
    const name = names?.[i];
    const isPlain = it && it.type !== 'SpreadElement' && name?.type !== 'RestElement';
    if (!isPlain) return undefined;
    const start = name
      ? `${(statement as TSESTree.VariableDeclaration).kind} ${file.textOf(name)} = `
      : '';
    return `${start}await ${operandOf(file, it)};`;
  });
  if (!lines.every((it) => it !== undefined)) return undefined;
  return lines.join(`\n${indentAt(file, startsAt(statement))}`);
}

function operandOf(file: FileFacts, node: TSESTree.Expression): string {
  const text = file.textOf(node);
  return /^(?:CallExpression|Identifier|MemberExpression|TaggedTemplateExpression)$/.test(node.type)
    ? text
    : `(${text})`;
}

/** `await Promise.all(rows.map((row) => save(row)))` as `for (const row of rows) { await save(row); }`. */
function loopOver(
  file: FileFacts,
  statement: TSESTree.Statement,
  { node, over, fn }: Extract<PromiseList, { kind: 'each' }>,
): string | undefined {
  const [element, ...others] = fn.params;
  // `super` has members, and is nothing to go through.
  if (statement.type !== 'ExpressionStatement' || over.type === 'Super') return undefined;
  // What `this` is in a function may be an argument behind it.
  if (!element || others.length > 0 || node.arguments.at(-1) !== fn) return undefined;
  // `of` takes no default, no rest and no type.
  const isTaken = /^(?:Identifier|ArrayPattern|ObjectPattern)$/.test(element.type);
  if (!isTaken || ('typeAnnotation' in element && element.typeAnnotation)) return undefined;
  const head = `for (const ${file.textOf(element)} of ${file.textOf(over)})`;
  const body = bodyOf(fn);
  const indent = indentAt(file, startsAt(statement));
  if (body.type !== 'BlockStatement') {
    return `${head} {\n${indent}  await ${operandOf(file, body)};\n${indent}}`;
  }
  // `return` would end more than one element's work.
  if (!fn.async || /\breturn\b/.test(file.textOf(body)) || !canIndent([body], file))
    return undefined;
  const excess = indentAt(file, endsAt(body) - 1).slice(indent.length);
  return `${head} ${file.textOf(body).replaceAll(`\n${indent}${excess}`, `\n${indent}`)}`;
}
