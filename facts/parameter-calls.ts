// vetoes of no-sequential-independent-awaits
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type FunctionNode, isFunction, type Node, propertyName } from './ast.ts';
import type { Call } from './calls.ts';
import type { FileFacts } from './file.ts';
import type { FunctionValue } from './value.ts';

/** A call of what a function was given: `load()` in `cached(key, load)`, `queries[kind]()`. Which function it is, the caller knows. */
export interface ParameterCall {
  readonly fn: FunctionNode;
  readonly index: number;
  /** The property of the parameter that is called; '*' where the code computes its name. */
  readonly member: string | undefined;
  /** Somebody who calls `fn` has to wait for it, too; else `fn` itself does. */
  readonly isHandedOn: boolean;
  readonly place: { readonly file: FileFacts; readonly node: Node };
}

/** The parameter of `scope` that a call runs, if it runs one that nothing else is ever assigned to. */
export function parameterCalled(
  file: FileFacts,
  call: Call,
  scope: Node,
): Pick<ParameterCall, 'fn' | 'index' | 'member'> | undefined {
  if (call.type !== 'CallExpression') return undefined;
  const callee = bare(call.callee);
  const isMember = callee.type === 'MemberExpression';
  const given = parameterNamed(file, isMember ? bare(callee.object) : callee, scope);
  if (!given || (isMember && given.member !== undefined)) return undefined;
  return isMember ? { ...given, member: propertyName(callee) ?? '*' } : given;
}

/** Which parameter of `scope` a name stands for, or which property of one that is taken apart in the head. */
export function parameterNamed(
  file: FileFacts,
  name: Node,
  scope: Node,
): Pick<ParameterCall, 'fn' | 'index' | 'member'> | undefined {
  const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
  const definition = variable?.defs[0];
  if (definition?.type !== 'Parameter' || definition.node !== scope) return undefined;
  if (variable?.references.some((it) => it.isWrite() && !it.init)) return undefined;
  const fn = definition.node as FunctionNode;
  for (const [index, parameter] of fn.params.entries()) {
    if (parameter === definition.name) return { fn, index, member: undefined };
    // `cached({ key, load })`
    if (parameter.type !== 'ObjectPattern') continue;
    const property = parameter.properties.find((it) => it.value === definition.name);
    const member = property?.type === 'Property' ? propertyName(property) : undefined;
    if (member !== undefined) return { fn, index, member };
  }
  return undefined;
}

/** What a caller passes to be called: functions that are not visited where they stand; a parameter of its own; nothing. */
export type Passed =
  | { readonly kind: 'functions'; readonly of: readonly FunctionValue[] }
  | { readonly kind: 'parameter'; readonly of: Pick<ParameterCall, 'fn' | 'index' | 'member'> };

/** undefined where nobody can tell what is called. */
export function passedTo(
  file: FileFacts,
  args: readonly TSESTree.CallExpressionArgument[],
  { index, member }: ParameterCall,
  scope: Node,
): Passed | undefined {
  if (args.slice(0, index + 1).some((it) => it.type === 'SpreadElement')) return undefined;
  const argument = args[index];
  // Left out, it is not called.
  if (!argument) return { kind: 'functions', of: [] };
  const it = bare(argument);
  if (member !== undefined) return passedMember(file, it, member);
  // Visited where it stands.
  if (isFunction(it)) return { kind: 'functions', of: [] };
  const own = parameterNamed(file, it, scope);
  if (own) return { kind: 'parameter', of: own };
  const value = file.valueOf(it);
  if (value.kind === 'nullish') return { kind: 'functions', of: [] };
  return value.kind === 'function' ? { kind: 'functions', of: [value] } : undefined;
}

function passedMember(file: FileFacts, argument: Node, member: string): Passed | undefined {
  if (argument.type !== 'ObjectExpression') return undefined;
  const functions: FunctionValue[] = [];
  for (const property of argument.properties) {
    if (property.type !== 'Property') return undefined;
    const name = property.computed ? '*' : (propertyName(property) ?? '*');
    if (member !== '*' && name !== '*' && name !== member) continue;
    const value = file.valueOf(property.value);
    if (value.kind !== 'function') return undefined;
    functions.push(value);
  }
  return { kind: 'functions', of: functions };
}
