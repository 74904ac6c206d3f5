import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from './file.ts';
import type { Grounds } from './grounds.ts';
import type { Node } from './syntax/ast.ts';
import type { NodeIndex } from './syntax/node-index.ts';
import { endsAt, startsAt } from './syntax/places.ts';

/** A stretch of a file that is edited apart from the others: a member of a class, or a statement. Together they are the whole file. */
export interface Unit {
  readonly node: Node;
  /** Its nodes of these types, in source order. */
  readonly all: NodeIndex['all'];
}

/**
 * What a file has of something, gathered unit by unit: an edit has only the share of its own unit made anew, and of those units
 * whose share rests on it.
 */
export function gathered<T>(
  file: FileFacts,
  name: string,
  shareOf: (unit: Unit) => readonly T[],
): readonly T[] {
  return file.remember(
    file.keyFor(file.ast, name),
    () => {
      const { units } = file;
      // no veto: spares the share beside the whole.
      if (units.length === 1) return shareOf(units[0]!);
      return units.flatMap((it) =>
        file.remember(file.keyFor(it.node, `${name} of a unit`), () => shareOf(it), []),
      );
    },
    [],
  );
}

/** The units of a file that is being edited. */
export function unitsIn(
  { body }: TSESTree.Program,
  nodes: NodeIndex,
  grounds: Grounds,
): readonly Unit[] {
  const units: Unit[] = [];
  // A unit begins where the one before ends: whatever stands between them is in one, too.
  const add = (node: Node, end: () => number, start: () => number) => {
    units.push({
      node,
      all(...types) {
        grounds.noteInside(node);
        return nodes.between(start(), end(), ...types);
      },
    });
    return end;
  };
  let end = () => 0;
  for (const statement of body) {
    const declared = 'declaration' in statement ? statement.declaration : statement;
    const members = declared?.type === 'ClassDeclaration' ? declared.body.body : [];
    const [first] = members;
    if (first) end = add(declared as Node, () => startsAt(first), end);
    for (const it of members) end = add(it, () => endsAt(it), end);
    end = add(statement, () => endsAt(statement), end);
  }
  return units;
}
