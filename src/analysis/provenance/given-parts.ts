import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  defaultOf,
  type FunctionNode,
  type Node,
  propertyName,
  undefaulted,
} from '../syntax/ast.ts';
import { isSpreadUpTo } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import type { Variable } from '../syntax/names.ts';
import { patternOf } from '../syntax/parameter-properties.ts';
import type { Definition } from '../syntax/scopes.ts';

/** A parameter of a function, or a property of one. */
export interface Part {
  readonly fn: FunctionNode;
  readonly index: number;
  /** '*' where the code computes its name. */
  readonly member: string | undefined;
}

/**
 * The parameter of `scope` that a name stands for, or the property of a destructured one; assignments in `except` do not count.
 */
export function parameterNamed(
  file: FileFacts,
  name: Node,
  scope: Node,
  except?: Node,
): Part | undefined {
  return unlessSetAgain(file, name, except, (it) => parameterOf(it, scope));
}

/** The same, also of one that is taken apart in the body: `const { archive } = params`. */
export function partNamed(
  file: FileFacts,
  name: Node,
  scope: Node,
  except?: Node,
): Part | undefined {
  return unlessSetAgain(file, name, except, (it) => {
    if (it.type !== 'Variable') return parameterOf(it, scope);
    const { id, init } = it.node;
    const whole = init ? parameterNamed(file, bare(init), scope) : undefined;
    const member = memberIn(id, it.name);
    // no veto: it stands for no part of a parameter.
    if (!whole || whole.member !== undefined || member === undefined) return undefined;
    return { ...whole, member };
  });
}

function unlessSetAgain(
  file: FileFacts,
  name: Node,
  except: Node | undefined,
  partOf: (definition: Definition) => Part | undefined,
): Part | undefined {
  const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
  const definition = variable?.defs[0];
  const part = definition && partOf(definition);
  if (!part || isSetAgain(variable!, except)) return undefined;
  return part;
}

/** The parameter that a name stands for, with or without a default, of any function. */
export function parameterAt(file: FileFacts, name: Node): Omit<Part, 'member'> | undefined {
  const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
  const definition = variable?.defs[0];
  if (!definition || isSetAgain(variable!, undefined)) return undefined;
  return placeOfParameter(definition);
}

/** A part of a parameter with a default of its own: `client` in `({ client = pool } = {}) => …`. */
export interface OptionalPart extends Part {
  /** What it is where a call leaves it out. */
  readonly fallback: Node | undefined;
}

/** The parameter or the part of one that a name stands for, of any function. */
export function optionalPartAt(file: FileFacts, name: Node): OptionalPart | undefined {
  const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
  const definition = variable?.defs[0];
  // no veto: no call decides what the function itself sets.
  if (definition?.type !== 'Parameter' || isSetAgain(variable!, undefined)) return undefined;
  const fn = definition.node as FunctionNode;
  for (const [index, parameter] of fn.params.entries()) {
    const whole = patternOf(parameter);
    const pattern = undefaulted(whole);
    if (pattern === definition.name)
      return { fn, index, member: undefined, fallback: defaultOf(whole) };
    const member = memberOrDefaultIn(pattern, definition.name);
    if (member !== undefined)
      return { fn, index, member, fallback: defaultIn(pattern, definition.name) };
  }
  return undefined;
}

/** The index of a parameter's definition in its function, with or without a default; undefined for a part of one. */
export function placeOfParameter({
  type,
  node,
  name,
}: Definition): Omit<Part, 'member'> | undefined {
  if (type !== 'Parameter') return undefined;
  const fn = node as FunctionNode;
  const index = fn.params.findIndex((it) => undefaulted(it) === name);
  return index === -1 ? undefined : { fn, index };
}

function parameterOf(definition: Definition, scope: Node): Part | undefined {
  // no veto: the name of something else.
  if (definition.type !== 'Parameter' || definition.node !== scope) return undefined;
  const fn = definition.node as FunctionNode;
  for (const [index, parameter] of fn.params.entries()) {
    if (parameter === definition.name) return { fn, index, member: undefined };
    // `cached({ key, load })`
    const member = memberIn(parameter, definition.name);
    if (member !== undefined) return { fn, index, member };
  }
  return undefined;
}

function isSetAgain({ writes }: Variable, except: Node | undefined): boolean {
  return writes.some((it) => !(except && contains(except, it.identifier as Node)));
}

/** `load` in `{ load }`. */
export function memberIn(pattern: Node, name: Node): string | undefined {
  const property = propertyIn(pattern, (it) => it.value === name);
  return property && propertyName(property);
}

/** The same of one with a default, too: `client` in `{ client = pool }`. */
export function memberOrDefaultIn(pattern: Node, name: Node): string | undefined {
  const property = propertyIn(pattern, (it) => undefaulted(it.value) === name);
  return property && propertyName(property);
}

/** What a name is by default: `pool` in `{ client = pool }`. */
function defaultIn(pattern: Node, name: Node): Node | undefined {
  const value = propertyIn(pattern, (it) => undefaulted(it.value) === name)?.value;
  return value && defaultOf(value);
}

function propertyIn(
  pattern: Node,
  isIt: (property: TSESTree.Property) => boolean,
): TSESTree.Property | undefined {
  if (pattern.type !== 'ObjectPattern') return undefined;
  return pattern.properties.find((it) => it.type === 'Property' && isIt(it)) as
    TSESTree.Property | undefined;
}

/** Whether a call certainly gives nothing for a part, so that its default holds. */
export function isLeftOut(
  args: readonly TSESTree.CallExpressionArgument[],
  { index, member }: Pick<Part, 'index' | 'member'>,
): boolean {
  // no veto: what is spread may be it, and a default is then said to be one.
  if (isSpreadUpTo(args, index)) return false;
  const argument = args[index];
  if (!argument || member === undefined) return !argument;
  const it = bare(argument);
  return (
    it.type === 'ObjectExpression' &&
    it.properties.every((property) => {
      const name = property.type === 'Property' ? propertyName(property) : undefined;
      return name !== undefined && name !== member;
    })
  );
}

/** The argument of a call for a part, where that is certain. */
export function givenFor(
  args: readonly TSESTree.CallExpressionArgument[],
  { index, member }: Part,
): Node | undefined {
  if (isSpreadUpTo(args, index)) return undefined;
  const argument = args[index];
  // no veto: nothing else is asked for, or nothing given.
  if (!argument || member === undefined) return argument;
  const it = bare(argument);
  // no veto: the shape of an object.
  if (it.type !== 'ObjectExpression') return undefined;
  // What is spread after it may take it away again.
  const last = it.properties.findLast(
    (property) => property.type === 'SpreadElement' || propertyName(property) === member,
  );
  return last?.type === 'Property' ? last.value : undefined;
}
