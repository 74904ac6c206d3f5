import type { TSESTree } from '@typescript-eslint/utils';
import { handedOnBy, type Maker, type ObjectValue, outermost } from '../file/makers.ts';
import { type InstanceValue, UNKNOWN, type Value } from '../file/value.ts';
import type { FileFacts } from '../file/file.ts';
import { contains, type Node, propertyName } from '../syntax/ast.ts';
import { constructorOf } from '../syntax/constructors.ts';
import { handedOn } from './makings.ts';
import { valueOf } from './value-of.ts';

/** What an object of a maker has, that has made, too, or had made. */
export function ofMaker(member: Value, { file, node, madeBy }: ObjectValue, name: string): Value {
  if (!madeBy) return member;
  if (member.kind === 'unknown') return givenToMaker({ file, node }, madeBy, name);
  if (member.kind === 'instance') return instanceOfMaker(member, madeBy);
  if (member.kind !== 'function' && member.kind !== 'object') return member;
  const own = member.madeBy;
  if (!own) return contains(madeBy.fn, member.node) ? { ...member, madeBy } : member;
  return contains(madeBy.fn, outermost(own).call)
    ? { ...member, madeBy: handedOnBy(own, madeBy) }
    : member;
}

/** What a maker gives that it has made with what it was given: `new Meters(session)` of `repositoriesOn(session)`. */
export function instanceOfMaker(member: InstanceValue, maker: Maker): Value {
  const { madeAt } = member;
  if (!madeAt) return member;
  const { outer } = madeAt;
  if (!contains(maker.fn, outer ? outermost(outer).call : madeAt.call)) return member;
  return { ...member, madeAt: { ...madeAt, outer: outer ? handedOnBy(outer, maker) : maker } };
}

/** A method of an object has the place that made the object, and so has an object that its constructor makes with what it was given. */
export function ofInstance(member: Value, self: InstanceValue): Value {
  const { madeAt } = self;
  if (!madeAt) return member;
  if (member.kind === 'function') return { ...member, self };
  const fn = member.kind === 'instance' ? constructorOf(self.node) : undefined;
  return member.kind === 'instance' && fn ? instanceOfMaker(member, { ...madeAt, fn }) : member;
}

/** `this.orders = new Orders(db)`: the one object that a field ever has is more than its type: it has been given something. */
export function madeFor(
  file: FileFacts,
  { node }: InstanceValue,
  assigned: readonly Node[],
): Value | undefined {
  const [only, ...others] = assigned.map((it) => valueOf(file, it));
  return only?.kind === 'instance' && only.node === node && others.length === 0 ? only : undefined;
}

/** `value` of `ok(pool)`, where that is `(value) => ({ ok: true, value })`. */
function givenToMaker(
  { file, node }: Pick<ObjectValue, 'file' | 'node'>,
  maker: Maker,
  name: string,
): Value {
  const property = node.properties.find(
    (it): it is TSESTree.Property => it.type === 'Property' && propertyName(it) === name,
  );
  const given = property && handedOn({ file, node: property.value }, maker);
  // no veto: the maker has it from elsewhere.
  return given && given.node !== property.value ? valueOf(given.file, given.node) : UNKNOWN;
}
