import type { TSESTree } from '@typescript-eslint/utils';
import { query } from '../../engine/query.ts';
import type { FileFacts } from '../file/file.ts';
import { constantOf } from '../provenance/spelled-lists.ts';
import { bare, type Node } from '../syntax/ast.ts';

/** The enum that a name stands for, of this file or of another. */
export const enumNamed = query(
  'enum',
  (file: FileFacts, name: Node): TSESTree.TSEnumDeclaration | undefined =>
    enumBehind(file, bare(name)),
  { whileCyclic: undefined },
);

function enumBehind(file: FileFacts, it: Node): TSESTree.TSEnumDeclaration | undefined {
  if (it.type === 'TSEnumDeclaration') return it;
  if (it.type !== 'Identifier') return undefined;
  const definition = file.variableOf(it)?.defs[0];
  if (definition?.type === 'Enum') return enumBehind(file, definition.node);
  const constant = constantOf(file, it);
  return constant && enumNamed(constant.file, constant.node);
}

/** An enum has a key for each number in it as well as for its name. */
export function numberOfMembers({ body: { members } }: TSESTree.TSEnumDeclaration): number {
  const isOfText = (it: TSESTree.TSEnumMember) =>
    it.initializer?.type === 'Literal' && typeof it.initializer.value === 'string';
  return members.every(isOfText) ? members.length : members.length * 2;
}
