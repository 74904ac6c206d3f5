import type { Variable } from '@typescript-eslint/scope-manager';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isNamed, type Node, propertyName, walk } from './ast.ts';
import { variableKey } from './bindings.ts';
import type { FileFacts } from './file.ts';
import type { Flow } from './flow-graph.ts';
import { belongsTo, isHandle, memberOnHandle } from './ownership-handle.ts';
import { given, isTaken, type State, type Tour, type Truth, withFact } from './ownership-state.ts';
import type { Value } from './value.ts';

/** Under which key the truth of an expression is remembered: names, and what dots lead to from them. */
export function keyOf(file: FileFacts, node: Node): string | undefined {
  const it = bare(node);
  if (it.type === 'ThisExpression') return 'this';
  if (it.type === 'Identifier') {
    const variable = file.variableOf(it);
    return variable && `v${variableKey(variable)}`;
  }
  if (it.type !== 'MemberExpression') return undefined;
  const object = keyOf(file, it.object);
  const name = propertyName(it);
  return object && name ? `${object}.${name}` : undefined;
}

/** Keys that two places of the function speak of; the others cannot make two paths differ. */
export function keysWorthKeeping(file: FileFacts, flow: Flow): ReadonlySet<string> {
  const places = new Map<string, Set<Node>>();
  for (const { kind, node } of flow.steps) {
    if (!node) continue;
    if (kind === 'test') walk(node, (it) => mention(it, node));
    else if (node.type === 'VariableDeclarator') assigned(node.id, node.init);
    else if (node.type === 'AssignmentExpression') assigned(node.left, node.right);
  }
  return new Set([...places].filter(([, nodes]) => nodes.size > 1).map(([key]) => key));

  function assigned(target: Node, value: Node | null): void {
    if (target.type !== 'Identifier') return;
    if (value && !isFactual(value)) return;
    mention(target, target);
    if (value) walk(value, (it) => mention(it, target));
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

/** Expressions that hold nothing but a fact: constants, names, negations and comparisons of those. */
function isFactual(node: Node): boolean {
  const it = bare(node);
  switch (it.type) {
    case 'Literal':
    case 'Identifier':
    case 'AwaitExpression':
    case 'LogicalExpression':
      return true;
    case 'UnaryExpression':
      return it.operator === '!' && isFactual(it.argument);
    case 'BinaryExpression':
      return /^[!=]==?$/.test(it.operator);
    case 'CallExpression':
      return isNamed(it.callee, 'Boolean');
    default:
      return false;
  }
}

/** What an expression is on this path, as far as the path tells. */
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
      return state.facts.get(keyOf(tour.file, it) ?? '');
    }
    case 'MemberExpression':
      return (
        propertyTruth(tour, state, it) ?? state.facts.get(keyOf(tour.file, it) ?? 'no such key')
      );
    case 'UnaryExpression':
      return it.operator === '!' ? negated(truthOf(tour, state, it.argument)) : undefined;
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
  if (member?.body === 'tells') return undefined;
  if (member) return 'truthy';
  return isSetByProject(tour.file, name) ? 'nullish' : undefined;
}

function isSetByProject(file: FileFacts, name: string): boolean {
  return file.remember(
    file.keyFor(file.ast, `sets .${name}`),
    () =>
      file.nodes
        .all('AssignmentExpression')
        .some((it) => it.left.type === 'MemberExpression' && propertyName(it.left) === name),
    false,
  );
}

function comparisonTruth(
  tour: Tour,
  state: State,
  it: TSESTree.BinaryExpression,
): Truth | undefined {
  if (it.operator === 'instanceof') {
    return isHandle(tour, state, it.left)
      ? instanceTruth(tour, tour.file.valueOf(it.right))
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
  const typeTest = typeTestTruth(tour, state, it);
  if (typeTest) return typeTest;
  if (!/^[!=]==?$/.test(it.operator)) return undefined;
  const left = truthOf(tour, state, it.left);
  const right = truthOf(tour, state, it.right);
  const same = left && right ? areEqual(left, right) : undefined;
  if (same === undefined) return undefined;
  return same === it.operator.startsWith('=') ? 'true' : 'false';
}

function areEqual(left: Truth, right: Truth): boolean | undefined {
  if (isTrue(left) !== isTrue(right)) return false;
  if (left === right && left !== 'truthy' && left !== 'falsy') return true;
  const [a, b] = [left, right].sort();
  return a === 'false' && b === 'nullish' ? false : undefined;
}

/** `typeof client.release === 'function'`, `typeof client !== 'undefined'`. */
function typeTestTruth(tour: Tour, state: State, it: TSESTree.BinaryExpression): Truth | undefined {
  const [tested, type] = [bare(it.left), bare(it.right)];
  if (tested.type !== 'UnaryExpression' || tested.operator !== 'typeof') return undefined;
  if (type.type !== 'Literal' || !/^[!=]==?$/.test(it.operator)) return undefined;
  const truth = truthOf(tour, state, tested.argument);
  if (!truth) return undefined;
  const isFunction = bare(tested.argument).type === 'MemberExpression';
  const name = isTrue(truth) ? (isFunction ? 'function' : 'object') : 'undefined';
  if (truth === 'true' || truth === 'false' || truth === 'falsy') return undefined;
  return (name === type.value) === it.operator.startsWith('=') ? 'true' : 'false';
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
  if (it.type !== 'BinaryExpression' || !/^[!=]==?$/.test(it.operator)) return state;
  const key = keyOf(tour.file, it.left);
  const against = truthOf(tour, state, it.right);
  const equal = outcome === it.operator.startsWith('=');
  if (!key || !equal || !against || against === 'truthy' || against === 'falsy') {
    // `x !== null` and `x !== undefined` of a name that may be the handle: it is there.
    return key && against === 'nullish' && !equal ? withFact(tour, state, key, 'truthy') : state;
  }
  return withFact(tour, state, key, against);
}
