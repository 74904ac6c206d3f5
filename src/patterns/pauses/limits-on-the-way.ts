import type { Effect } from '../../analysis/effects/effects.ts';
import type { Place } from '../../analysis/file/place.ts';
import { type Step, wayTo } from '../../analysis/loops/effect-places.ts';
import { givenFor } from '../../analysis/provenance/given-parts.ts';
import { partGivenTo } from '../../analysis/provenance/given-fields.ts';
import { argumentsOf, isCall } from '../../analysis/syntax/calls.ts';
import { isFunction, type Node } from '../../analysis/syntax/ast.ts';
import type { Quantity } from '../../analysis/values/quantity.ts';
import { givenLimit } from './batch-sizes.ts';
import { numberByMakers } from './given-times.ts';

/** The limit of a statement that functions on the way from `started` to it are given: `LIMIT $1` behind `claim(20)`. */
export function limitOnTheWay(started: Place, effect: Effect): Quantity | undefined {
  const limit = givenLimit(effect);
  return limit && limitGiven(wayTo(started, effect), limit);
}

/** The value of `limit` in the last function of the way: its own, what makes its object gives, or what the call before passes. */
function limitGiven(way: readonly Step[], limit: Node): Quantity | undefined {
  const at = way.at(-1);
  // no veto: nothing leads there.
  if (!at) return undefined;
  const own = numberByMakers({ file: at.file, node: limit });
  if (own.value !== undefined) return own;
  const fn = at.root.parent;
  const part = isFunction(fn) ? partGivenTo(at.file, limit, fn) : undefined;
  const before = way.at(-2)?.node;
  const given = part && before && isCall(before) ? givenFor(argumentsOf(before), part) : undefined;
  return given && limitGiven(way.slice(0, -1), given);
}
