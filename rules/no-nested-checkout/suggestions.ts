import type { NestedCheckouts } from '../../src/patterns/pools/nested-checkouts.ts';
import { onHandleEdit } from '../../src/patterns/pools/nested-remedies.ts';
import type { Suggestion } from '../define-rule.ts';

/** None for what a function elsewhere takes: it would need another parameter, and so would its other callers. */
export function suggestionsFor({ scope, waits }: NestedCheckouts): readonly Suggestion[] {
  const edits = waits.map((it) => onHandleEdit(scope, it));
  return edits.every((it) => it !== undefined)
    ? [{ messageId: 'handle', edits, changes: 'atomicity' }]
    : [];
}
