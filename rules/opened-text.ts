import { dottedName } from '../src/analysis/syntax/ast.ts';
import { calleeOf } from '../src/analysis/syntax/calls.ts';
import { rangeOf } from '../src/analysis/syntax/places.ts';
import type { Opening } from '../src/patterns/pools/openings.ts';

const PER = { 'per-item': 'item', 'per-job': 'job', 'per-request': 'request' } as const;

/** The opened pool or connection, and its frequency: evidence of the rules that report it. */
export function openedText({ made: { call }, handle, context }: Opening) {
  const name = dottedName(calleeOf(call)) ?? handle.typeName;
  return { made: call.type === 'NewExpression' ? `new ${name}()` : `${name}()`, per: PER[context] };
}

/** Where it is opened, when the report is about the call of a helper, and what makes the object that holds it. */
export function openedPlaces({ made, at, by, context }: Opening, message: string) {
  const places =
    made.call === at ? [] : [{ path: made.file.path, range: rangeOf(made.call), message }];
  if (!by) return places;
  const range = rangeOf(by.node);
  return [...places, { path: by.file.path, range, message: `made for each ${PER[context]} here` }];
}
