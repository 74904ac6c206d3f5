/** Text for HTML and SVG, in content and in quoted attributes. */
export function escaped(text: string | number): string {
  return String(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A table whose first row is the head; the first cell of a row names it. */
export function table(caption: string, rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[], isHead: boolean) =>
    `<tr>${cells
      .map((cell, i) =>
        isHead || i === 0
          ? `<th scope="${isHead ? 'col' : 'row'}">${escaped(cell)}</th>`
          : `<td>${escaped(cell)}</td>`,
      )
      .join('')}</tr>`;
  return (
    `<table><caption>${escaped(caption)}</caption>` +
    `<thead>${line(head, true)}</thead>` +
    `<tbody>${body.map((cells) => line(cells, false)).join('')}</tbody></table>`
  );
}
