import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import type { Variable } from '../syntax/names.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isFunction, isNamed, type Node, propertyName, walk } from '../syntax/ast.ts';
import { variableKey } from '../syntax/bindings.ts';
import type { FileFacts } from '../file/file.ts';
import type { Flow } from '../flow/graph.ts';
import { isLookedInto } from './looked-into.ts';
import { aliasOf, isHandle, memberOnHandle } from './handle.ts';
import { belongsTo } from './parts.ts';
import { given, isTaken, type State, type Tour, type Truth, withFact } from './state.ts';
import type { Value } from '../file/value.ts';

/** The key of the truth of an expression: names, members of them, `scope === 'own'`. */
export function keyOf(file: FileFacts, node: Node): string | undefined {
  const it = bare(node);
  switch (it.type) {
    case 'ThisExpression':
      return 'this';
    case 'Identifier': {
      const variable = file.variableOf(it);
      return variable && `v${variableKey(variable)}`;
    }
    case 'MemberExpression': {
      const object = keyOf(file, it.object);
      const name = propertyName(it);
      return object && name ? `${object}.${name}` : undefined;
    }
    case 'BinaryExpression': {
      // What properties are compared with may change between two looks at them.
      const name = isEquality(it) && it.left.type === 'Identifier' && keyOf(file, it.left);
      return name && it.right.type === 'Literal' ? `${name}=${it.right.raw}` : undefined;
    }
    default:
      return undefined;
  }
}

function isEquality({ operator }: TSESTree.BinaryExpression): boolean {
  return /^[!=]==?$/.test(operator);
}

/** Keys that two places of the function speak of; the others cannot make two paths differ. */
export const keysWorthKeeping = query(
  'keys worth keeping',
  (file: FileFacts, flow: Flow): ReadonlySet<string> => keysIn(file, flow),
  { whileCyclic: new Set() },
);

function keysIn(file: FileFacts, flow: Flow): ReadonlySet<string> {
  const places = new Map<string, Set<Node>>();
  for (const { kind, node } of flow.steps) {
    if (!node) continue;
    if (kind === 'test') walk(node, (it) => mention(it, node));
    else if (node.type === 'VariableDeclarator') assigned(node.id, node.init);
    else if (node.type === 'AssignmentExpression') assigned(node.left, node.right);
    // What it asks when it runs: `const giveBack = () => { if (isOwn) client.release(); }`.
    else if (isFunction(node)) walk(node, asked);
  }
  return new Set([...places].filter(([, nodes]) => nodes.size > 1).map(([key]) => key));

  function assigned(target: Node, value: Node | null): void {
    // no veto: bounds what is kept.
    if (value && !isFactual(value)) return;
    mention(target, target);
    if (value) walk(value, (it) => mention(it, target));
  }
  function asked(it: Node): void {
    const isQuestion = it.type === 'IfStatement' || it.type === 'ConditionalExpression';
    if (isQuestion) walk(it.test, (name) => mention(name, it));
  }
  function mention(it: Node, place: Node): void {
    const key = keyOf(file, it);
    if (key) places.set(key, (places.get(key) ?? new Set()).add(place));
  }
}

/** The first parameters of the drivers' callbacks in this graph. */
export function errorNames(file: FileFacts, flow: Flow): ReadonlySet<Variable> {
  const found = flow.steps.flatMap(({ node, isError }) =>
    isError && node?.type === 'Identifier' ? [file.variableOf(node)] : [],
  );
  return new Set(found.filter((it) => it !== undefined));
}

/**
 * Expressions that hold nothing but a fact: constants, names, negations and comparisons of those. Of what calls give only
 * the test tells anything, and to remember that of each would double the paths each time.
 */
function isFactual(node: Node): boolean {
  const it = bare(node);
  switch (it.type) {
    case 'Literal':
    case 'Identifier':
    case 'AwaitExpression':
    case 'LogicalExpression':
      return true;
    case 'UnaryExpression':
      return it.operator === '!' && (isFactual(it.argument) || isMember(it.argument));
    case 'ConditionalExpression':
      return isFactual(it.consequent) && isFactual(it.alternate);
    case 'BinaryExpression':
      return isEquality(it);
    case 'CallExpression':
      return isNamed(it.callee, 'Boolean');
    default:
      return false;
  }
}

/** `!options?.client`. */
function isMember(node: Node): boolean {
  return bare(node).type === 'MemberExpression';
}

