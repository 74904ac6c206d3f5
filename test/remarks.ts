import { valueOf } from '../src/analysis/provenance/value-of.ts';
import { resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import type { Node } from '../src/analysis/syntax/ast.ts';
import { describe as described } from '../src/analysis/provenance/describe.ts';
import type { FileFacts } from '../src/analysis/file/file.ts';
import { endsAt } from '../src/analysis/syntax/places.ts';
import { createModules } from '../src/project/modules.ts';
import { type ProjectModules } from '../src/project/project-modules.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';

/** Files whose comments at line ends say what the declared name, or the expression statement, on that line is. */
export function remarkedPaths(): readonly string[] {
  return globSync('fixtures/provenance/**/*.{ts,js}').sort();
}

export function projectModules(): ProjectModules {
  return createModules({
    parse(text, path, modules) {
      const source = sourceOf(text, path, { modules: () => modules });
      return isFailure(source) ? undefined : source;
    },
  });
}

/** The text of a file with what the facts say in place of what its remarks say. */
export function remarked(path: string, modules: ProjectModules, { isBackwards = false } = {}) {
  const file = modules.factsAt(resolve(path))!;
  const lines = file.text.split('\n');
  const marked = remarksIn(file, lines);
  for (const { subject, line, mark } of isBackwards ? marked.toReversed() : marked) {
    const value = described(valueOf(file, subject));
    lines[line] = lines[line]!.slice(0, -mark.length) + value;
  }
  return lines.join('\n');
}

function remarksIn(file: FileFacts, lines: readonly string[]) {
  return file.nodes.all('ExpressionStatement', 'VariableDeclarator').flatMap((node) => {
    const line = file.text.slice(0, endsAt(node)).split('\n').length - 1;
    const mark = / \/\/ (\S.*)$/.exec(lines[line]!)?.[1];
    const subject = subjectOf(node);
    return mark && subject ? [{ subject, line, mark }] : [];
  });
}

function subjectOf(node: Node): Node | undefined {
  if (node.type === 'ExpressionStatement') return node.expression;
  return node.type === 'VariableDeclarator' && node.id.type === 'Identifier' ? node.id : undefined;
}
