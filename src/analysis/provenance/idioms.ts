import { valueOf } from './value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isFunction, type Node, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { type ArrayValue, awaited, join, promiseOf, UNKNOWN, type Value } from '../file/value.ts';
import { mutual } from './mutual.ts';

/** The result of a call of a platform function. */
export function globalCallResult(
  file: FileFacts,
  call: TSESTree.CallExpression,
  name: string,
): Value {
  const [first] = call.arguments;
  if (name === 'require' || name === '__non_webpack_require__') {
    return first?.type === 'Literal' && typeof first.value === 'string'
      ? mutual.importedValue(file, first.value, 'require')
      : UNKNOWN;
  }
  if (!first || first.type === 'SpreadElement') return UNKNOWN;
  switch (name) {
    case 'Promise.resolve':
      return promiseOf(valueOf(file, first));
    case 'Promise.all': {
      const all = valueOf(file, first);
      return all.kind === 'array' && !all.isKeyed
        ? promiseOf({
            kind: 'array',
            of: awaited(all.of),
            elements: all.elements?.map((it) => awaited(it)),
          })
        : UNKNOWN;
    }
    case 'Promise.race':
    case 'Promise.any': {
      const all = valueOf(file, first);
      return all.kind === 'array' && !all.isKeyed ? promiseOf(awaited(all.of)) : UNKNOWN;
    }
    case 'Object.freeze':
    case 'Object.seal':
      return valueOf(file, first);
    case 'Object.values': {
      const table = valueOf(file, first);
      return table.kind === 'array' && table.isKeyed ? { kind: 'array', of: table.of } : UNKNOWN;
    }
    default:
      return methodIdiomResult(file, call);
  }
}

/** Methods that mean the same on every object: `promise.then`, `fn.bind`, `fn.call`, `array.map`. */
export function methodIdiomResult(file: FileFacts, call: TSESTree.CallExpression): Value {
  const callee = bare(call.callee);
  if (callee.type !== 'MemberExpression') return UNKNOWN;
  const method = propertyName(callee);
  if (method === undefined) return UNKNOWN;
  const object = valueOf(file, callee.object);
  const [first] = call.arguments;
  if (method === 'bind') return object;
  if (method === 'call' || method === 'apply') {
    const args = method === 'call' ? call.arguments.slice(1) : [];
    return mutual.resultFor(file, object, args, call);
  }
  if (object.kind === 'promise') return promiseMethodResult(file, object, method, first);
  return object.kind === 'array' ? elementResult(file, object, method, first) : UNKNOWN;
}

function promiseMethodResult(
  file: FileFacts,
  promise: Value,
  method: string,
  callback: Node | undefined,
): Value {
  if (method === 'catch' || method === 'finally') return promise;
  if (method !== 'then' || !callback) return UNKNOWN;
  const fn = valueOf(file, callback);
  return fn.kind === 'function' ? promiseOf(awaited(mutual.returnOf(fn))) : UNKNOWN;
}

/** The result of an array method: elements stay what they are, `map` gives what its function returns. */
function elementResult(
  file: FileFacts,
  array: ArrayValue,
  method: string,
  callback: Node | undefined,
): Value {
  if (array.isKeyed) {
    if (method === 'get') return array.of;
    return method === 'values' ? { kind: 'array', of: array.of } : UNKNOWN;
  }
  switch (method) {
    case 'filter':
    case 'slice':
    case 'reverse':
    case 'toReversed':
    case 'sort':
    case 'toSorted':
    case 'values':
      return { kind: 'array', of: array.of };
    case 'find':
    case 'findLast':
    case 'pop':
    case 'shift':
    case 'at':
      return array.of;
    case 'map': {
      const fn = callback ? valueOf(file, callback) : UNKNOWN;
      return fn.kind === 'function' ? { kind: 'array', of: mutual.returnOf(fn) } : UNKNOWN;
    }
    default:
      return UNKNOWN;
  }
}

const COLLECTIONS = new Set(['Map', 'WeakMap', 'Set', 'Array']);

/** `new Map<string, Pool>()`: its contents, where they are declared; `Map#` otherwise. */
export function constructedGlobal(
  file: FileFacts,
  call: TSESTree.NewExpression,
  name: string,
): Value {
  if (name === 'Promise') return promiseOf(resolvedWith(file, call));
  const types = call.typeArguments?.params;
  const element = types?.at(-1);
  if (!element || !COLLECTIONS.has(name)) return { kind: 'global', name: `${name}#` };
  const of = mutual.typeValue(file, element);
  return name.endsWith('Map')
    ? { kind: 'array', of, isKeyed: true, isMap: true }
    : { kind: 'array', of };
}

/** What `new Promise(executor)` resolves with: the argument of every call of its first parameter. */
function resolvedWith(file: FileFacts, call: TSESTree.NewExpression): Value {
  const [annotated] = call.typeArguments?.params ?? [];
  const declared = annotated ? mutual.typeValue(file, annotated) : UNKNOWN;
  if (declared.kind !== 'unknown' && declared.kind !== 'nullish') return declared;
  const executor = call.arguments[0];
  if (!executor || !isFunction(executor)) return UNKNOWN;
  const resolve = executor.params[0];
  if (resolve?.type !== 'Identifier') return UNKNOWN;
  const values: Value[] = [];
  for (const { identifier } of file.variableOf(resolve)?.references ?? []) {
    const { parent } = identifier as Node;
    if (parent?.type !== 'CallExpression' || parent.callee !== identifier) continue;
    const [argument] = parent.arguments;
    if (argument && argument.type !== 'SpreadElement')
      values.push(awaited(valueOf(file, argument)));
  }
  return join(values);
}
