import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import type { FunctionValue } from '../file/value.ts';
import { givenFor, isLeftOut, type Part } from '../provenance/given-parts.ts';
import { defaultOf, type Node, propertyName, undefaulted } from '../syntax/ast.ts';
import { isSpreadUpTo } from '../syntax/calls.ts';
import type { Variable } from '../syntax/names.ts';
import { memberQuantityOf } from '../values/field-quantities.ts';
import type { Arguments, Quantity } from '../values/quantity.ts';
import { quantityOf } from '../values/values.ts';

interface Caller {
  readonly file: FileFacts;
  /** Of the function that the call stands in. */
  readonly args: Arguments;
}

/** What the wrapper's parameters are at this call: the arguments, or their defaults. */
export function boundArguments(
  at: Caller,
  call: TSESTree.CallExpression,
  { file, node }: FunctionValue,
): Arguments {
  const bound = new Map<Variable, Quantity>();
  const bind = (target: Node, part: Part, fallback: Node | undefined) => {
    const variable = target.type === 'Identifier' ? file.variableOf(target) : undefined;
    const given = variable && givenFor(call.arguments, part);
    const inObject = variable && !given ? memberGiven(at.file, call, part) : undefined;
    if (given) bound.set(variable, quantityOf(at.file, given, at.args));
    else if (variable && inObject) bound.set(variable, inObject);
    else if (variable && fallback && isLeftOut(call.arguments, part))
      bound.set(variable, quantityOf(file, fallback));
  };
  for (const [index, parameter] of node.params.entries()) {
    const target = undefaulted(parameter);
    bind(target, { fn: node, index, member: undefined }, defaultOf(parameter));
    for (const it of partsOf(target)) {
      const member = propertyName(it);
      if (member !== undefined)
        bind(undefaulted(it.value), { fn: node, index, member }, defaultOf(it.value));
    }
  }
  return bound;
}

/** `everyMs` of `until(isReady, WAIT)`, where `WAIT` is `{ everyMs: 50 }`. */
function memberGiven(
  file: FileFacts,
  { arguments: args }: TSESTree.CallExpression,
  { index, member }: Part,
): Quantity | undefined {
  const argument = args[index];
  // no veto: the shape of the arguments.
  if (!argument || member === undefined || isSpreadUpTo(args, index)) return undefined;
  return memberQuantityOf(file, argument, member);
}

/** `everyMs` of `({ everyMs = 50 }) => …`. */
function partsOf(target: Node): readonly TSESTree.Property[] {
  if (target.type !== 'ObjectPattern') return [];
  return target.properties.filter((it) => it.type === 'Property');
}
