import { type Node, walk } from '../analysis/syntax/ast.ts';
import { endsAt, startsAt } from '../analysis/syntax/places.ts';

export type Range = readonly [start: number, end: number];

/** Where a text holds other text than code; `template` is what a template holds between two of its values. */
export interface Quoted {
  readonly kind: 'string' | 'expression' | 'template' | 'markup';
  readonly range: Range;
}

/** According to the tree of the text, in the order of the text. */
export function quotedIn(program: Node, text: string): readonly Quoted[] {
  const found: Quoted[] = [];
  const add = (kind: Quoted['kind'], range: Range) => void found.push({ kind, range });
  walk(program, (node) => {
    switch (node.type) {
      case 'Literal': {
        const first = text[startsAt(node)] ?? '';
        if (first === '/') add('expression', [startsAt(node), endsAt(node)]);
        else if (/["']/.test(first)) add('string', [startsAt(node), endsAt(node)]);
        break;
      }
      case 'JSXText':
        add('markup', [startsAt(node), endsAt(node)]);
        break;
      case 'TemplateLiteral':
        for (const it of between(node, node.expressions)) add('template', it);
        break;
      case 'TSTemplateLiteralType':
        for (const it of between(node, node.types)) add('template', it);
    }
  });
  return found.sort((a, b) => a.range[0] - b.range[0]);
}

/** Not the elements of the template: parsers differ in whether `${` belongs to them. */
function between(template: Node, values: readonly Node[]): readonly Range[] {
  const starts = [startsAt(template), ...values.map(endsAt)];
  const ends = [...values.map(startsAt), endsAt(template)];
  return starts.map((start, i) => [start, ends[i]!]);
}

/** The text without those ranges, which may overlap. */
export function without(text: string, ranges: readonly Range[]): string {
  let rest = '';
  let from = 0;
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    if (start > from) rest += text.slice(from, start);
    from = Math.max(from, end);
  }
  return rest + text.slice(from);
}
