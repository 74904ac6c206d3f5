import { canIndent, type Stretch, stretchOf } from '../../src/analysis/ownership/remedies.ts';
import type { Ownership } from '../../src/analysis/ownership/ownership.ts';
import { endsAt, indentAt, ownLine, rangeOf, startsAt } from '../../src/analysis/syntax/places.ts';
import type { Edit, Suggestion } from '../define-rule.ts';
import { libraryOf } from './evidence.ts';

export function suggestionsFor(
  ownership: Ownership,
  { awaitUsing }: { readonly awaitUsing: boolean },
): readonly Suggestion[] {
  const stretch = stretchOf(ownership);
  if (!stretch) return [];
  const suggestions: Suggestion[] = [
    { messageId: 'finally', edits: [wrapped(stretch)], changes: 'errors' },
  ];
  if (stretch.query && stretch.poolText) {
    suggestions.push({ messageId: 'query', edits: pooled(stretch), changes: 'errors' });
  }
  if (awaitUsing && libraryOf(ownership).isDisposable) {
    suggestions.push({ messageId: 'using', edits: managed(stretch), changes: 'errors' });
  }
  return suggestions;
}

/** `try { … } finally { client.release(); }` around the uses; the old release goes. */
function wrapped({ file, statements, release, releaseText }: Stretch): Edit {
  const range = [startsAt(statements[0]!), endsAt(statements.at(-1)!)] as const;
  const indent = indentAt(file, range[0]);
  const inner = canIndent(statements, file) ? '  ' : '';
  const gap = release && (ownLine(file, rangeOf(release)) ?? rangeOf(release));
  const body = gap
    ? file.text.slice(range[0], Math.max(range[0], gap[0])) +
      file.text.slice(Math.min(gap[1], range[1]), range[1])
    : file.text.slice(range[0], range[1]);
  const lines = body.trim().split('\n');
  const indented = lines.map((it, i) => (it && i > 0 ? inner + it : it)).join('\n');
  return {
    range,
    text:
      `try {\n${indent}  ${indented}\n${indent}} finally {\n` +
      `${indent}  ${releaseText};\n${indent}}`,
  };
}

function pooled({ file, declaration, release, query, poolText }: Stretch): readonly Edit[] {
  return [
    { range: ownLine(file, rangeOf(declaration)) ?? rangeOf(declaration), text: '' },
    { range: rangeOf(query!.object), text: poolText! },
    ...(release ? [{ range: ownLine(file, rangeOf(release)) ?? rangeOf(release), text: '' }] : []),
  ];
}

function managed({ file, declaration, release }: Stretch): readonly Edit[] {
  const [start] = rangeOf(declaration);
  return [
    { range: [start, start + 'const'.length], text: 'await using' },
    ...(release ? [{ range: ownLine(file, rangeOf(release)) ?? rangeOf(release), text: '' }] : []),
  ];
}
