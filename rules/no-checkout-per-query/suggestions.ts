import { type Hoisting, hoistingOf } from '../../facts/checkout-remedies.ts';
import type { FileFacts } from '../../facts/file.ts';
import type { LoopedCheckouts } from '../../facts/looped-checkouts.ts';
import type { Suggestion } from '../define-rule.ts';

export function suggestionsFor(file: FileFacts, looped: LoopedCheckouts): readonly Suggestion[] {
  const hoisting = hoistingOf(file, looped);
  return hoisting ? [{ messageId: 'hold', edits: [hoisted(hoisting)], changes: 'load' }] : [];
}

/** `const connection = await pool.getConnection(); try { for … } finally { connection.release(); }` */
function hoisted(hoisting: Hoisting) {
  const { file, loop, name, acquireText, releaseText } = hoisting;
  const indent = indentAt(file.text, loop.range[0]);
  const lines = rewritten(hoisting).split('\n');
  const body = lines.map((it, i) => (it && i > 0 ? `  ${it}` : it)).join('\n');
  return {
    range: loop.range,
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
    ...removed.map((it) => ({ range: lineOf(file.text, it.range), text: '' })),
    ...renamed.map((it) => ({ range: it.range, text: name })),
  ];
  if (unwrapped) {
    const { block, range } = unwrapped;
    const inner = file.text.slice(block.range[0] + 1, block.range[1] - 1);
    cuts.push({ range, text: outdented(inner).trim() });
  }
  return cuts
    .sort((a, b) => b.range[0] - a.range[0])
    .reduce(
      (text, { range, text: added }) =>
        text.slice(0, range[0] - loop.range[0]) + added + text.slice(range[1] - loop.range[0]),
      file.textOf(loop),
    );
}

function outdented(text: string): string {
  return text.replaceAll(/^(?: {2}|\t)/gm, '');
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^\s*/.exec(text.slice(start, offset))![0];
}

/** The whole line of a statement that stands alone on it. */
function lineOf(text: string, [from, to]: readonly [number, number]): readonly [number, number] {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', to);
  const isAlone = !text.slice(start, from).trim() && !text.slice(to, end).trim();
  return isAlone && end !== -1 ? [start, end + 1] : [from, to];
}
