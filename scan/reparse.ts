import type { TSESTree } from '@typescript-eslint/utils';
import { childrenOf, type FunctionNode, isFunction, type Node, walk } from '../facts/ast.ts';
import type { Comment } from '../facts/source.ts';
import { differenceOf, type Range } from '../project/difference.ts';
import { isModule } from './language.ts';

interface Parsed {
  readonly ast: TSESTree.Program;
  readonly comments: readonly Comment[];
}

/**
 * Makes the tree of `old` the tree of `text`, where the two texts differ inside the body of one function: that body alone is
 * parsed, and what stands behind it moves. Undefined, and nothing is touched, where that cannot be.
 */
export function reparsed(
  old: Parsed & { readonly text: string },
  text: string,
  parse: (text: string) => Parsed,
): Parsed | undefined {
  const owner = functionAround(old.ast, differenceOf(old.text, text));
  if (!owner) return undefined;
  const [start, end] = owner.body.range;
  const moved = text.length - old.text.length;
  const head = headFor(owner);
  const tail = isModule(old.ast) ? '\n} export {}' : '\n}';
  const alone = parse(head + text.slice(start, end + moved) + tail);
  const body = bodyIn(alone.ast, [head.length, head.length + end + moved - start]);
  if (!body) return undefined;

  const back = start - head.length;
  walk(body, (it) => move(it, back, back));
  walk(old.ast, (it) => {
    if (it.range[1] < end) return false;
    move(it, it.range[0] < end ? 0 : moved, moved);
    return it !== owner.body;
  });
  owner.body = body;
  const comments = [
    ...old.comments.filter((it) => it.range[1] <= start),
    ...alone.comments.map((it) => movedComment(it, back)),
    ...old.comments.filter((it) => it.range[0] >= end).map((it) => movedComment(it, moved)),
  ];
  return { ast: old.ast, comments };
}

type FunctionWithBlock = FunctionNode & { body: TSESTree.BlockStatement };

/** The innermost function between whose braces the range lies. */
function functionAround(root: Node, [start, end]: Range): FunctionWithBlock | undefined {
  let found: FunctionWithBlock | undefined;
  for (let node: Node | undefined = root; node;) {
    if (isFunction(node) && hasBlock(node) && isWithin(node.body)) found = node;
    node = childrenOf(node).find(isWithin);
  }
  return found;

  function isWithin({ range }: Node): boolean {
    return range[0] < start && end < range[1];
  }
}

function hasBlock(fn: FunctionNode): fn is FunctionWithBlock {
  // `body` is null where only a type is declared.
  return (fn.body as Node | null)?.type === 'BlockStatement';
}

/** What has to stand before a body on its own, for `await`, `yield` and `super` to mean the same in it. */
function headFor({ type, async, generator }: FunctionNode): string {
  const start = 'class _ extends _ { ';
  if (type === 'ArrowFunctionExpression') return `${start}m = ${async ? 'async ' : ''}() => `;
  return `${start}${async ? 'async ' : ''}${generator ? '*' : ''}m() `;
}

/** The body, if the parser has read it whole and has read nothing else. */
function bodyIn(
  { body: [statement] }: TSESTree.Program,
  [start, end]: Range,
): TSESTree.BlockStatement | undefined {
  if (statement?.type !== 'ClassDeclaration') return undefined;
  const [member] = statement.body.body;
  const fn =
    member?.type === 'MethodDefinition' || member?.type === 'PropertyDefinition'
      ? member.value
      : undefined;
  const body = isFunction(fn) ? fn.body : undefined;
  return body?.type === 'BlockStatement' && body.range[0] === start && body.range[1] === end
    ? body
    : undefined;
}

function move(node: Node, start: number, end: number): void {
  const it = node as Node & { start: number; end: number };
  it.start += start;
  it.end += end;
  it.range[0] += start;
  it.range[1] += end;
}

function movedComment({ value, range: [start, end] }: Comment, by: number): Comment {
  return { value, range: [start + by, end + by] };
}
