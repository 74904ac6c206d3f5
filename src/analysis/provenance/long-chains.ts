import { bare, type Node } from '../syntax/ast.ts';

/** Shorter chains are answered by recursion, which asks only for what it needs. */
const LONG_CHAIN = 30;

export function isLongChain(node: Node): boolean {
  let links = 0;
  for (let it: Node | undefined = node; it && links <= LONG_CHAIN; it = previousLink(bare(it)))
    links++;
  return links > LONG_CHAIN;
}

/** The node and the chain of calls and members that it ends, outermost first. */
export function linksOf(node: Node): readonly Node[] {
  const links: Node[] = [];
  for (let it: Node | undefined = node; it; it = previousLink(bare(it))) links.push(it);
  return links;
}

function previousLink(node: Node): Node | undefined {
  switch (node.type) {
    case 'CallExpression':
      return node.callee;
    case 'MemberExpression':
      return node.object;
    case 'AwaitExpression':
      return node.argument;
    case 'LogicalExpression':
      return node.left;
    case 'TaggedTemplateExpression':
      return node.tag;
    default:
      return undefined;
  }
}
