import { behaviourOfFunction } from '../behaviour/behaviour.ts';
import type { DeclaredFunction } from '../file/declared.ts';
import type { Place } from '../file/place.ts';
import type { FunctionValue } from '../file/value.ts';
import { qualifiedName } from '../provenance/declarations.ts';
import { functionAround, type FunctionNode, type Node } from '../syntax/ast.ts';
import { isCall } from '../syntax/calls.ts';
import type { HiddenAwait } from './await-coverage.ts';
import type { PackagePart } from './roots.ts';

/** What a declaration can be about so that an await is understood: a function of the project, or a part of a package. */
export type Subject =
  | { readonly kind: 'function'; readonly of: FunctionValue; readonly name: string }
  | ({ readonly kind: 'package'; readonly call: Place } & PackagePart);

/** The part of a package that the unresolved place calls, or else the innermost function around it that has a name and is called. */
export function subjectOf({ node, root, place }: HiddenAwait): Subject | undefined {
  if (root.part && isCall(place.node)) return { kind: 'package', call: place, ...root.part };
  const own = functionsAround(node);
  const { file } = place;
  for (const it of functionsAround(place.node)) {
    const name = own.includes(it) ? undefined : qualifiedName(it);
    if (name !== undefined)
      return { kind: 'function', of: { kind: 'function', file, node: it }, name };
  }
  return undefined;
}

/** The innermost comes first. */
function functionsAround(node: Node): readonly FunctionNode[] {
  const inner = functionAround(node);
  return inner ? [inner, ...functionsAround(inner)] : [];
}

/** What contradicts a declaration about a function in what its body certainly does, for people; undefined where nothing does. */
export function contradictionOf(
  fn: FunctionValue,
  { effect }: DeclaredFunction,
): string | undefined {
  if (effect === undefined) return undefined;
  const { effects, sleeps } = behaviourOfFunction(fn);
  if (sleeps && (effect === 'none' || effect.env !== 'timer')) return 'its body sleeps';
  const other = effects.find(
    ({ env, op }) =>
      effect === 'none' || env !== effect.env || (op !== effect.op && effect.op !== 'write'),
  );
  return other && `its body calls ${other.library} ${other.method} (${other.env}.${other.op})`;
}
