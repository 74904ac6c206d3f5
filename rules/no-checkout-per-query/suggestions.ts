import { type Hoisting, hoistingOf } from '../../src/patterns/pools/checkout-remedies.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { LoopedCheckouts } from '../../src/patterns/pools/looped-checkouts.ts';
import { endsAt, indentAt, ownLine, rangeOf, startsAt } from '../../src/analysis/syntax/places.ts';
import type { Suggestion } from '../define-rule.ts';

export function suggestionsFor(file: FileFacts, looped: LoopedCheckouts): readonly Suggestion[] {
  const hoisting = hoistingOf(file, looped);
  return hoisting ? [{ messageId: 'hold', edits: [hoisted(hoisting)], changes: 'load' }] : [];
}

/** `const connection = await pool.getConnection(); try { for … } finally { connection.release(); }` */
function hoisted(hoisting: Hoisting) {
  const { file, loop, name, acquireText, releaseText } = hoisting;
  const indent = indentAt(file, startsAt(loop));
  const lines = rewritten(hoisting).split('\n');
  const body = lines.map((it, i) => (it && i > 0 ? `  ${it}` : it)).join('\n');
  return {
    range: rangeOf(loop),
    text:
      `const ${name} = ${acquireText};\n${indent}try {\n${indent}  ${body}\n` +
      `${indent}} finally {\n${indent}  ${releaseText};\n${indent}}`,
  };
}

interface Cut {
  readonly range: readonly [number, number];
  readonly text: string;
}

/** The loop without its own checkout. */
function rewritten({ file, loop, name, removed, unwrapped, renamed }: Hoisting): string {
  const cuts: Cut[] = [
    ...removed.map((it) => ({ range: ownLine(file, rangeOf(it)) ?? rangeOf(it), text: '' })),
    ...renamed.map((it) => ({ range: rangeOf(it), text: name })),
  ];
  if (unwrapped) {
    const { block } = unwrapped;
    const inner = file.text.slice(startsAt(block) + 1, endsAt(block) - 1);
    cuts.push({ range: rangeOf(unwrapped), text: outdented(inner).trim() });
  }
  return cuts
    .sort((a, b) => b.range[0] - a.range[0])
    .reduce(
      (text, { range, text: added }) =>
        text.slice(0, range[0] - startsAt(loop)) + added + text.slice(range[1] - startsAt(loop)),
      file.textOf(loop),
    );
}

function outdented(text: string): string {
  return text.replaceAll(/^(?: {2}|\t)/gm, '');
}
