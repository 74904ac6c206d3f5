import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../syntax/names.ts';
import { arithmetic, calculated, isMs, milliseconds } from './arithmetic.ts';
import {
  bare,
  calledName,
  contains,
  defaultOf,
  importedName,
  isFunction,
  type Node,
  propertyName,
  dottedName,
  undefaulted,
} from '../syntax/ast.ts';
import { valueOf } from '../provenance/value-of.ts';
import { returnedExpressions } from '../syntax/calls.ts';
import { writesTo } from '../syntax/bindings.ts';
import { memberQuantity } from './field-quantities.ts';
import type { FileFacts } from '../file/file.ts';
import { globalName } from '../syntax/global-names.ts';
import { isEnvironment } from './environment.ts';
import { exportsOf } from '../provenance/exports.ts';
import { patternOf } from '../syntax/parameter-properties.ts';
import {
  type Arguments,
  byDefault,
  certainOf,
  combined,
  type Folded,
  foldedFrom,
  type Folding,
  literal,
  named,
  type Quantity,
  quantityFrom,
  type Trait,
  unknown,
} from './quantity.ts';
import { rangeOfCall, rangeOfOperation, rangeOfWhole } from './ranges.ts';

const NONE: Arguments = new Map();
const DEEPEST = 12;

/** The number that `node` is. */
export function quantityOf(file: FileFacts, node: Node, args: Arguments = NONE): Quantity {
  return quantityFrom(folded({ file, args, depth: 0 }, node));
}

/** The number that `node` is for all callers, and not by default only. */
export function certainNumber(file: FileFacts, node: Node): number | undefined {
  return certainOf(quantityOf(file, node));
}

export function folded(at: Folding, whole: Node): Folded {
  if (at.depth > DEEPEST) return unknown('unresolved');
  const node = bare(whole);
  const given = at.given?.(at.file, node);
  if (given) return foldedFrom(given);
  const fold = (it: Node) => folded({ ...at, depth: at.depth + 1 }, it);
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'number' ||
        typeof node.value === 'string' ||
        typeof node.value === 'boolean'
        ? literal(node.value)
        : { ...literal(undefined), isOptional: node.raw === 'null' };
    case 'TemplateLiteral':
      return node.expressions.length === 0
        ? literal(node.quasis[0]!.value.cooked ?? undefined)
        : combined(node.expressions.map(fold), undefined, 'unresolved');
    case 'Identifier':
      return identifierFolded(at, node);
    case 'MemberExpression':
      return memberFolded(at, node);
    case 'UnaryExpression':
      return unaryFolded(node.operator, fold(node.argument));
    case 'BinaryExpression':
      return node.left.type === 'PrivateIdentifier'
        ? unknown('unresolved')
        : binaryFolded(node.operator, fold(node.left), fold(node.right));
    case 'LogicalExpression':
      return logicalFolded(node.operator, fold(node.left), fold(node.right));
    case 'ConditionalExpression':
      return conditionalFolded(fold(node.test), fold(node.consequent), fold(node.alternate));
    case 'CallExpression':
      return callFolded(at, node, fold);
    case 'AwaitExpression':
      return fold(node.argument);
    case 'SequenceExpression':
      return fold(node.expressions.at(-1)!);
    default:
      return unknown('unresolved');
  }
}

function identifierFolded(at: Folding, node: TSESTree.Identifier): Folded {
  const variable = at.file.variableOf(node);
  if (!variable) {
    return node.name === 'undefined'
      ? { ...literal(undefined), isOptional: true }
      : named(unknown('unresolved'), node.name);
  }
  return named(variableFolded(at, variable), node.name, at.file, variable.identifiers[0]);
}

function variableFolded(at: Folding, variable: Variable): Folded {
  const bound = at.args.get(variable);
  if (bound) return foldedFrom(bound);
  const [definition] = variable.defs;
  if (!definition || variable.defs.length > 1 || at.depth > DEEPEST) return unknown('unresolved');
  const deeper = { ...at, depth: at.depth + 1 };
  switch (definition.type) {
    case 'ImportBinding':
      return importFolded(deeper, definition.node, definition.parent);
    case 'Parameter':
      return parameterFolded(deeper, variable, definition.node);
    case 'Variable': {
      const { node } = definition;
      if (!node.init) return unknown('variable');
      if (variable.writes.length > 0) {
        const traits = (writesTo(variable) ?? []).map((it) => folded(deeper, it));
        return combined([folded(deeper, node.init), ...traits], undefined, 'variable');
      }
      if (node.id.type === 'Identifier') return folded(deeper, node.init);
      return patternFolded(deeper, node.id, variable, folded(deeper, node.init), node.init);
    }
    default:
      return unknown('unresolved');
  }
}

function importFolded(at: Folding, node: Node, declaration: Node | null | undefined): Folded {
  if (declaration?.type !== 'ImportDeclaration') return unknown('unresolved');
  const name = importedName(node);
  return name === undefined
    ? unknown('unresolved')
    : importedFolded(at, declaration.source.value, name);
}

