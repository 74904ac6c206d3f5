import { valueOf } from './value-of.ts';
import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { type Caller, callersOf } from './callers.ts';
import { isSpreadUpTo } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { isUsedAsHandle } from './held-members.ts';
import { isStandIn } from './stand-ins.ts';
import { annotatedValue, patternValue } from './pattern-values.ts';
import {
  type FunctionNode,
  isClass,
  isConstructor,
  isFunction,
  type Node,
  undefaulted,
  walk,
} from '../syntax/ast.ts';
import {
  alternativesOf,
  handlesOf,
  isKnown,
  join,
  UNKNOWN,
  type Value,
  NULLISH,
} from '../file/value.ts';
import { patternOf } from '../syntax/parameter-properties.ts';
import { givenAs } from '../file/passed-values.ts';

/**
 * What all callers of an exported function give it under a name: the pool of `require('./berths')(pool)` in
 * `module.exports = (db) => ({ … })`, or of `new Berths(pool)`. A connection or transaction belongs to the caller: of that, a
 * function has the kind, and each call decides which it is.
 */
export function suppliedParameter(
  file: FileFacts,
  fn: FunctionNode,
  index: number,
  name: TSESTree.Identifier,
): Value {
  return supplied(file, name, fn, index);
}

const supplied = query(
  'supplied parameter',
  (file: FileFacts, name: TSESTree.Identifier, fn: FunctionNode, index: number): Value => {
    const target = targetOf(fn.params[index]!);
    const type = patternValue(file, target, name, annotatedValue(file, target));
    // What made an object decides which of the functions its methods call.
    const isCalled = type.kind === 'declared' && !isConstructor(fn);
    // no veto: its type says all that there is to know.
    const isOpen =
      /^(?:library|object|instance)$/.test(type.kind) ||
      (type.kind === 'unknown' && !isSaid(target)) ||
      // What made an object has given it what it asks for by an interface.
      (type.kind === 'interface' && isConstructor(fn)) ||
      isEither(type);
    if (!isOpen && !isCalled) return UNKNOWN;
    // no veto: spares the question.
    if (!isEither(type) && !isWorthAsking(file, fn, name)) return UNKNOWN;
    const callers = (callersOf(file, fn) ?? []).filter((it) => !isStandIn(it.file));
    const values = callers.map((it) => patternValue(file, target, name, givenBy(it, index)));
    // veto: a caller omits the argument, or passes an unresolved value
    if (!values.every(isKnown)) return UNKNOWN;
    const value = join(values);
    if (!isKnown(value)) return UNKNOWN;
    // What its callers have in common, the interface says.
    // no veto: the one of several that it is, is decided as for any interface.
    if (type.kind === 'interface' && value.kind === 'union') return UNKNOWN;
    if (alternativesOf(value).every(isForGood)) return value;
    // A connection or a transaction is another in each call.
    // no veto: its type says that, too.
    if (isEither(type) && !alternativesOf(value).every(isOfCaller)) return UNKNOWN;
    return isConstructor(fn) || target !== name ? UNKNOWN : givenAs(value, { fn, index });
  },
  { whileCyclic: NULLISH, isCompared: false, tooDeep: () => UNKNOWN, keyOf: () => '' },
);

/** `Pool | PoolClient`, or what a project calls both: all callers may give the pool. */
function isEither(type: Value): boolean {
  return type.kind === 'union' && type.of.every((it) => it.kind === 'library');
}

/** `any` and `unknown` state nothing; what another type states that is not resolved, no caller is asked for. */
function isSaid(target: Node): boolean {
  const annotation = 'typeAnnotation' in target ? target.typeAnnotation : undefined;
  const type = annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation.type : undefined;
  return type !== undefined && !/^TS(?:Any|Unknown)Keyword$/.test(type);
}

function targetOf(parameter: TSESTree.Parameter): Node {
  return undefaulted(patternOf(parameter));
}

function givenBy({ file, call }: Caller, index: number): Value {
  const argument = call.arguments[index];
  return !argument || isSpreadUpTo(call.arguments, index) ? UNKNOWN : valueOf(file, argument);
}

/** What makes others that keep it, or works on it as on a pool. */
function isWorthAsking(file: FileFacts, fn: FunctionNode, name: TSESTree.Identifier): boolean {
  if (isConstructor(fn) || makesFunctions(file, fn)) return true;
  const references = file.variableOf(name)?.references ?? [];
  return references.some(({ identifier }) => isUsedAsHandle(identifier as Node));
}

const makesFunctions = query(
  'makes functions',
  (_: FileFacts, fn: FunctionNode): boolean => {
    let found = false;
    walk(fn, (it) => {
      if (it !== fn && (isFunction(it) || isClass(it))) found = true;
      return !found;
    });
    return found;
  },
  { whileCyclic: false },
);

/** All callers give a connection or a transaction. */
function isOfCaller(value: Value): boolean {
  return value.kind === 'library' && OF_CALLER.test(value.type.role ?? '');
}

const OF_CALLER = /^(?:connection|transaction|session|channel|lock|builder)$/;

/** Nothing that one of the calls has for itself, or was given by others in turn. */
function isForGood(value: Value): boolean {
  if (value.kind !== 'library') return true;
  return handlesOf(value).every(
    ({ type, parameter }) => !parameter && !OF_CALLER.test(type.role ?? ''),
  );
}
