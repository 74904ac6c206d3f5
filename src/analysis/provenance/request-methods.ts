import { valueOf } from './value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  dottedName,
  type FunctionNode,
  isFunction,
  type Node,
  propertyName,
  undefaulted,
  defaultOf,
} from '../syntax/ast.ts';
import { writesTo } from '../syntax/bindings.ts';
import { isSpreadUpTo } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import type { Operation } from '../sql/operation.ts';
import { isTarget } from './spelled-lists.ts';
import { sqlTextOf } from './sql-text.ts';

/** The effect of a request by its method; with `given`, the argument of the function's caller decides. */
export interface RequestOperation {
  readonly op: Operation;
  readonly given?: GivenMethod | undefined;
}

/** A parameter with the method of a request, or a member of it; `otherwise` without an argument. */
export interface GivenMethod {
  readonly fn: FunctionNode;
  readonly index: number;
  readonly member: string | undefined;
  readonly otherwise: Operation;
}

const UNKNOWN: RequestOperation = { op: 'unknown' };
const READ: RequestOperation = { op: 'read' };

/** fetch and its like read unless their options name another method than GET or HEAD. */
export function operationByOptions(file: FileFacts, options: Node | undefined): RequestOperation {
  return options ? memberOperation(file, options, 'method', READ, 0) : READ;
}

/** The index of the options; at 0, an address may precede them: `axios(config)`, `axios(url, config)`. */
export function optionsOfRequest(
  args: readonly TSESTree.CallExpressionArgument[],
  index: number,
): Node | undefined {
  return index === 0 ? (args[1] ?? args[0]) : args[index];
}

/** The effect by the method at the start of a text: `GET /orders`, `get`. */
export function operationByVerb(file: FileFacts, text: Node | undefined): Operation {
  // veto: the text that starts with the method of the request is no literal
  if (!text || !isText(bare(text))) return 'unknown';
  const known = sqlTextOf(file, text);
  const verb = known.kind === 'text' ? /^[a-z]+\b/i.exec(known.text)?.[0] : undefined;
  return verb === undefined ? 'unknown' : operationOfMethod(verb);
}

