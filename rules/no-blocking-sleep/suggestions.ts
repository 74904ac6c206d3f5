import { mayAwait } from '../../src/analysis/syntax/ast.ts';
import type { BlockingSleep } from '../../src/patterns/pauses/blocking-sleeps.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import { endsAt, rangeOf } from '../../src/analysis/syntax/places.ts';
import type { Suggestion } from '../define-rule.ts';

/** Only where the function is already asynchronous; the callers of other functions do not await them yet. */
export function suggestionsFor(
  file: FileFacts,
  { node, msText }: BlockingSleep,
): readonly Suggestion[] {
  const statement = node.type === 'CallExpression' ? node.parent : node;
  const isWhole = node.type !== 'CallExpression' || statement.type === 'ExpressionStatement';
  if (msText === undefined || !isWhole || !mayAwait(node)) return [];
  const end = file.text[endsAt(statement) - 1] === ';' || statement === node ? ';' : '';
  const text = `await new Promise((resolve) => setTimeout(resolve, ${msText}))${end}`;
  return [{ messageId: 'timer', edits: [{ range: rangeOf(statement), text }], changes: 'order' }];
}