function importedFolded(at: Folding, specifier: string, name: string): Folded {
  const file = at.file.modules?.resolve(specifier, at.file.path, name);
  return file ? exportFolded({ ...at, file, args: NONE }, name) : unknown('unresolved');
}

/** A constant that the file exports under `name`. */
export function exportFolded(at: Folding, name: string): Folded {
  if (at.depth > DEEPEST) return unknown('unresolved');
  const deeper = { ...at, depth: at.depth + 1 };
  const entry = exportsOf(at.file).get(name);
  if (entry?.kind === 'reexport') return importedFolded(deeper, entry.source, entry.name);
  if (entry) return folded(deeper, entry.node);
  const candidates = exportsOf(at.file)
    .everythingFrom.map((source) => importedFolded(deeper, source, name))
    .filter((it) => it.constant !== undefined);
  return candidates.length === 1 ? candidates[0]! : unknown('unresolved');
}

function parameterFolded(at: Folding, variable: Variable, fn: Node): Folded {
  if (!isFunction(fn)) return unknown('parameter');
  const name = variable.identifiers[0] as TSESTree.Identifier;
  const own = { ...unknown('parameter'), parameters: [variable], isOptional: true };
  for (const parameter of fn.params) {
    const pattern = patternOf(parameter);
    if (!contains(pattern, name)) continue;
    const fallback = patternFolded(at, pattern, variable, own, undefined);
    return { ...fallback, parameters: [...fallback.parameters, variable] };
  }
  return own;
}

/** What `variable` inside `pattern` is: its default where the matched value does not tell. */
function patternFolded(
  at: Folding,
  pattern: Node,
  variable: Variable,
  value: Folded,
  source: Node | undefined,
): Folded {
  const name = variable.identifiers[0] as TSESTree.Identifier;
  switch (pattern.type) {
    case 'Identifier':
      return value;
    case 'AssignmentPattern':
      if (pattern.left.type !== 'Identifier') {
        return patternFolded(at, pattern.left, variable, value, undefined);
      }
      return value.constant !== undefined
        ? value
        : byDefault([value, folded(at, pattern.right)], folded(at, pattern.right).constant);
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type !== 'Property') continue;
        if (!contains(property.value, name)) continue;
        const key = propertyName(property);
        const inner = source && key ? memberQuantity(at, source, key) : undefined;
        return patternFolded(at, property.value, variable, inner ?? optional(value), undefined);
      }
      return unknown('unresolved');
    default:
      return unknown('unresolved');
  }
}

function optional(value: Folded): Folded {
  return { ...value, constant: undefined, isOptional: true };
}

function memberFolded(at: Folding, node: TSESTree.MemberExpression): Folded {
  const name = propertyName(node);
  if (isEnvironment(at.file, node.object)) {
    const set = unknown('environment');
    return { ...(name === undefined ? set : named(set, name)), isOptional: true };
  }
  if (name === undefined) return unknown('unresolved');
  const known = memberQuantity(at, node.object, name);
  // `erpRateLimit.minIntervalMs`: what holds a number names its purpose, too.
  if (known) return named(known, `${dottedName(node.object) ?? ''}.${name}`);
  const object = bare(node.object);
  const owner = object.type === 'Identifier' ? identifierFolded(at, object) : unknown('unresolved');
  return named({ ...optional(owner), traits: new Set([...owner.traits, 'unresolved']) }, name);
}

function unaryFolded(operator: string, argument: Folded): Folded {
  const { constant } = argument;
  if (constant === undefined) return argument;
  if (operator === '-') return { ...argument, constant: -Number(constant) };
  if (operator === '+') return { ...argument, constant: Number(constant) };
  if (operator === '!') return { ...argument, constant: !constant };
  return combined([argument], undefined, 'unresolved');
}

function binaryFolded(operator: string, left: Folded, right: Folded): Folded {
  const a = left.constant;
  const b = right.constant;
  const traits: readonly Trait[] = operator === '**' ? ['power'] : [];
  if (typeof a !== 'number' || typeof b !== 'number') {
    const range = rangeOfOperation(operator, left, right);
    return { ...combined([left, right], undefined, ...traits), range };
  }
  return combined([left, right], arithmetic(operator, a, b), ...traits);
}

/** `limit ?? 20` and `process.env.X || 20` are 20 unless someone says otherwise. */
function logicalFolded(operator: string, left: Folded, right: Folded): Folded {
  if (operator === '&&') return combined([left, right], undefined, 'condition');
  const isAbsent = left.constant === undefined || (operator === '||' && !left.constant);
  // `undefined ?? 20` rests on nothing.
  const join = left.constant === undefined && left.traits.size > 0 ? byDefault : combined;
  return join([left, right], isAbsent ? right.constant : left.constant);
}

