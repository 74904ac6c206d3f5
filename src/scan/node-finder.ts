import { childrenOf, type Node } from '../analysis/syntax/ast.ts';
import { endsAt, startsAt } from '../analysis/syntax/places.ts';

/** The innermost node around a range. */
export type NodeFinder = (range: readonly [number, number]) => Node;

export function nodeFinder(program: Node): NodeFinder {
  // Sorted once: a file may hold thousands of findings.
  const sorted = new Map<Node, readonly Node[]>();
  return (range) => {
    let it = program;
    for (let inner = childAround(it, range); inner; inner = childAround(it, range)) it = inner;
    return it;
  };

  function childAround(node: Node, [start, end]: readonly [number, number]): Node | undefined {
    const children = sorted.get(node) ?? childrenOf(node).sort((a, b) => startsAt(a) - startsAt(b));
    sorted.set(node, children);
    let low = 0;
    let high = children.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (startsAt(children[middle]!) <= start) low = middle + 1;
      else high = middle;
    }
    const child = children[low - 1];
    return child && end <= endsAt(child) ? child : undefined;
  }
}
