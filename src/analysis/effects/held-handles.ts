import type { FileFacts } from '../file/file.ts';
import type { InstanceValue } from '../file/makers.ts';
import { alternativesOf, type LibraryValue } from '../file/value.ts';
import { assignmentsOf } from '../provenance/assignments.ts';
import { memberOf } from '../provenance/members.ts';
import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { type ClassNode, propertyName, undefaulted } from '../syntax/ast.ts';
import { constructorOf } from '../syntax/constructors.ts';

/** Objects that hold each other are followed this far. */
const FARTHEST = 3;

/** The pools, connections and transactions in the fields of an object, and in those of the objects that it holds. */
export function handlesHeldBy({ file, node }: InstanceValue): readonly LibraryValue[] {
  return held(file, node, 0);
}

const held = query(
  'held handles',
  (file: FileFacts, node: ClassNode, distance: number): readonly LibraryValue[] => {
    const self = { kind: 'instance', file, node } as const;
    const values = fieldsOf(file, node).map((name) => memberOf(self, name, { file, node }));
    return values.flatMap(alternativesOf).flatMap((it) => {
      if (it.kind === 'library') return isOfDatabase(it) ? it : [];
      const isObject = it.kind === 'instance' && distance < FARTHEST;
      return isObject ? held(it.file, it.node, distance + 1) : [];
    });
  },
  { whileCyclic: [] },
);

/** The names of the fields that a class and its parents write out or assign. */
const fieldsOf = query(
  'names of fields',
  (file: FileFacts, node: ClassNode): readonly string[] => {
    const declared = bodyOf(node.body).flatMap((it) =>
      it.type === 'PropertyDefinition' && !it.static ? (propertyName(it) ?? []) : [],
    );
    const given = (constructorOf(node)?.params ?? []).flatMap((it) => {
      const target = it.type === 'TSParameterProperty' ? undefaulted(it.parameter) : undefined;
      return target?.type === 'Identifier' ? target.name : [];
    });
    const parent = node.superClass ? valueOf(file, node.superClass) : undefined;
    const inherited = parent?.kind === 'class' ? fieldsOf(parent.file, parent.node) : [];
    const assigned = assignmentsOf(file).to(node).keys();
    return [...new Set([...declared, ...given, ...assigned, ...inherited])];
  },
  { whileCyclic: [] },
);

/** What runs statements one after the other, or a pool of such: no cache, no queue. */
function isOfDatabase({ type: { role, concurrency } }: LibraryValue): boolean {
  return (
    concurrency !== 'pipelined' && /^(?:pool|connection|transaction|client|orm)$/.test(role ?? '')
  );
}
