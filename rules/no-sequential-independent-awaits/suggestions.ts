import type { FileFacts } from '../../facts/file/file.ts';
import type { IndependentRun } from '../../facts/independence/independence.ts';
import { holdsAwait } from '../../facts/flow/awaited.ts';
import { promiseAllEdits } from '../../facts/independence/promise-all.ts';
import type { Suggestion } from '../define-rule.ts';

export function suggestionsFor(file: FileFacts, { reads }: IndependentRun): Suggestion[] {
  // In a list, `(await fetch(url)).json()` would still wait for its own answer before the next is asked.
  if (reads.some(({ shape }) => holdsAwait(shape.node.argument))) return [];
  const edits = promiseAllEdits(
    file,
    reads.map((it) => it.shape),
  );
  return edits ? [{ messageId: 'together', edits, changes: 'errors' }] : [];
}