/** The value of an expression on this path, as far as the path determines it. */
export function truthOf(tour: Tour, state: State, node: Node): Truth | undefined {
  const it = bare(node);
  if (isHandle(tour, state, it)) return 'truthy';
  switch (it.type) {
    case 'Literal':
      if (it.raw === 'null') return 'nullish';
      if (typeof it.value === 'boolean') return it.value ? 'true' : 'false';
      return it.value || it.raw === '/' ? 'truthy' : 'falsy';
    case 'Identifier': {
      if (it.name === 'undefined') return 'nullish';
      const variable = tour.file.variableOf(it);
      if (variable && state.aliases.has(variable)) return 'truthy';
      const known = state.facts.get(keyOf(tour.file, it) ?? '');
      return known ?? (variable && isLookedInto(tour.file, variable, it) ? 'truthy' : undefined);
    }
    case 'MemberExpression':
      return (
        propertyTruth(tour, state, it) ?? state.facts.get(keyOf(tour.file, it) ?? 'no such key')
      );
    case 'UnaryExpression':
      return it.operator === '!' ? negated(truthOf(tour, state, it.argument)) : undefined;
    case 'LogicalExpression': {
      const left = truthOf(tour, state, it.left);
      if (!left) return undefined;
      const isAnswer =
        it.operator === '&&'
          ? !isTrue(left)
          : isTrue(left) || (it.operator === '??' && left === 'false');
      return isAnswer ? left : truthOf(tour, state, it.right);
    }
    case 'ConditionalExpression': {
      const test = truthOf(tour, state, it.test);
      return test && truthOf(tour, state, isTrue(test) ? it.consequent : it.alternate);
    }
    case 'BinaryExpression':
      return comparisonTruth(tour, state, it);
    case 'CallExpression': {
      const [argument] = it.arguments;
      const isBoolean = isNamed(it.callee, 'Boolean');
      return isBoolean && argument ? negated(negated(truthOf(tour, state, argument))) : undefined;
    }
    default:
      return undefined;
  }
}

function negated(truth: Truth | undefined): Truth | undefined {
  return truth && (isTrue(truth) ? 'false' : 'true');
}

function isTrue(truth: Truth): boolean {
  return truth === 'true' || truth === 'truthy';
}

/** `client.release` exists; a property that the project itself sets is unset on a fresh handle. */
function propertyTruth(tour: Tour, state: State, it: TSESTree.MemberExpression): Truth | undefined {
  if (!isHandle(tour, state, it.object)) return undefined;
  const name = propertyName(it);
  if (name === undefined) return undefined;
  const known = state.facts.get(`.${name}`);
  if (known) return known;
  const member = memberOnHandle(tour, name);
  if (member?.body === 'tells') return tour.subject.keeper?.data.get(name);
  if (member) return 'truthy';
  // veto: a method of the object that has the connection may have set this property
  if (tour.subject.keeper) return undefined;
  return isSetByProject(tour.file, tour.file.ast, name) ? 'nullish' : undefined;
}

const isSetByProject = query(
  'sets a member',
  (file: FileFacts, _: TSESTree.Program, name: string): boolean =>
    file.nodes
      .all('AssignmentExpression')
      .some((it) => it.left.type === 'MemberExpression' && propertyName(it.left) === name),
  { whileCyclic: false },
);

function comparisonTruth(
  tour: Tour,
  state: State,
  it: TSESTree.BinaryExpression,
): Truth | undefined {
  if (it.operator === 'instanceof') {
    return isHandle(tour, state, it.left)
      ? instanceTruth(tour, valueOf(tour.file, it.right))
      : undefined;
  }
  if (it.operator === 'in') {
    const [name, object] = [bare(it.left), it.right];
    const isMember =
      name.type === 'Literal' &&
      isHandle(tour, state, object) &&
      memberOnHandle(tour, String(name.value));
    return isMember ? 'true' : undefined;
  }
  if (!isEquality(it)) return undefined;
  const typed = typedOperand(it);
  const same = typed
    ? isOfType(tour, state, typed, it.right)
    : areEqual(truthOf(tour, state, it.left), truthOf(tour, state, it.right));
  const known = state.facts.get(keyOf(tour.file, it) ?? 'no such key');
  if (same === undefined && !known) return undefined;
  const isSame = same ?? known === 'true';
  return isSame === it.operator.startsWith('=') ? 'true' : 'false';
}

/**
 * Whoever compares a name with `true` or `null` keeps nothing else of its truth in it: what is truthy is `true` then, and
 * what is falsy `null`.
 */
function areEqual(left: Truth | undefined, right: Truth | undefined): boolean | undefined {
  if (!left || !right) return undefined;
  if (isTrue(left) !== isTrue(right)) return false;
  if (left === right) return left === 'truthy' || left === 'falsy' ? undefined : true;
  return [left, right].sort().join() !== 'false,nullish';
}

/** `client` in `typeof client === 'object'`. */
function typedOperand({ left }: TSESTree.BinaryExpression): Node | undefined {
  const it = bare(left);
  return it.type === 'UnaryExpression' && it.operator === 'typeof' ? it.argument : undefined;
}

