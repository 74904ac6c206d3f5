import { bare, propertyName } from './ast.ts';
import { type Call, calleeOf } from './calls.ts';
import type { FileFacts } from './file.ts';
import { anyMemberOf } from './members.ts';
import { alternativesOf, type FunctionValue } from './value.ts';

/** The functions of the project of which `readers[kind](id)` calls one: which of them, only the data tells. */
export function chosenByKey(file: FileFacts, call: Call): readonly FunctionValue[] | undefined {
  const callee = bare(calleeOf(call));
  if (callee.type !== 'MemberExpression' || propertyName(callee) !== undefined) return undefined;
  const any = alternativesOf(anyMemberOf(file.valueOf(callee.object), { file, node: callee }));
  return any.every((it) => it.kind === 'function') ? any : undefined;
}
