import { dottedName } from '../syntax/ast.ts';
import { type Call, calleeOf } from '../syntax/calls.ts';

/** Whether the source calls it by one of these names: `release`, or with the receiver, `client.release`. */
export function isOneOf(call: Call, names: readonly string[]): boolean {
  const name = dottedName(calleeOf(call));
  return name !== undefined && names.some((it) => name === it || name.endsWith(`.${it}`));
}