/** `typeof client.release === 'function'`, `typeof client !== 'undefined'`. */
function isOfType(tour: Tour, state: State, node: Node, type: Node): boolean | undefined {
  if (isUndefinedType(type)) return areEqual(truthOf(tour, state, node), 'nullish');
  const name = typeOfHandle(tour, state, bare(node));
  return name && type.type === 'Literal' ? name === type.value : undefined;
}

function isUndefinedType(type: Node): boolean {
  return type.type === 'Literal' && type.value === 'undefined';
}

function typeOfHandle(tour: Tour, state: State, node: Node): string | undefined {
  const alias = aliasOf(tour, state, node);
  if (alias === 'handle') return tour.subject.handle.type.call ? 'function' : 'object';
  const member =
    node.type === 'MemberExpression' && isHandle(tour, state, node.object)
      ? memberOnHandle(tour, propertyName(node))
      : undefined;
  return alias === 'releaser' || (member && !member.type) ? 'function' : undefined;
}

/** A pool is not the client that it has lent. */
function instanceTruth(tour: Tour, of: Value): Truth | undefined {
  const constructed = of.kind === 'callable' ? of.signature.construct?.returns : undefined;
  if (of.kind !== 'callable' || constructed === undefined) return undefined;
  if (of.library === tour.subject.handle.library && constructed === tour.subject.handle.typeName) {
    return 'true';
  }
  return of.library.types[constructed]?.role === 'pool' ? 'false' : undefined;
}

/** The states after a test: undefined where the path cannot go that way. */
export function tested(
  tour: Tour,
  state: State,
  test: { readonly node: Node; readonly nullish: boolean },
  outcome: boolean,
): State | undefined {
  const { node, nullish } = test;
  const truth = truthOf(tour, state, node);
  if (truth && nullish && truth !== 'falsy') {
    return (truth !== 'nullish') === outcome ? state : undefined;
  }
  if (truth && !nullish) return isTrue(truth) === outcome ? state : undefined;
  // What the handle itself says about its state (`runner.isReleased`) only the library understands.
  if (isTaken(state) && asksHandle(tour, state, node)) return given(tour, state, 'passed');
  return refined(tour, state, node, { nullish, outcome });
}

function asksHandle(tour: Tour, state: State, node: Node): boolean {
  let asks = false;
  walk(node, (it) => {
    // The answer to a query is data; a call that nobody waits for asks the handle (`trx.isCompleted()`).
    if (it.type === 'AwaitExpression') return false;
    if (it.type === 'MemberExpression' && belongsTo(tour, state, it)) {
      asks ||= memberOnHandle(tour, firstName(it))?.body !== 'tells';
      return false;
    }
    return !asks;
  });
  return asks;
}

/** `headers` of `response.headers.length`. */
function firstName(member: TSESTree.MemberExpression): string | undefined {
  const object = bare(member.object);
  return object.type === 'MemberExpression' ? firstName(object) : propertyName(member);
}

function refined(
  tour: Tour,
  state: State,
  node: Node,
  { nullish, outcome }: { nullish: boolean; outcome: boolean },
): State {
  const it = bare(node);
  if (it.type === 'Identifier' || it.type === 'MemberExpression') {
    const truth = nullish ? (outcome ? undefined : 'nullish') : outcome ? 'truthy' : 'falsy';
    return truth ? withFact(tour, state, keyOf(tour.file, it), truth) : state;
  }
  if (it.type !== 'BinaryExpression' || !isEquality(it)) return state;
  const isEqual = outcome === it.operator.startsWith('=');
  const after = withFact(tour, state, keyOf(tour.file, it), isEqual ? 'true' : 'false');
  const { subject, against } = comparisonIn(tour, state, it);
  const truth = against && (isEqual ? against : opposites[against]);
  return truth ? withFact(tour, after, keyOf(tour.file, subject), truth) : after;
}

/** What a value is that is not this; `!== null` and `!== undefined` of a name that may be the handle: it is there. */
const opposites: Readonly<Record<Truth, Truth | undefined>> = {
  nullish: 'truthy',
  true: 'falsy',
  false: 'truthy',
  truthy: undefined,
  falsy: undefined,
};

/** `given === undefined`, `undefined === given` and `typeof given === 'undefined'` say the same of `given`. */
function comparisonIn(
  tour: Tour,
  state: State,
  it: TSESTree.BinaryExpression,
): { readonly subject: Node; readonly against: Truth | undefined } {
  const typed = typedOperand(it);
  if (typed) return { subject: typed, against: isUndefinedType(it.right) ? 'nullish' : undefined };
  return keyOf(tour.file, it.left) === undefined
    ? { subject: it.right, against: truthOf(tour, state, it.left) }
    : { subject: it.left, against: truthOf(tour, state, it.right) };
}
