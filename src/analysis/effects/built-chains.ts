import type { Place } from '../file/place.ts';
import { valueOf } from '../provenance/value-of.ts';
import { bare } from '../syntax/ast.ts';
import { returnedExpressions } from '../syntax/calls.ts';
import type { Effect } from './effects.ts';

/** Functions are followed this far. */
const FARTHEST = 4;

/** The effect at the chain of calls that writes its statement, where only a caller of the function with that awaits it. */
export function whereBuilt(effect: Effect): Effect {
  const at = builtAt(effect.at, 0);
  return at === effect.at ? effect : { ...effect, at };
}

/** `orders.due(20)` of `due(limit) { return this.query().whereNull('sent_at').limit(limit); }`. */
function builtAt(place: Place, distance: number): Place {
  const { file } = place;
  const it = bare(place.node.type === 'AwaitExpression' ? place.node.argument : place.node);
  const callee = it.type === 'CallExpression' ? valueOf(file, it.callee) : undefined;
  if (callee?.kind !== 'function' || distance > FARTHEST)
    return place.node.type === 'AwaitExpression' ? { file, node: it } : place;
  const [returned, ...others] = returnedExpressions(callee.node);
  return returned && others.length === 0
    ? builtAt({ file: callee.file, node: bare(returned) }, distance + 1)
    : place;
}
