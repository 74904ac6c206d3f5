/** A table of Markdown; the cells may hold `|`. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((it) => it.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [
    '<!-- prettier-ignore -->',
    line(head),
    `|${'---|'.repeat(head.length)}`,
    ...rows.map(line),
  ].join('\n');
}

/** "Report findings." of "report findings". */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
