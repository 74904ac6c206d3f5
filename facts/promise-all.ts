import type { TSESTree } from '@typescript-eslint/utils';
import type { AwaitShape } from './await-shapes.ts';
import type { FileFacts } from './file.ts';

interface TextEdit {
  readonly range: readonly [number, number];
  readonly text: string;
}

/**
 * The edit that turns adjacent `const a = await f()` declarations into one destructured Promise.all;
 * undefined when anything else stands between them, a comment included, or a declaration is more than that.
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
  if (!areAdjacent(file, declarations) || hasCommentWithin(file, first.range[0], last.range[1])) {
    return undefined;
  }
  if (new Set(declarations.map((it) => it.kind)).size > 1) return undefined;
  const patterns = shapes.map((it) => file.textOf(it.declarator!.id)).join(', ');
  const indent = indentOf(file, first.range[0]);
  const calls = shapes.map((it) => `${indent}  ${file.textOf(it.node.argument)},\n`).join('');
  const end = file.text[last.range[1] - 1] === ';' ? ';' : '';
  return [
    {
      range: [first.range[0], last.range[1]],
      text: `${first.kind} [${patterns}] = await Promise.all([\n${calls}${indent}])${end}`,
    },
  ];
}

function areAdjacent(file: FileFacts, declarations: readonly TSESTree.Statement[]): boolean {
  return declarations.every((it, i) => {
    const next = declarations[i + 1];
    return !next || file.text.slice(it.range[1], next.range[0]).trim() === '';
  });
}

function hasCommentWithin(file: FileFacts, start: number, end: number): boolean {
  return file.source.comments.some((it) => it.range[0] >= start && it.range[1] <= end);
}

function indentOf(file: FileFacts, offset: number): string {
  const lineStart = file.text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(file.text.slice(lineStart))![0];
}
