import { dottedName } from '../src/analysis/syntax/ast.ts';
import { calleeOf } from '../src/analysis/syntax/calls.ts';
import type { Opening } from '../src/patterns/pools/openings.ts';

const PER = { 'per-item': 'item', 'per-job': 'job', 'per-request': 'request' } as const;

/** The opened pool or connection, and its frequency: evidence of the rules that report it. */
export function openedText({ made: { call }, handle, context }: Opening) {
  const name = dottedName(calleeOf(call)) ?? handle.typeName;
  return { made: call.type === 'NewExpression' ? `new ${name}()` : `${name}()`, per: PER[context] };
}
