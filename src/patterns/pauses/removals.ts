import { calledName } from '../../analysis/syntax/ast.ts';
import { chainOf } from '../../analysis/syntax/call-chains.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import { sqlAt } from '../../analysis/effects/effects.ts';
import type { Work } from './work.ts';

/** `do { … await rows.delete({ id: In(ids) }); await sleep(1000); } while (ids.length > 0)` */
export function isRemoval({ effects }: Work): boolean {
  return effects.length > 0 && effects.every(removes);
}

const REMOVING = /^(?:del|unlink|(?:delete|destroy|remove)\w*)$/i;

/** By a method of its chain, or by its statement, which may name many rows. */
export function removes(effect: Effect): boolean {
  return (
    [effect.method, ...chainOf(effect.at.node).map((it) => calledName(it.callee) ?? '')].some(
      (it) => REMOVING.test(it),
    ) || /^[\s(]*(?:with\b[^;]*\)\s*)?delete\b/i.test(sqlAt(effect) ?? '')
  );
}
