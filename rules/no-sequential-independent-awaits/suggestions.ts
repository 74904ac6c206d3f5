import type { FileFacts } from '../../facts/file.ts';
import type { IndependentRun } from '../../facts/independence.ts';
import { promiseAllEdits } from '../../facts/promise-all.ts';
import type { Suggestion } from '../define-rule.ts';

export function suggestionsFor(file: FileFacts, { reads }: IndependentRun): Suggestion[] {
  const edits = promiseAllEdits(
    file,
    reads.map((it) => it.shape),
  );
  return edits ? [{ messageId: 'together', edits, changes: 'errors' }] : [];
}
