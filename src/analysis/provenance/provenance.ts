import { valueQuery } from '../file/value-query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../syntax/names.ts';
import type { Definition } from '../syntax/scopes.ts';
import { assignmentsOf, isGlobalObject } from './assignments.ts';
import {
  bare,
  chainStart,
  classAround,
  contains,
  functionAround,
  importedName,
  isConstructor,
  isFunction,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { writesTo } from '../syntax/bindings.ts';
import { logicalValue } from './logical-values.ts';
import { callResult, constructed, resultFor, returnOf } from './calls.ts';
import { contextualParameter } from './contextual.ts';
import { declaredFunctionAt } from './declarations.ts';
import { exportedValue, exportsOf } from './exports.ts';
import type { FileFacts } from '../file/file.ts';
import { globalMember } from './held-members.ts';
import { isLongChain, linksOf } from './long-chains.ts';
import { memberOrDefaultIn, parameterAt } from './given-parts.ts';
import { injectedValue } from './injected-values.ts';
import { callableExport, importedValue, referredValue } from './library-values.ts';
import { declaredMember, memberOf } from './members.ts';
import { type Mutual, mutual } from './mutual.ts';
import { query, suppose } from '../../engine/query.ts';
import { globals } from '../model/globals.ts';
import { exportOf } from '../model/index.ts';
import { annotatedValue, patternValue, saidValue } from './pattern-values.ts';
import { connectionOfModels } from './generated-models.ts';
import { ambientType } from './platform-types.ts';
import { servedParameter } from './served-parameters.ts';
import { suppliedParameter } from './supplied-parameters.ts';
import { superValue, thisValue } from './this-values.ts';
import { assertedType, exportedType, typeValue } from './type-values.ts';
import { typedValue } from './typed-values.ts';
import {
  alternativesOf,
  awaited,
  declaredAt,
  equippedLike,
  isEmptyList,
  isInformative,
  isKnown,
  isOneSession,
  join,
  NULLISH,
  promiseOf,
  UNKNOWN,
  type Value,
} from '../file/value.ts';
import { passedIn } from '../file/passed-values.ts';

Object.assign(mutual, {
  ...{
    valueOf,
    variableValue,
    parameterValue,
    memberOf,
    declaredMember,
    typeValue,
    exportedType,
    ambientType,
  },
  ...{ referredValue, importedValue, resultFor, returnOf },
} satisfies Mutual);

/** What an expression is: through parentheses, assertions, chains and names. */
function valueOf(file: FileFacts, node: Node): Value {
  const it = bare(node);
  const known = valueOfBare.cached(file, it, node);
  if (known) return known;
  const start = chainStart(it);
  const variable = start.type === 'Identifier' ? file.variableOf(start) : undefined;
  // `query = query.where(…)`: in a cycle that begins within, nothing is resolved of what `query` is meanwhile.
  if (variable) variableValue(file, variable);
  // `a.then(…).then(…)` in thousands: from its start, so that no query goes deep.
  const links = isLongChain(it) ? linksOf(it) : [];
  for (let i = links.length - 1; i > 0; i--) valueOfBare(file, bare(links[i]!), links[i]!);
  return valueOfBare(file, it, node);
}

/** A type checker has the last word, and only where nothing else has one. */
const valueOfBare = query(
  'value',
  (file: FileFacts, it: Node, whole: Node): Value => {
    const value = evaluate(file, it, whole);
    const types = value.kind === 'unknown' ? file.source.types : undefined;
    return types ? typedValue(types, it) : value;
  },
  { whileCyclic: NULLISH, tooDeep: () => UNKNOWN, isCompared: false, keyOf: () => '' },
);

function evaluate(file: FileFacts, node: Node, whole: Node): Value {
  const asserted = assertedType(file, whole);
  if (asserted.kind !== 'library') return ownValue(file, node);
  const own = isOneSession(asserted) ? UNKNOWN : ownValue(file, node);
  // `tx as unknown as PrismaClient` is still the transaction.
  return alternativesOf(own).every(isOneSession) ? own : equippedLike(asserted, own);
}

function ownValue(file: FileFacts, node: Node): Value {
  switch (node.type) {
    case 'Identifier':
      return identifierValue(file, node);
    case 'ThisExpression':
      return thisValue(file, node);
    case 'Super': {
      const around = classAround(node);
      return around?.node.superClass
        ? superValue(valueOf(file, around.node.superClass), around.static)
        : UNKNOWN;
    }
    case 'Literal':
      return node.raw === 'null' ? NULLISH : UNKNOWN;
    case 'MemberExpression':
      return memberValue(file, node);
    case 'CallExpression':
      return callResult(file, node);
    case 'TaggedTemplateExpression':
      return callResult(file, node);
    case 'NewExpression':
      return constructed(file, node);
    case 'AwaitExpression':
      return awaitedValue(file, valueOf(file, node.argument), node);
    case 'ImportExpression':
      return node.source.type === 'Literal' && typeof node.source.value === 'string'
        ? promiseOf(importedValue(file, node.source.value, '*'))
        : UNKNOWN;
    case 'AssignmentExpression':
      return valueOf(file, node.right);
    case 'SequenceExpression':
      return valueOf(file, node.expressions.at(-1)!);
    case 'ConditionalExpression':
      return join([valueOf(file, node.consequent), valueOf(file, node.alternate)]);
    case 'LogicalExpression':
      return logicalValue(file, node);
    case 'ObjectExpression':
      return { kind: 'object', file, node };
    case 'ArrayExpression':
      return arrayValue(file, node);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return declaredFunctionAt(file, node) ?? { kind: 'function', file, node };
    case 'ClassDeclaration':
    case 'ClassExpression':
      return { kind: 'class', file, node };
    default:
      return UNKNOWN;
  }
}

function memberValue(file: FileFacts, node: TSESTree.MemberExpression): Value {
  const object = valueOf(file, node.object);
  const name = propertyName(node);
  if (name === undefined) {
    if (object.kind !== 'array') return UNKNOWN;
    const at = node.property.type === 'Literal' ? Number(node.property.value) : undefined;
    return (at === undefined ? undefined : object.elements?.[at]) ?? object.of;
  }
  if (object.kind === 'global' && isGlobalObject(file, bare(node.object))) {
    const assigned = assignmentsOf(file).global.get(name);
    if (assigned) return join(assigned.map((it) => valueOf(file, it)));
    const held = globalMember(file, node, name);
    if (isKnown(held)) return held;
  }
  if (object.kind === 'global' && object.name === 'module' && name === 'exports') {
    return exportedValue(file, 'require');
  }
  const member = memberOf(object, name, { file, node });
  if (member.kind !== 'library' || member.origin) return member;
  // What the constructor of `tx` was given for `tx.client`, whoever gives `tx` decides.
  const isOpen = !member.parameter || isConstructor(member.parameter.fn);
  const whole = isOpen ? parameterAt(file, node.object) : undefined;
  return whole ? { ...member, parameter: { ...whole, member: name } } : member;
}

function arrayValue(file: FileFacts, node: TSESTree.ArrayExpression): Value {
  const isCounted = node.elements.every((it) => it?.type !== 'SpreadElement');
  const elements = node.elements.map((it) => {
    if (it?.type !== 'SpreadElement') return it ? valueOf(file, it) : UNKNOWN;
    const spread = valueOf(file, it.argument);
    return spread.kind === 'array' && !spread.isKeyed ? spread.of : UNKNOWN;
  });
  return { kind: 'array', of: join(elements), elements: isCounted ? elements : undefined };
}

function awaitedValue(file: FileFacts, value: Value, node: Node): Value {
  const result = awaited(value);
  if (result.kind !== 'library' || !result.type.awaited) return result;
  const given = referredValue(result.library, result.type.awaited.returns, { file, node });
  return equippedLike(given, result);
}

function identifierValue(file: FileFacts, node: TSESTree.Identifier): Value {
  const variable = file.variableOf(node);
  if (variable) return variableValue(file, variable);
  if (node.name === 'exports' && !exportsOf(file).get('require'))
    return { kind: 'namespace', file };
  return globalValue(file, node);
}

function globalValue(file: FileFacts, node: TSESTree.Identifier): Value {
  const { name } = node;
  if (name === 'undefined') return NULLISH;
  const member = exportOf(globals, name);
  if (member?.type) return referredValue(globals, member.type, { file, node });
  if (member) return callableExport(globals, name, member);
  const held = globalMember(file, node, name);
  return isKnown(held) ? held : { kind: 'global', name };
}

function variableValue(file: FileFacts, variable: Variable): Value {
  const [definition, ...others] = valuesAmong(variable);
  if (!definition || others.length > 0) return UNKNOWN;
  return valueOfVariable(file, variable);
}

/** A name that is a type as well (a class and its interface, a constant and its namespace) is, as a value, the other one. */
function valuesAmong({ defs }: Variable): readonly Definition[] {
  return defs.filter((it) => it.type !== 'Type' && it.type !== 'Namespace');
}

const valueOfVariable = valueQuery(
  'variable',
  (file, variable: Variable) => {
    const [definition] = valuesAmong(variable);
    return definedValue(file, variable, definition!);
  },
  { isCompared: true },
);

function definedValue(file: FileFacts, variable: Variable, definition: Definition): Value {
  switch (definition.type) {
    case 'ImportBinding':
      return importBindingValue(file, definition.node, definition.parent);
    case 'FunctionName':
      return isFunction(definition.node) ? valueOf(file, definition.node) : UNKNOWN;
    case 'ClassName':
      return { kind: 'class', file, node: definition.node };
    case 'Parameter':
      return variable.writes.length > 0
        ? UNKNOWN
        : parameterValue(file, definition.name as TSESTree.Identifier, definition.node);
    case 'Variable':
      return declaredVariableValue(file, variable, definition.node);
    default:
      return UNKNOWN;
  }
}

function importBindingValue(
  file: FileFacts,
  node: Node,
  declaration: Node | null | undefined,
): Value {
  if (node.type === 'TSImportEqualsDeclaration') {
    const reference = node.moduleReference;
    if (reference.type !== 'TSExternalModuleReference') return UNKNOWN;
    const source = (reference as unknown as { expression: TSESTree.Literal }).expression;
    return importedValue(file, String(source.value), 'require');
  }
  if (declaration?.type !== 'ImportDeclaration') return UNKNOWN;
  const source = declaration.source.value;
  if (node.type === 'ImportNamespaceSpecifier') return importedValue(file, source, '*');
  const name = importedName(node);
  return name === undefined ? UNKNOWN : importedValue(file, source, name);
}

function declaredVariableValue(
  file: FileFacts,
  variable: Variable,
  declarator: TSESTree.VariableDeclarator,
): Value {
  const name = variable.identifiers.find((it) => contains(declarator.id, it))!;
  const writes = writesTo(variable);
  if (!writes) return UNKNOWN;
  const annotated = annotatedValue(file, declarator.id);
  if (isInformative(annotated) && declarator.id === name) {
    return saidValue(file, variable, declarator, annotated);
  }

  const loop = declarator.parent.parent;
  if (loop?.type === 'ForOfStatement' && loop.left === declarator.parent) {
    const over = valueOf(file, loop.right);
    if (over.kind !== 'array' || over.isKeyed || writes.length > 0) return UNKNOWN;
    return patternValue(file, declarator.id, name, loop.await ? awaited(over.of) : over.of);
  }
  const initial = declarator.init
    ? [initialValue(file, declarator.id, name, declarator.init, annotated)]
    : [];
  const steps = writes.filter((it) => isStepOf(file, variable, it));
  const others = writes.filter((it) => !steps.includes(it));
  const first = join([...initial, ...others.map((it) => valueOf(file, it))]);
  suppose(file, first);
  const joined = continued(
    first,
    steps.map((it) => valueOf(file, it)),
  );
  // `if (url) pool = new Pool(url); else pool = new Pool(options);`: a module has one of it, whichever it is.
  const isDecidedOnce = [declarator, ...writes].every((it) => !functionAround(it));
  const value = isDecidedOnce ? declaredAt(joined, { file, node: declarator }) : joined;
  const isTold = isKnown(value) && !isEmptyList(value);
  if (!isTold && declarator.id === name && isKnown(annotated)) return annotated;
  return value.kind === 'nullish' && writes.length === 0 && !declarator.init ? UNKNOWN : value;
}

/** `query = query.where(…)` */
function isStepOf(file: FileFacts, variable: Variable, written: Node): boolean {
  const it = chainStart(written);
  return it !== bare(written) && it.type === 'Identifier' && file.variableOf(it) === variable;
}

/** A builder that is put together in several statements is the one that it was at first, unless they make another of it. */
function continued(first: Value, steps: readonly Value[]): Value {
  const isOne = (it: Value) =>
    first.kind === 'library' &&
    it.kind === 'library' &&
    first.type === it.type &&
    first.built?.op === it.built?.op &&
    first.built?.table === it.built?.table &&
    first.parameter === it.parameter &&
    first.via === it.via;
  return steps.length > 0 && steps.every(isOne) ? first : join([first, ...steps]);
}

/** An initializer without a type of its own (`require`, `any`) is what the pattern's annotation says. */
function initialValue(
  file: FileFacts,
  pattern: Node,
  name: TSESTree.Identifier,
  init: Node,
  annotated: Value,
): Value {
  const value = patternValue(file, pattern, name, valueOf(file, init));
  return isKnown(value) || pattern === name ? value : patternValue(file, pattern, name, annotated);
}

function parameterValue(file: FileFacts, name: TSESTree.Identifier, fn: Node): Value {
  if (!isFunction(fn)) return UNKNOWN;
  const index = fn.params.findIndex((it) => contains(it, name));
  let pattern: Node | undefined = fn.params[index];
  if (!pattern) return UNKNOWN;
  if (pattern.type === 'TSParameterProperty') pattern = pattern.parameter;
  const fallback = pattern.type === 'AssignmentPattern' ? pattern.right : undefined;
  if (pattern.type === 'AssignmentPattern') pattern = pattern.left;
  // What a callback is really given says more than what its parameter is declared to take.
  let value = contextualParameter(file, fn, index);
  const annotated = annotatedValue(file, pattern);
  if (value.kind === 'holder' && isKnown(annotated)) {
    // `req: Request & { db: Pool }`
    value = { kind: 'intersection', of: [annotated, value] };
  }
  const supplied = isKnown(value) ? UNKNOWN : suppliedParameter(file, fn, index, name);
  if (isKnown(supplied)) return supplied;
  if (!isKnown(value)) value = passedIn(annotated, { fn, index }, fallback !== undefined);
  if (!isKnown(value)) value = passedIn(injectedValue(fn.params[index]!), { fn, index });
  if (!isKnown(value)) value = servedParameter(file, fn, index);
  if (!isKnown(value)) value = connectionOfModels(file, fn, index);
  const left = fallback ? valueOf(file, fallback) : UNKNOWN;
  // `db: Queryable = pool`: the project's own interface names some methods of what it is by default.
  const isOwnInterface = value.kind === 'interface' && left.kind === 'library';
  // `db: Executor = this.database`: what a caller passes instead is another object.
  if (pattern === name && value.kind === 'interface' && left.kind === 'instance') {
    return join([left, value]);
  }
  // `db: TransactionClient = prisma`: it may be either, as if its type named both.
  if (
    pattern === name &&
    isOneSession(annotated) &&
    left.kind === 'library' &&
    !isOneSession(left)
  ) {
    return passedIn(join([{ ...left, origin: undefined }, annotated]), { fn, index });
  }
  if (isKnown(value) && !isOwnInterface) {
    const part = patternValue(file, pattern, name, value);
    const member = memberOrDefaultIn(pattern, name);
    const isDefaulted = name.parent.type === 'AssignmentPattern';
    return member === undefined ? part : passedIn(part, { fn, index, member }, isDefaulted);
  }
  // `client = null` says that callers may leave it out, and nothing of what the others pass.
  if (left.kind !== 'nullish') value = left;
  return passedIn(patternValue(file, pattern, name, value), { fn, index, isOpen: true });
}
