/** What the trees of all TypeScripts have in common. */
interface SyntaxNode<Node> {
  /** With its leading trivia: spaces and comments. */
  readonly pos: number;
  readonly end: number;
  getStart(): number;
  forEachChild(visit: (child: Node) => void): void;
}

/** The innermost node with exactly this range. */
export function nodeAt<Node extends SyntaxNode<Node>>(
  root: Node,
  [start, end]: readonly [number, number],
): Node | undefined {
  let found: Node | undefined;
  const visit = (node: Node) => {
    if (node.pos > start || node.end < end) return;
    if (node.end === end && node.getStart() === start) found = node;
    node.forEachChild(visit);
  };
  visit(root);
  return found;
}
