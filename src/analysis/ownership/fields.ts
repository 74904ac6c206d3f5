import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { classAround, type ClassNode, type Node, propertyName, wrapped } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { memberOf } from '../provenance/members.ts';
import { groupsOf } from '../syntax/grouped.ts';
import type { FieldTarget } from './state.ts';
import { equipmentOf, type LibraryValue } from '../file/value.ts';

/**
 * Whether a class stores a connection in a private field, uses it, and never releases it. Any other use of the field, even
 * outside of the class, could be the release.
 */
export function isNeverGivenBack(
  file: FileFacts,
  target: FieldTarget,
  { handle, isLazy }: { readonly handle: LibraryValue; readonly isLazy: boolean },
): boolean {
  const name = propertyName(target);
  const around = classAround(target);
  // no veto: only a class has fields
  if (name === undefined || !around) return false;

  // Whoever can reach a field can release what is in it.
  if (!isPrivate(around.node, name)) return false;

  const uses = usesOf(file, name, handle);
  return !uses.has('other') && (!isLazy || uses.has('begun'));
}

/** What is done with members of that name; many classes may have one. */
function usesOf(file: FileFacts, name: string, handle: LibraryValue): ReadonlySet<Use> {
  return usesOfName(file, equipmentOf(handle)?.node ?? handle.type, name, handle);
}

const usesOfName = query(
  'uses of a field',
  (file: FileFacts, _: object, name: string, handle: LibraryValue): ReadonlySet<Use> =>
    new Set(
      // A property stands for what is taken out of the object: `const { connection } = this`.
      (membersByName(file).get(name) ?? []).map((it) =>
        it.type === 'Property' ? 'other' : useOf(file, it, handle),
      ),
    ),
  { whileCyclic: new Set(), keyOf: (name) => name },
);

const membersByName = groupsOf(
  'members by name',
  (file: FileFacts) => file.nodes.all('MemberExpression', 'Property'),
  propertyName,
);

function isPrivate({ body }: ClassNode, name: string): boolean {
  if (name.startsWith('#')) return true;
  return bodyOf(body).some(
    (it) =>
      it.type === 'PropertyDefinition' &&
      propertyName(it) === name &&
      it.accessibility === 'private',
  );
}

type Use = 'begun' | 'none' | 'other';

/** `begun`: a call that needs the connection; `other`: anything that could give it back. */
function useOf(file: FileFacts, field: Node, handle: LibraryValue): Use {
  const it = wrapped(field);
  const { parent } = it;
  if (parent?.type === 'AssignmentExpression' && parent.left === it) return 'none';
  if (parent?.type !== 'MemberExpression' || parent.object !== it) return 'other';
  const member = memberOf(handle, propertyName(parent) ?? '', { file, node: field });
  if (member.kind === 'library') return 'begun';
  if (member.kind !== 'callable' || member.signature.releases === 'this') return 'other';
  return member.signature.begins ? 'begun' : 'none';
}
