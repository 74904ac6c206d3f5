import { isLoop, type Node } from '../../src/analysis/syntax/ast.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { LoopPause } from '../../src/analysis/loops/pauses.ts';
import { indentAt, ownLine, rangeOf } from '../../src/analysis/syntax/places.ts';
import { workBehind } from '../../src/patterns/pauses/iteration-cost.ts';
import type { Edit, Suggestion } from '../define-rule.ts';

/** Edits of a yield that is a statement of its own, in a loop that is one. */
export function suggestionsFor(
  file: FileFacts,
  { loop, node, pause }: LoopPause,
  { every, budgetMs }: { readonly every: number; readonly budgetMs: number },
): readonly Suggestion[] {
  const statement = node.parent;
  if (statement?.type !== 'ExpressionStatement' || !isLoop(loop.node)) return [];
  // The call works as well, so an edit here would take the work away.
  if (workBehind(pause).length > 0) return [];
  const remove: Suggestion = {
    messageId: 'remove',
    edits: [{ range: ownLine(file, rangeOf(statement)) ?? rangeOf(statement), text: '' }],
    changes: 'order',
  };
  if (pause.kind === 'tick') return [remove];
  const { parent } = loop.node;
  if (parent.type !== 'BlockStatement' && parent.type !== 'Program') return [remove];
  const [start] = rangeOf(loop.node);
  const indent = indentAt(file, start);
  const before = (declaration: string): Edit => ({
    range: [start, start],
    text: `let ${declaration};\n${indent}`,
  });
  const counted = {
    messageId: 'everySome',
    edits: countedYield(file, statement, every, before),
    changes: 'order',
  } as const;
  // A `performance` of the file's own may be anything.
  if (isOwnName(file, 'performance')) return [counted, remove];
  const timed = {
    messageId: 'byTime',
    edits: timedYield(file, statement, budgetMs, before),
    changes: 'order',
  } as const;
  return [counted, timed, remove];
}

type Declare = (declaration: string) => Edit;

function countedYield(
  file: FileFacts,
  statement: Node,
  every: number,
  before: Declare,
): readonly Edit[] {
  const name = freshName(file, ['iterations', 'iterationCount', 'yieldCounter', 'turns']);
  const [at] = rangeOf(statement);
  return [before(`${name} = 0`), { range: [at, at], text: `if (++${name} % ${every} === 0) ` }];
}

function timedYield(
  file: FileFacts,
  statement: Node,
  budgetMs: number,
  before: Declare,
): readonly Edit[] {
  const name = freshName(file, ['yieldedAt', 'lastYieldAt', 'turnTakenAt']);
  const [at, end] = rangeOf(statement);
  const indent = indentAt(file, at);
  return [
    before(`${name} = performance.now()`),
    {
      range: [at, end],
      text:
        `if (performance.now() - ${name} > ${budgetMs}) {\n` +
        `${indent}  ${deeper(file.textOf(statement))}\n` +
        `${indent}  ${name} = performance.now();\n${indent}}`,
    },
  ];
}

/** The lines of a template are text of the program. */
function deeper(text: string): string {
  return text.includes('`') ? text : text.replaceAll('\n', '\n  ');
}

/** The first name that the file does not use, else the last. */
function freshName(file: FileFacts, names: readonly string[]): string {
  return names.find((it) => file.nodes.named(it).length === 0) ?? names.at(-1)!;
}

function isOwnName(file: FileFacts, name: string): boolean {
  return file.nodes.named(name).some((it) => (file.variableOf(it)?.defs.length ?? 0) > 0);
}
