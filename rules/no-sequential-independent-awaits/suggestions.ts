import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { IndependentRun } from '../../src/patterns/independence/independence.ts';
import { holdsAwait } from '../../src/analysis/flow/awaited.ts';
import { promiseAllEdits } from '../../src/patterns/independence/promise-all.ts';
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
