import type { TSESTree } from '@typescript-eslint/utils';
import {
  alternativesOf,
  type FunctionValue,
  join,
  type LibraryValue,
  promiseOf,
  type Value,
} from '../file/value.ts';
import type { FileFacts } from '../file/file.ts';
import { bare } from '../syntax/ast.ts';
import { givenFor, parameterAt } from './given-parts.ts';
import { valueOf } from './value-of.ts';

type Arguments = readonly TSESTree.CallExpressionArgument[];

/**
 * What a function returns for these arguments, where that is one of its parameters or its own object:
 * `const executor = (options) => options.conn ?? pool`.
 */
export function asGiven(
  file: FileFacts,
  value: Value,
  callee: FunctionValue,
  args: Arguments,
): Value {
  if (value.kind === 'promise') return promiseOf(asGiven(file, value.of, callee, args));
  const all = alternativesOf(value);
  const isDecided = all.some(
    (it) =>
      it.kind === 'library' &&
      [it, ...(it.via ?? [])].some((one) => one.parameter?.fn === callee.node),
  );
  // no veto: the same for all callers.
  if (!isDecided) return value;
  return join(
    all.flatMap((it) => (it.kind === 'library' ? throughGiven(file, it, callee, args) : it)),
  );
}

/** Also of a statement, which is on the connection that the call gives. */
function throughGiven(
  file: FileFacts,
  value: LibraryValue,
  callee: FunctionValue,
  args: Arguments,
): readonly Value[] {
  if (value.parameter ?? !value.via) return alternativeFor(file, value, callee, args);
  const via = value.via
    .flatMap((it) => alternativeFor(file, it, callee, args))
    .filter((it) => it.kind === 'library');
  return [{ ...value, via }];
}

function alternativeFor(
  file: FileFacts,
  value: LibraryValue,
  { node }: FunctionValue,
  args: Arguments,
): readonly Value[] {
  const { parameter } = value;
  if (parameter?.fn !== node) return [value];
  const { index, member, hasFallback } = parameter;
  const given = args[index];
  // Left out, it is the function's own.
  if (!given) return hasFallback ? [{ ...value, parameter: undefined }] : [];
  const whole = parameterAt(file, bare(given));
  if (whole) return [{ ...value, parameter: { ...parameter, ...whole } }];
  const part = givenFor(args, { fn: node, index, member });
  return [part ? valueOf(file, part) : value];
}
