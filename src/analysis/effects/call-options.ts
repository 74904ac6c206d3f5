import type { Place } from '../file/place.ts';
import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  type FunctionNode,
  isFunction,
  isNamed,
  type Node,
  propertyName,
  rootOf,
  walkOwn,
} from '../syntax/ast.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import type { Effect as EffectModel } from '../model/schema.ts';

type Meanings = NonNullable<EffectModel['options']>;

/** The options of a call: whether it locks, whether it fails on data, and what names its connection. */
export interface CallOptions {
  readonly locks: boolean;
  readonly mayVeto: boolean;
  /** The expression after `transaction:`, and its file. */
  readonly handle: Place | undefined;
  /** Parameters of the enclosing function that contain options: only its callers resolve them. */
  readonly passed: readonly PassedOptions[];
  /** Unresolved options: any of them may be a transaction. */
  readonly isUnknown: boolean;
}

export interface PassedOptions {
  readonly fn: FunctionNode;
  readonly index: number;
  readonly meanings: Meanings;
}

interface Reading {
  locks: boolean;
  mayVeto: boolean;
  handle: CallOptions['handle'];
  readonly passed: PassedOptions[];
  isUnknown: boolean;
  readonly meanings: Meanings;
}

/** The options of a call and of those that it is chained to: `users.find({}, { session }).toArray()`. */
export function optionsOfCall(
  file: FileFacts,
  call: Call,
  meanings: Meanings,
  optionsAt: number | undefined,
): CallOptions {
  const reading = newReading(meanings);
  // What comes before the place of the options is a row or a filter, whatever its fields are called.
  let range = { from: optionsAt ?? 0, at: optionsAt ?? 1 };
  for (let it: Node | undefined = call; it; it = receiverCall(it)) {
    if (it.type !== 'CallExpression') break;
    const ofStep = libraryCallOf(file, it)?.signature.step?.optionsAt;
    readCall(file, it, reading, ofStep === undefined ? range : { from: ofStep, at: ofStep });
    // Builders before the last call take filters and fields; their options are literals.
    range = { from: 0, at: Number.POSITIVE_INFINITY };
  }
  return reading;
}

/** The options in an argument that a caller passes on. */
export function optionsOfArgument(
  file: FileFacts,
  argument: Node | undefined,
  meanings: Meanings,
): CallOptions {
  const reading = newReading(meanings);
  if (argument) read(file, argument, reading, { mayBePassed: true });
  return reading;
}

function newReading(meanings: Meanings): Reading {
  return {
    locks: false,
    mayVeto: false,
    handle: undefined,
    passed: [],
    isUnknown: false,
    meanings,
  };
}

function receiverCall(call: Node): Node | undefined {
  const callee = bare(calleeOf(call as Call));
  return callee.type === 'MemberExpression' ? bare(callee.object) : undefined;
}

function readCall(
  file: FileFacts,
  call: TSESTree.CallExpression,
  reading: Reading,
  { from, at }: { readonly from: number; readonly at: number },
): void {
  const callee = bare(call.callee);
  const method = callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
  const [first] = call.arguments;
  // `query.session(session)` says what an option of that name says.
  if (method && first && meaningOf(reading, method) === 'handle')
    say(file, reading, 'handle', first);
  for (const [i, argument] of argumentsOf(call).entries()) {
    if (i < from) continue;
    read(file, argument, reading, { mayBePassed: i >= at });
  }
}

function meaningOf({ meanings }: Reading, name: string) {
  return Object.hasOwn(meanings, name) ? meanings[name] : undefined;
}

function read(
  file: FileFacts,
  node: Node,
  reading: Reading,
  { mayBePassed }: { readonly mayBePassed: boolean },
): void {
  const it = bare(node);
  switch (it.type) {
    case 'ConditionalExpression':
      read(file, it.consequent, reading, { mayBePassed });
      read(file, it.alternate, reading, { mayBePassed });
      return;
    case 'LogicalExpression':
      if (it.operator !== '&&') read(file, it.left, reading, { mayBePassed });
      read(file, it.right, reading, { mayBePassed });
      return;
    case 'Literal':
    case 'TemplateLiteral':
    case 'ArrayExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return;
  }
  // A parameter's default says nothing of what callers pass.
  const passed = mayBePassed ? passedBy(file, it, reading) : undefined;
  if (passed) {
    reading.passed.push(passed);
    return;
  }
  const value = valueOf(file, it);
  if (value.kind === 'object') readObject(value.file, value.node, reading);
  else if (mayBePassed && value.kind !== 'nullish') reading.isUnknown = true;
  if (mayBePassed && isAmended(file, it, reading)) reading.isUnknown = true;
  if (it.type !== 'ObjectExpression' && isMadeWithHandle(file, it, reading))
    reading.isUnknown = true;
}

