import { visible } from './visible.ts';

/** Text from outside in Markdown, which shows it unchanged: no markup, no HTML, no mention of a person. */
export function markdownText(text: string): string {
  return visible(text)
    .replaceAll(/[\\`*_{}[\]()#~!]/g, (it) => `\\${it}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@<!-- -->')
    .replaceAll('://', ':<!-- -->//');
}

export function markdownCode(text: string): string {
  const shown = visible(text);
  const runs = shown.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map((it) => it.length)) + 1);
  const gap = runs.length > 0 || /^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${gap}${shown}${gap}${fence}`;
}

/** The same where nothing could be markup: editors without it show Markdown as it is written. */
export function hoverMessage(message: string): string {
  return /[<[\]]|:\/\//.test(message) || visible(message) !== message
    ? markdownMessage(message)
    : message;
}

/** A message: what it quotes between backticks is code. */
export function markdownMessage(message: string): string {
  const parts = message.split('`');
  // An odd one out was part of the code that is quoted.
  if (parts.length % 2 === 0) return markdownText(message);
  return parts
    .map((it, i) => (i % 2 === 0 ? markdownText(it) : it === '' ? '' : markdownCode(it)))
    .join('');
}