function conditionalFolded(test: Folded, consequent: Folded, alternate: Folded): Folded {
  if (test.constant !== undefined) return test.constant ? consequent : alternate;
  // `x ? Number(x) : 500`, with a text from outside that nobody gives, is its other side.
  if (test.isOptional && alternate.constant !== undefined && consequent.constant === undefined) {
    return byDefault([test, alternate], alternate.constant);
  }
  const chosen = ofUnset([consequent, alternate]);
  if (chosen) return chosen;
  const same = consequent.constant === alternate.constant ? consequent.constant : undefined;
  return combined([test, consequent, alternate], same, 'condition');
}

/** The only constant of several results, where the others are what the environment sets, or nobody. */
function ofUnset(results: readonly Folded[]): Folded | undefined {
  const [first, ...others] = results.filter((it) => it.constant !== undefined);
  const isUnset = ({ constant, isOptional, traits }: Folded) =>
    constant === undefined && isOptional === true && traits.size === 1 && traits.has('environment');
  return first &&
    others.every((it) => it.constant === first.constant) &&
    results.every((it) => it.constant !== undefined || isUnset(it))
    ? byDefault(results, first.constant)
    : undefined;
}

/** Deeper calls would multiply: each result may come from several others. */
const DEEPEST_CALLS = 3;

/** `integer('POLL_MS', 500)`: what a function of the project returns for these arguments. */
function ownCallFolded(at: Folding, call: TSESTree.CallExpression): Folded | undefined {
  const called = calledWith(at, call);
  const returned = called?.returned.map((it) => folded(called.inside, it)) ?? [];
  const [only] = returned;
  const result = returned.length === 1 ? only : ofUnset(returned);
  return (result?.constant ?? result?.range) === undefined
    ? undefined
    : named(result!, calledName(call.callee) ?? '');
}

/** What a function of the project returns, and its parameters in this call; undefined where another function may be called. */
export function calledWith(
  at: Folding,
  call: TSESTree.CallExpression,
): { readonly inside: Folding; readonly returned: readonly Node[] } | undefined {
  const { calls = 0 } = at;
  const callee = calls < DEEPEST_CALLS ? valueOf(at.file, call.callee) : undefined;
  if (callee?.kind !== 'function') return undefined;
  if (call.arguments.some((it) => it.type === 'SpreadElement')) return undefined;
  const args = new Map<Variable, Quantity>();
  const inside = { file: callee.file, args, depth: at.depth + 1, calls: calls + 1 };
  for (const [i, parameter] of callee.node.params.entries()) {
    const name = undefaulted(parameter);
    const variable = name.type === 'Identifier' ? callee.file.variableOf(name) : undefined;
    const given = call.arguments[i];
    const fallback = defaultOf(parameter);
    if (!variable) continue;
    if (given) args.set(variable, quantityFrom(folded({ ...at, depth: at.depth + 1 }, given)));
    else if (fallback) args.set(variable, quantityFrom(folded(inside, fallback)));
  }
  return { inside, returned: returnedExpressions(callee.node) };
}

function callFolded(
  at: Folding,
  call: TSESTree.CallExpression,
  fold: (node: Node) => Folded,
): Folded {
  const name = globalName(call.callee);
  const args = call.arguments.map((it) => fold(it));
  const [first] = args;
  switch (name) {
    case 'Date.now':
    case 'performance.now':
    case 'process.hrtime':
    case 'process.uptime':
      return unknown('clock');
    case 'Math.random':
      return { ...unknown('random'), range: { least: 0, most: 1 } };
    case 'randomInt':
    case 'crypto.randomInt':
      return { ...combined(args, undefined, 'random'), range: rangeOfWhole(args) };
    case 'Number':
    case 'parseFloat':
    case 'parseInt':
    case 'Number.parseInt':
    case 'Number.parseFloat':
      return first ? numeric(first) : unknown('unresolved');
    case 'Math.max':
    case 'Math.min':
    case 'Math.floor':
    case 'Math.ceil':
    case 'Math.round':
    case 'Math.trunc':
    case 'Math.abs':
      return {
        ...combined(
          args,
          calculated(
            name,
            args.map((it) => it.constant),
          ),
        ),
        range: rangeOfCall(name, args),
      };
    case 'Math.pow':
      return combined(args, undefined, 'power');
    default:
      if (first && isMs(at.file, call)) {
        return { ...first, constant: milliseconds(first.constant) };
      }
      return (
        ownCallFolded(at, call) ??
        combined(
          args,
          undefined,
          'unresolved',
          ...(name && /now|hrtime|elapsed|remaining|until|Time\b/.test(name)
            ? ['clock' as const]
            : []),
        )
      );
  }
}

export function numeric(argument: Folded): Folded {
  const { constant } = argument;
  return {
    ...argument,
    constant: constant === undefined ? undefined : Number.parseFloat(String(constant)),
  };
}