/** `query.transaction(tx).build()`: the call that makes the options has a transaction. */
function isMadeWithHandle(file: FileFacts, options: Node, { meanings }: Reading): boolean {
  return Object.values(meanings).includes('handle') && isMadeWith(file, options);
}

/** Also by way of constants: `const query = new Query().where(…).transaction(tx)`. What a function in it does makes no options. */
function isMadeWith(file: FileFacts, node: Node): boolean {
  let found = false;
  walkOwn(node, (it) => {
    if (found || it.type !== 'Identifier') return !found;
    const value = valueOf(file, it);
    found = value.kind === 'library' && value.type.role === 'transaction';
    const [definition] = file.variableOf(it)?.defs ?? [];
    const init = definition?.type === 'Variable' ? definition.node.init : undefined;
    if (!found && init && /^(?:Call|New)Expression$/.test(init.type)) {
      found = isInitialiserMadeWith(file, init);
    }
    return !found;
  });
  return found;
}

const isInitialiserMadeWith = query(
  'made with a handle',
  (file: FileFacts, init: Node): boolean => isMadeWith(file, init),
  { whileCyclic: false, tooDeep: () => true },
);

function readObject(file: FileFacts, object: TSESTree.ObjectExpression, reading: Reading): void {
  for (const property of object.properties) {
    if (property.type === 'SpreadElement') {
      read(file, property.argument, reading, { mayBePassed: true });
      continue;
    }
    const meaning = meaningOf(reading, propertyName(property) ?? '');
    if (meaning) say(file, reading, meaning, property.value);
  }
}

function say(file: FileFacts, reading: Reading, meaning: Meanings[string], node: Node): void {
  const it = bare(node);
  if (it.type === 'Literal' && !it.value) return;
  if (isNamed(it, 'undefined')) return;
  if (meaning === 'sync') reading.locks = true;
  else if (meaning === 'veto') reading.mayVeto = true;
  else {
    const passed = passedBy(file, it, reading);
    // `{ transaction: options.transaction }`: the same question to the same caller.
    if (passed && it.type !== 'Identifier') reading.passed.push(passed);
    else reading.handle = { file, node: it };
  }
}

/** The parameter that `node` is, is a member of, or is the rest of (`const { id, ...rest } = options`). */
function passedBy(file: FileFacts, node: Node, { meanings }: Reading): PassedOptions | undefined {
  const it = rootOf(node);
  const definition = it.type === 'Identifier' ? file.variableOf(it)?.defs[0] : undefined;
  if (definition?.type === 'Variable') {
    const { id, init } = definition.node;
    return id.type === 'ObjectPattern' && init
      ? passedBy(file, init, { meanings } as Reading)
      : undefined;
  }
  if (definition?.type !== 'Parameter' || !isFunction(definition.node)) return undefined;
  const fn = definition.node;
  const index = fn.params.findIndex((parameter) => contains(parameter, definition.name));
  return index === -1 ? undefined : { fn, index, meanings };
}

/** `options.transaction = t` between the literal and the call. */
function isAmended(file: FileFacts, node: Node, reading: Reading): boolean {
  const variable = node.type === 'Identifier' ? file.variableOf(node) : undefined;
  return (
    variable?.references.some(({ identifier }) => {
      const member = (identifier as Node).parent;
      return (
        member?.type === 'MemberExpression' &&
        member.object === identifier &&
        meaningOf(reading, propertyName(member) ?? '') !== undefined &&
        member.parent.type === 'AssignmentExpression' &&
        member.parent.left === member
      );
    }) ?? false
  );
}
