import type { TSESTree } from '@typescript-eslint/utils';
import type { Region } from '../../engine/regions.ts';
import { bodyOf, type TrackedTree } from '../../engine/tracked-tree.ts';
import type { Tree } from '../../engine/tree.ts';
import { childrenOf, type Node } from './ast.ts';
import { endsAt, startsAt } from './places.ts';

/** The regions of a file that is edited. */
export function regionsIn(
  program: TSESTree.Program,
  nodes: Tree,
  tree: TrackedTree,
): readonly Region[] {
  const regions: Region[] = [];
  // A region begins where the one before ends, so that it holds what is between them.
  const add = (
    node: Node,
    end: () => number,
    start: () => number,
    inside: readonly Node[] = [node],
  ) => {
    regions.push({
      node,
      all(...types) {
        for (const it of inside) tree.dependOnInside(it);
        return nodes.between(start(), end(), ...types);
      },
    });
    return end;
  };
  let end = () => 0;
  for (const statement of bodyOf(program)) {
    const declared = 'declaration' in statement ? statement.declaration : statement;
    const members = declared?.type === 'ClassDeclaration' ? bodyOf(declared.body) : [];
    const [first] = members;
    // Nothing but a bracket is left behind the last member. An edit of members leaves the head as it is.
    if (first) end = add(statement, () => startsAt(first), end, headOf(declared!));
    else end = add(statement, () => endsAt(statement), end);
    for (const it of members) end = add(it, () => endsAt(it), end);
  }
  return regions;
}

/** Whatever may be edited in the head of a class. */
function headOf(declared: Node): readonly Node[] {
  return childrenOf(declared).filter((it) => it.type !== 'ClassBody');
}