/** The effect by the GraphQL that is sent: a document reads unless one of its operations is no query. */
export function operationByDocument(file: FileFacts, document: Node | undefined): Operation {
  const known = document ? sqlTextOf(file, document) : undefined;
  if (known?.kind !== 'text') return 'unknown';
  const isQuery = /^(?:query\b|fragment\b|\{)/.test(known.text.trimStart());
  return isQuery && !/\b(?:mutation|subscription)\b/.test(known.text) ? 'read' : 'unknown';
}

/** The same for the caller, which passes the method. */
export function operationGiven(
  file: FileFacts,
  args: readonly TSESTree.CallExpressionArgument[],
  { index, member, otherwise }: GivenMethod,
): RequestOperation {
  // veto: a spread list precedes the options, so the position of the options is unresolved
  if (isSpreadUpTo(args, index)) return UNKNOWN;
  const argument = args[index];
  if (!argument) return { op: otherwise };
  return member === undefined
    ? operationNamed(file, argument, 0)
    : memberOperation(file, argument, member, { op: otherwise }, 0);
}

const MAX_DEPTH = 5;

/** By the member of an object that is, or leads to, the method; `otherwise` where it has none. */
function memberOperation(
  file: FileFacts,
  object: Node,
  member: string,
  otherwise: RequestOperation,
  depth: number,
): RequestOperation {
  // no veto: ends what goes round in circles.
  if (depth > MAX_DEPTH) return UNKNOWN;
  const it = bare(object);
  const operationIn = (part: Node) => memberOperation(file, part, member, otherwise, depth + 1);
  if (it.type === 'ConditionalExpression')
    return common(operationIn(it.consequent), operationIn(it.alternate));
  if (it.type === 'LogicalExpression') {
    const right = operationIn(it.right);
    const left = it.operator === '&&' ? otherwise : operationIn(it.left);
    // `options ?? {}`
    return left.given && right === otherwise ? left : common(left, right);
  }
  // veto: code sets the method of the request after the options are created
  if (isSet(file, it, member)) return UNKNOWN;
  const parameter = it.type === 'Identifier' ? parameterOf(file, it) : undefined;
  if (parameter) {
    const { fallback, ...part } = parameter;
    // veto: the method is in a nested object, or two parameters may set it
    if (part.member !== undefined || otherwise.given) return UNKNOWN;
    // veto: the default of the options names a different method of the request
    if (fallback && operationIn(fallback) !== otherwise) return UNKNOWN;
    return { op: 'unknown', given: { ...part, member, otherwise: otherwise.op } };
  }
  // An address, and no options.
  if (isText(it)) return otherwise;
  const value = valueOf(file, it);
  if (value.kind !== 'object') return UNKNOWN;
  let found = otherwise;
  for (const property of value.node.properties) {
    if (property.type === 'SpreadElement') {
      found = memberOperation(value.file, property.argument, member, found, depth + 1);
    } else if (propertyName(property) === member) {
      found = operationNamed(value.file, property.value, depth + 1);
    }
  }
  return found;
}

/** What it is whichever of the two is there. */
function common(a: RequestOperation, b: RequestOperation): RequestOperation {
  return a === b || (!a.given && !b.given && a.op === b.op) ? a : UNKNOWN;
}

function isText(node: Node): boolean {
  return (
    node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
  );
}

/** `options.method = 'POST'` */
function isSet(file: FileFacts, object: Node, member: string): boolean {
  const variable = object.type === 'Identifier' ? file.variableOf(object) : undefined;
  return (variable?.references ?? []).some(({ identifier }) => {
    const { parent } = identifier as Node;
    return parent?.type === 'CallExpression'
      ? isAssigned(parent, identifier, member)
      : parent?.type === 'MemberExpression' && propertyName(parent) === member && isTarget(parent);
  });
}

/** `Object.assign(options, { method: 'POST' })`; what another object holds is not known. */
function isAssigned(call: TSESTree.CallExpression, object: Node, member: string): boolean {
  const [target, ...sources] = call.arguments;
  return (
    target === object &&
    dottedName(call.callee) === 'Object.assign' &&
    sources.some((it) => {
      const source = bare(it);
      return (
        source.type !== 'ObjectExpression' ||
        source.properties.some(
          (part) => part.type === 'SpreadElement' || propertyName(part) === member,
        )
      );
    })
  );
}

/** By the method itself: `'GET'`, `method`, `options.method ?? 'GET'`, `method.toUpperCase()`. */
function operationNamed(file: FileFacts, node: Node, depth: number): RequestOperation {
  // no veto: ends what goes round in circles.
  if (depth > MAX_DEPTH) return UNKNOWN;
  const it = bare(node);
  switch (it.type) {
    case 'Literal':
      return typeof it.value === 'string' ? { op: operationOfMethod(it.value) } : UNKNOWN;
    case 'LogicalExpression': {
      const left = operationNamed(file, it.left, depth + 1);
      const right = operationNamed(file, it.right, depth + 1);
      // veto: the expression is no parameter with a fallback, so the method of the request is unresolved
      if (it.operator === '&&' || !left.given || right.given) return UNKNOWN;
      return { ...left, given: { ...left.given, otherwise: right.op } };
    }
    case 'MemberExpression': {
      const owner = bare(it.object);
      const parameter = owner.type === 'Identifier' ? parameterOf(file, owner) : undefined;
      const member = propertyName(it);
      // veto: the method of the request is in a nested object, or in no parameter
      if (!parameter || parameter.member !== undefined || member === undefined) return UNKNOWN;
      if (isSet(file, owner, member)) return UNKNOWN;
      const { fn, index } = parameter;
      return { op: 'unknown', given: { fn, index, member, otherwise: 'read' } };
    }
    case 'CallExpression': {
      const callee = bare(it.callee);
      return callee.type === 'MemberExpression' &&
        /^to(?:Upper|Lower)Case$/.test(propertyName(callee) ?? '')
        ? operationNamed(file, callee.object, depth + 1)
        : UNKNOWN;
    }
    case 'Identifier': {
      const parameter = parameterOf(file, it);
      if (!parameter) return UNKNOWN;
      const { fallback, ...part } = parameter;
      const otherwise = fallback ? operationNamed(file, fallback, depth + 1).op : 'read';
      return { op: 'unknown', given: { ...part, otherwise } };
    }
    default:
      return UNKNOWN;
  }
}

function operationOfMethod(method: string): Operation {
  return /^(?:get|head|options)$/i.test(method) ? 'read' : 'write';
}

/** The parameter that a name stands for, or the member of one that is taken apart, with what stands in place of it. */
function parameterOf(file: FileFacts, name: TSESTree.Identifier) {
  const variable = file.variableOf(name);
  const [definition] = variable?.defs ?? [];
  // no veto: no parameter.
  if (definition?.type !== 'Parameter' || !isFunction(definition.node)) return undefined;
  // veto: the function assigns the parameter again
  if (writesTo(variable!)?.length !== 0) return undefined;
  const fn = definition.node;
  for (const [index, parameter] of fn.params.entries()) {
    const pattern = undefaulted(parameter);
    if (pattern === definition.name) {
      return { fn, index, member: undefined, fallback: defaultOf(parameter) };
    }
    if (pattern.type !== 'ObjectPattern') continue;
    const property = pattern.properties.find(
      (it) => it.type === 'Property' && undefaulted(it.value) === definition.name,
    );
    const member = property?.type === 'Property' ? propertyName(property) : undefined;
    if (member !== undefined) {
      return { fn, index, member, fallback: defaultOf((property as TSESTree.Property).value) };
    }
  }
  return undefined;
}
