import type { TSESTree } from '@typescript-eslint/utils';
import {
  classAround,
  contains,
  defaultOf,
  functionAround,
  type FunctionNode,
  isDecorated,
  isFunction,
  type Node,
  propertyName,
  undefaulted,
  walk,
} from '../../analysis/syntax/ast.ts';
import { argumentsOf, type Call } from '../../analysis/syntax/calls.ts';
import { callersOf } from '../../analysis/provenance/callers.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { loopAround } from '../../analysis/flow/loops.ts';
import { givenField } from '../../analysis/provenance/given-fields.ts';
import { givenFor } from '../../analysis/provenance/given-parts.ts';
import { makingsOf } from '../../analysis/provenance/makings.ts';

/** A call of a function, and what it gives the parameters. */
export interface Given {
  readonly file: FileFacts;
  readonly call: Call;
  readonly fn: FunctionNode;
}

interface ServerTerms {
  /** The call of `fn`, where that is a maker. */
  readonly given?: Given | undefined;
  /** The argument that names something of the server, and not the server. */
  readonly name?: number | undefined;
}

/** The same server each time: nothing that an element decides goes into the address, nor what a caller does outside of a loop. */
export function isOneServer(
  file: FileFacts,
  call: Call,
  fn: Node,
  { given, name }: ServerTerms,
): boolean {
  const loop = loopAround(file, call)?.node;
  const repeated = loop && contains(fn, loop) ? loop : fn;
  return argumentsOf(call).every(
    (it, i) => i === name || isFixed({ file, repeated, given, depth: 0 }, it),
  );
}

interface Repeated {
  readonly file: FileFacts;
  /** A function, or a loop of it for all its elements. */
  readonly repeated: Node;
  readonly given: Given | undefined;
  readonly depth: number;
}

/** Whether an expression is the same whenever `repeated` runs. */
function isFixed(at: Repeated, node: Node): boolean {
  const { file, repeated, depth } = at;
  let fixed = depth < 5;
  walk(node, (it) => {
    // What a container makes, it makes once, of what never changes.
    if (it.type === 'ThisExpression') fixed &&= isOfContainer(it);
    if (it.type === 'MemberExpression' && !it.computed) {
      fixed &&= isFixedField(at, it) || isFixed(at, it.object);
      return false;
    }
    if (it.type === 'Property' && !it.computed) {
      fixed &&= isFixed(at, it.value);
      return false;
    }
    // How often it tries again decides on no server.
    if (isFunction(it)) return false;
    if (it.type !== 'Identifier') return fixed;
    const variable = file.variableOf(it);
    const [definition] = variable?.defs ?? [];
    // A function's name stands inside of the function.
    const place = definition?.type === 'FunctionName' ? definition.node : definition?.name;
    if (!definition || !functionAround(place as Node)) return fixed;
    fixed &&= variable!.writes.length === 0;
    if (definition.type === 'Parameter') {
      fixed &&=
        !contains(repeated, definition.name as Node) ||
        isGivenFixed(at, definition.name) ||
        (at.given === undefined &&
          isFunction(definition.node) &&
          isFixedByCallers(file, definition.name, definition.node, depth));
      return fixed;
    }
    const init =
      definition.type === 'Variable' && definition.node.id.type === 'Identifier'
        ? definition.node.init
        : undefined;
    fixed &&= init ? isFixed({ ...at, depth: depth + 1 }, init) : false;
    return fixed;
  });
  return fixed;
}

/** `connectAs('payments')`: the caller gives the same each time. */
function isGivenFixed({ given, depth }: Pick<Repeated, 'depth' | 'given'>, name: Node): boolean {
  if (!given) return false;
  const { file, call, fn } = given;
  const index = fn.params.findIndex((it) => undefaulted(it) === name);
  const parameter = fn.params[index];
  const argument = argumentsOf(call)[index] ?? (parameter && defaultOf(parameter));
  const repeated = functionAround(call);
  if (!argument || !repeated) return false;
  return isFixed({ file, repeated, given: undefined, depth: depth + 1 }, argument);
}

/** `withClient(this.url, …)`: all that call it give the same each time. */
function isFixedByCallers(file: FileFacts, name: Node, fn: FunctionNode, depth: number): boolean {
  const callers = callersOf(file, fn) ?? [];
  return (
    callers.length > 0 && callers.every((it) => isGivenFixed({ given: { ...it, fn }, depth }, name))
  );
}

/** `this.url`, which the constructor keeps for good: all that make such an object give it the same each time. */
function isFixedField({ file, depth }: Repeated, field: TSESTree.MemberExpression): boolean {
  const owner = field.object.type === 'ThisExpression' ? classAround(field)?.node : undefined;
  const part = owner && givenField(file, owner, propertyName(field) ?? '');
  const makings = part ? makingsOf(file, owner!) : [];
  return (
    makings.length > 0 &&
    makings.every((making) => {
      const argument = givenFor(making.node.arguments, part!);
      const repeated = functionAround(making.node) ?? making.file.ast;
      const at = { file: making.file, repeated, given: undefined, depth: depth + 1 };
      return argument !== undefined && isFixed(at, argument);
    })
  );
}

function isOfContainer(self: Node): boolean {
  const around = classAround(self);
  return around !== undefined && isDecorated(around.node);
}
