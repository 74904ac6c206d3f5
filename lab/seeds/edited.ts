import type { Edit } from '../../rules/define-rule.ts';

/** A text with edits that do not overlap; several at one place stay in their order. */
export function edited(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .map((edit, i) => ({ ...edit, i }))
    .sort((a, b) => b.range[0] - a.range[0] || b.i - a.i)
    .reduce(
      (it, { range, text: added }) => it.slice(0, range[0]) + added + it.slice(range[1]),
      text,
    );
}
