import { createColors } from 'picocolors';
import type { Reasons } from '../scan/reasons.ts';
import { counted } from './counts.ts';
import { meanings } from './coverage.ts';
import { shownPath } from './path.ts';
import { visible } from './visible.ts';

export interface WhyContext {
  readonly cwd: string;
  /** An absolute path. */
  readonly path: string;
  readonly line: number;
  /** The text of the line. */
  readonly text: string;
  readonly hasColors: boolean;
}

/** For a terminal: what Deadtime understands of one line, and why the rules are silent. */
export function whyText(
  reasons: Reasons,
  { cwd, path, line, text, hasColors }: WhyContext,
): string {
  const { bold, dim } = createColors(hasColors);
  const place = `${shownPath(path, cwd)}:${line}`;
  const lines = [`${bold(visible(place))}  ${dim(visible(text.trim()))}`, ''];
  for (const it of reasons.notices) lines.push(`The file ${visible(it)}.`);
  if (reasons.isExcluded) {
    lines.push('It is a script or code of a page: no rule reports anything in it.');
    return `${lines.join('\n')}\n`;
  }
  lines.push(understoodText(reasons), ...hiddenText(reasons, cwd, bold), '');
  if (reasons.reported.length > 0)
    lines.push(
      `Reported on this line: ${reasons.reported.join(', ')}.`,
      `  deadtime explain ${visible(place)} explains it.`,
    );
  lines.push(...silentText(reasons, bold));
  return `${lines.join('\n').trimEnd()}\n`;
}

function understoodText({ awaits, hidden }: Reasons): string {
  if (awaits === 0) return 'No await begins on this line.';
  if (hidden.length === 0)
    return `Deadtime understands ${awaits === 1 ? 'the await' : `all ${counted(awaits, 'await')}`} on this line.`;
  const all = awaits === 1 ? 'the await' : `${hidden.length} of the ${counted(awaits, 'await')}`;
  return `Deadtime does not understand ${all} on this line, so no rule reports what depends on it:`;
}

function hiddenText(
  { hidden }: Reasons,
  cwd: string,
  bold: (text: string) => string,
): readonly string[] {
  return hidden.map(({ name, cause, path, at }) => {
    const place = visible(`${shownPath(path, cwd)}:${at.line}`);
    return `  ${bold(visible(name))}  ${meanings[cause]}, ${place}`;
  });
}

function silentText(
  { silent, reported }: Reasons,
  bold: (text: string) => string,
): readonly string[] {
  if (silent.length === 0)
    return reported.length > 0 ? [] : ['No rule has a candidate on this line.'];
  const width = Math.max(...silent.map(({ ruleId }) => ruleId.length));
  return [
    'These rules have a candidate here and report nothing, because:',
    ...silent.flatMap(({ ruleId, conditions }) =>
      conditions.map((it, i) => `  ${bold((i === 0 ? ruleId : '').padEnd(width))}  ${it}`),
    ),
  ];
}
