import type { FileFacts } from '../../src/analysis/file/file.ts';
import { indentAt, rangeOf, startsAt } from '../../src/analysis/syntax/places.ts';
import type { SyncWrites } from '../../src/patterns/writes/sync-writes.ts';
import type { Suggestion } from '../define-rule.ts';

/**
 * `db.transaction(() => { for … })();` for better-sqlite3. The other libraries need a table, or a transaction as an argument of
 * every statement: a person writes that.
 */
export function suggestionsFor(
  file: FileFacts,
  { statement, database }: SyncWrites,
): readonly Suggestion[] {
  if (!statement || database === undefined) return [];
  const indent = indentAt(file, startsAt(statement));
  const body = file.textOf(statement).replaceAll('\n', '\n  ');
  const text = `${database}.transaction(() => {\n${indent}  ${body}\n${indent}})();`;
  return [
    {
      messageId: 'transaction',
      edits: [{ range: rangeOf(statement), text }],
      changes: 'atomicity',
    },
  ];
}
