import type { FalseParallelism } from '../../src/patterns/load/false-parallelism.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import { oneByOneEdit } from '../../src/patterns/independence/promise-all.ts';
import type { Suggestion } from '../define-rule.ts';

/** None where the results are used in another way than name by name, or others are waited for, too. */
export function suggestionsFor(
  file: FileFacts,
  { call, list, isAll }: FalseParallelism,
): readonly Suggestion[] {
  const edit = isAll ? oneByOneEdit(file, call, list) : undefined;
  return edit ? [{ messageId: 'sequence', edits: [edit], changes: 'errors' }] : [];
}
