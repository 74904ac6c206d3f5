import { handedOnBy, type Maker, type ObjectValue, outermost } from '../file/makers.ts';
import type { InstanceValue, Value } from '../file/value.ts';
import { contains } from '../syntax/ast.ts';

/** What an object of a maker has, that has made, too, or had made. */
export function ofMaker(member: Value, { madeBy }: ObjectValue): Value {
  if (!madeBy) return member;
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
