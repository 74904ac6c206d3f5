import { handedOnBy, type ObjectValue, outermost } from '../file/makers.ts';
import type { Value } from '../file/value.ts';
import { contains } from '../syntax/ast.ts';

/** What an object of a maker has, that has made, too, or had made. */
export function ofMaker(member: Value, { madeBy }: ObjectValue): Value {
  if (!madeBy || (member.kind !== 'function' && member.kind !== 'object')) return member;
  const own = member.madeBy;
  if (!own) return contains(madeBy.fn, member.node) ? { ...member, madeBy } : member;
  return contains(madeBy.fn, outermost(own).call)
    ? { ...member, madeBy: handedOnBy(own, madeBy) }
    : member;
}
