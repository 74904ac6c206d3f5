import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isNamed, type Node, propertyName, targetsIn } from '../syntax/ast.ts';
import { variableKey } from '../syntax/bindings.ts';
import type { Edge, Step } from '../flow/graph.ts';
import { afterCall, afterCreation, afterMention, invoked } from './calls.ts';
import { isNameOfRelease, isRelease } from './methods.ts';
import {
  aliasOf,
  carries,
  isFieldOfKeeper,
  isHandle,
  isLocal,
  isResponse,
  memberOnHandle,
  releases,
  useOf,
} from './handle.ts';
import { handedOut, isOnConnection, isPart } from './parts.ts';
import {
  type Alias,
  type Effect,
  forgotten,
  given,
  isTaken,
  type State,
  type Tour,
  withAlias,
  withFact,
} from './state.ts';
import { keyOf, tested, truthOf } from './tests.ts';
import { failureOf, returnedRejection } from './rejections.ts';
import type { Value } from '../file/value.ts';

/** The target of a step, and the state there. */
export interface Successor {
  readonly edge: Edge;
  readonly state: State;
}

export function successorsOf(tour: Tour, step: Step, state: State): Successor[] {
  const effect = effectOf(tour, step, state);
  const found: Successor[] = [];
  for (const edge of step.edges) {
    const states = edge.kind === 'throw' ? effect.thrown : effect.next;
    for (const it of states) {
      if (edge.kind === 'abandon' && !tour.isAbandoned) continue;
      const after =
        edge.kind === 'true' || edge.kind === 'false' ? branch(tour, step, it, edge.kind) : it;
      if (after) found.push({ edge, state: after });
    }
  }
  return found;
}

function branch(tour: Tour, step: Step, state: State, kind: 'true' | 'false'): State | undefined {
  const { node, nullish = false } = step;
  // Heads of loops and cases of a switch decide by what no path knows.
  if (!node || /^(?:For|SwitchCase|.*Function)/.test(node.type)) return state;
  const after = tested(tour, state, { node, nullish }, kind === 'true');
  return after && kind === 'true' && isErrorName(tour, node) ? { ...after, sawError: true } : after;
}

function isErrorName(tour: Tour, node: Node): boolean {
  if (node.type !== 'Identifier') return false;
  const variable = tour.file.variableOf(node);
  return variable !== undefined && tour.errors.has(variable);
}

function effectOf(tour: Tour, step: Step, state: State): Effect {
  const { node } = step;
  if (!node) return same(state);
  if (isBeginning(tour, step)) return begun(tour, step, node, state);
  if (step.kind === 'settle' && step.value) return invoked(tour, step.value, state);
  const failed = afterFailure(tour, step, state);
  switch (step.kind) {
    case 'bind':
      return { next: [bound(tour, step, node, state)], thrown: failed };
    case 'return':
      noteRejection(tour, step, state);
      return { next: [returned(tour, step.value, state)], thrown: failed };
    case 'expression':
      return evaluated(tour, node, state, failed);
    default:
      return { next: [state], thrown: failed };
  }
}

function same(state: State): Effect {
  return { next: [state], thrown: [] };
}

/** While something is held only exceptions count that a path can be built on; before, every one may lead to it. */
function afterFailure(tour: Tour, step: Step, state: State): readonly State[] {
  if (state.phase === 'none' || state.phase === 'failed' || state.phase === 'lazy') return [state];
  const failure = failureOf(tour, state, step);
  if (failure === 'none') return [];
  const isFirst = tour.depth === 0 && state.failure === 'none';
  const isThrown = isFirst ? step.node?.type === 'ThrowStatement' : state.isThrown;
  return [{ ...state, failure: state.failure === 'control' ? 'control' : failure, isThrown }];
}

/** `return client.query(…)` in a callee: what it rejects with, whoever waits for the callee gets. */
function noteRejection(tour: Tour, step: Step, state: State): void {
  // no veto: nobody asks, or nothing is held that it could lose
  if (tour.depth === 0 || state.phase !== 'held') return;
  // What runs in between may give it back.
  if (!step.edges.some(({ to }) => to.kind === 'exit')) return;
  const failure = returnedRejection(tour, state, step);
  if (failure === 'none') return;
  tour.notes.rejected.push({
    ...state,
    failure: state.failure === 'control' ? 'control' : failure,
  });
}

export function isBeginning({ subject }: Tour, step: Step): boolean {
  return step.node !== undefined && step.node === subject.begins && step.kind === subject.beginsAt;
}

function begun(tour: Tour, step: Step, node: Node, state: State): Effect {
  const thrown = step.edges.some((it) => it.kind === 'throw')
    ? [{ ...state, phase: 'failed' } as State]
    : [];
  const phase = tour.subject.isLazy ? 'lazy' : 'held';
  const taken: State = { ...state, phase, failure: 'none', isThrown: false, sawError: false };
  return { next: [useOf(node) === 'escape' ? given(tour, taken, 'stored') : taken], thrown };
}

function evaluated(tour: Tour, node: Node, state: State, thrown: readonly State[]): Effect {
  const one = (after: State): Effect => ({ next: [after], thrown });
  switch (node.type) {
    case 'Identifier':
      return one(mentioned(tour, node, state));
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'ClassExpression':
    case 'ClassDeclaration':
      return one(afterCreation(tour, node, state));
    case 'VariableDeclarator':
      return { next: declared(tour, node, state), thrown };
    case 'AssignmentExpression':
      return one(assigned(tour, node, state));
    case 'CallExpression':
    case 'NewExpression':
    case 'TaggedTemplateExpression':
      return afterCall(tour, node, state, thrown);
    case 'UpdateExpression':
      return one(unbound(tour, node.argument, state));
    case 'YieldExpression':
      return one(
        node.argument && isTaken(state) && carries(tour, state, node.argument)
          ? given(tour, state, 'returned')
          : state,
      );
    default:
      return one(state);
  }
}

function mentioned(tour: Tour, node: TSESTree.Identifier, state: State): State {
  if (!isTaken(state)) return state;
  const variable = tour.file.variableOf(node);
  const alias = variable && state.aliases.get(variable);
  if (!alias) return afterMention(tour, node, state);
  const isRead = isResponse(tour) && isGoneThrough(node);
  return isRead || useOf(node) === 'escape' ? given(tour, state, 'stored') : state;
}

/** `for await (const chunk of response.body)`. */
function isGoneThrough(name: Node): boolean {
  let it = name;
  while (it.parent?.type === 'MemberExpression' || (it.parent && bare(it.parent) !== it.parent)) {
    it = it.parent;
  }
  return it.parent?.type === 'ForOfStatement' && it.parent.right === it;
}

function declared(tour: Tour, node: TSESTree.VariableDeclarator, state: State): State[] {
  if (!node.init) {
    return node.id.type === 'Identifier' && node.parent.parent.type !== 'ForOfStatement'
      ? [withFact(tour, named(tour, node.id, state), keyOf(tour.file, node.id), 'nullish')]
      : [state];
  }
  const isManaged = node.parent.kind === 'using' || node.parent.kind === 'await using';
  if (isManaged && aliasOf(tour, state, node.init) === 'handle') {
    tour.notes.discharged = true;
    return [{ ...state, phase: 'gone' }];
  }
  if (node.id.type !== 'Identifier') return [destructured(tour, node.id, node.init, state)];
  return forked(tour, node.id, node.init, state);
}

/** `const owns = !connection` before anybody has asked about `connection`: two paths from here. */
function forked(tour: Tour, target: TSESTree.Identifier, value: Node, state: State): State[] {
  const plain = written(tour, target, value, state);
  const { node, isNegated } = questionIn(value);
  const key = keyOf(tour.file, target);
  const isDecided = truthOf(tour, state, value) !== undefined;
  if (isDecided || !node || !key || !tour.keys.has(key)) return [plain];
  return [true, false].flatMap((outcome) => {
    const after = tested(tour, plain, { node, nullish: false }, outcome);
    return after ? [withFact(tour, after, key, outcome === isNegated ? 'false' : 'true')] : [];
  });
}

/** What is asked where the answer is `true` or `false`: `given` in `!given`, `!!given` and `Boolean(given)`. */
function questionIn(value: Node): { readonly node: Node | undefined; readonly isNegated: boolean } {
  const it = bare(value);
  if (it.type === 'BinaryExpression') return { node: it, isNegated: false };
  const isNegation = it.type === 'UnaryExpression' && it.operator === '!';
  const asked = isNegation
    ? it.argument
    : it.type === 'CallExpression' && isNamed(it.callee, 'Boolean')
      ? it.arguments[0]
      : undefined;
  if (!asked) return { node: undefined, isNegated: false };
  const inner = questionIn(asked);
  return { node: inner.node ?? asked, isNegated: inner.isNegated !== isNegation };
}

function assigned(tour: Tour, node: TSESTree.AssignmentExpression, state: State): State {
  const { left, right } = node;
  if (left.type === 'Identifier') return written(tour, left, right, state);
  if (left.type === 'MemberExpression') {
    const name = propertyName(left);
    if (isHandle(tour, state, left.object)) {
      // Somebody else's idea of a release: `client.release = …`.
      if (releases(tour, name)) {
        const isOne = isNameOfRelease(tour, name) && isRelease(tour, right, state);
        return !isTaken(state) || isOne ? state : given(tour, state, 'stored');
      }
      return name === undefined
        ? state
        : withFact(tour, state, `.${name}`, truthOf(tour, state, right));
    }
    const key = keyOf(tour.file, left);
    if (!carries(tour, state, right)) {
      const out = handedOut(tour, state, right);
      if (out) return out;
      return withFact(tour, state, key, truthOf(tour, state, right));
    }
    if (!isTaken(state)) return state;
    const isField = left.object.type === 'ThisExpression' && isHandle(tour, state, right);
    if (isField) tour.notes.fields.add(left);
    return given(tour, state, isField ? 'field' : 'stored');
  }
  return destructured(tour, left, right, state);
}

/** A name gets a value: it stops to mean what it meant, and may mean the handle from now on. */
function written(tour: Tour, target: TSESTree.Identifier, value: Node, state: State): State {
  const variable = tour.file.variableOf(target);
  if (!variable) {
    return isTaken(state) && carries(tour, state, value) ? given(tour, state, 'stored') : state;
  }
  if (isPart(tour, state, value)) tour.notes.parts.add(variable);
  const out = isLocal(tour.root, variable) ? undefined : handedOut(tour, state, value);
  if (out) return out;
  const alias = aliasOf(tour, state, value);
  const truth = alias ? undefined : truthOf(tour, state, value);
  if (alias && isTaken(state) && !isLocal(tour.root, variable)) {
    return given(tour, state, 'stored');
  }
  if (!alias && isTaken(state) && carries(tour, state, value)) return given(tour, state, 'stored');
  if (alias === 'handle') tour.notes.names.add(variable);
  const after = forgotten(withAlias(state, variable, alias), `v${variableKey(variable)}`);
  return withFact(tour, after, keyOf(tour.file, target), truth);
}

function named(tour: Tour, target: TSESTree.Identifier, state: State, alias?: Alias): State {
  const variable = tour.file.variableOf(target);
  return variable ? withAlias(state, variable, alias) : state;
}

/** `const { release } = client`; anything else taken out of the handle does not hold it. */
function destructured(tour: Tour, target: Node, value: Node, state: State): State {
  const alias = aliasOf(tour, state, value);
  if (alias !== 'handle') {
    return isTaken(state) && carries(tour, state, value)
      ? given(tour, state, 'stored')
      : unbound(tour, target, state);
  }
  if (target.type !== 'ObjectPattern') return given(tour, state, 'stored');
  let after = state;
  for (const property of target.properties) {
    if (property.type !== 'Property' || property.value.type !== 'Identifier') {
      return given(tour, state, 'stored');
    }
    const variable = tour.file.variableOf(property.value);
    const name = propertyName(property);
    // veto: a variable copies the field that states whether the object has a connection
    if (name !== undefined && tour.subject.keeper?.data.get(name))
      return given(tour, state, 'stored');
    if (variable && memberOnHandle(tour, name)?.body === 'part') {
      after = withAlias(after, variable, 'handle');
    } else if (variable && isFieldOfKeeper(tour, name)) {
      tour.notes.names.add(variable);
      after = withAlias(after, variable, 'handle');
    } else if (variable && releases(tour, name)) after = withAlias(after, variable, 'releaser');
    else if (variable && isOnConnection(tour, name)) tour.notes.parts.add(variable);
  }
  return after;
}

/** What a pattern gives values to gets some of which no more is known than their defaults: `{ reader = client } = options`. */
function unbound(tour: Tour, pattern: Node, state: State): State {
  let after = state;
  for (const target of targetsIn(pattern)) {
    const { parent } = target;
    const fallback = parent?.type === 'AssignmentPattern' ? parent.right : undefined;
    const alias = fallback && aliasOf(tour, state, fallback);
    if (target.type === 'Identifier') after = named(tour, target, after, alias);
    const key = keyOf(tour.file, target);
    if (key !== undefined) after = forgotten(after, key);
  }
  return after;
}

function bound(tour: Tour, step: Step, pattern: Node, state: State): State {
  // Parameters of the root have been bound by whoever entered it.
  if (pattern.parent === tour.root) return state;
  if (pattern.type !== 'Identifier') return unbound(tour, pattern, state);
  const variable = tour.file.variableOf(pattern);
  if (!variable) return state;
  const alias = step.value && aliasOf(tour, state, step.value);
  if (alias === 'handle') tour.notes.names.add(variable);
  return forgotten(withAlias(state, variable, alias), `v${variableKey(variable)}`);
}

function returned(tour: Tour, value: Node | undefined, state: State): State {
  const out = value && handedOut(tour, state, value);
  if (out) return out;
  if (!value || !isTaken(state) || !carries(tour, state, value)) return state;
  const it = bare(value);
  // `return client.query(…)` and `return save(client)` were dealt with when they were called.
  if (it.type === 'CallExpression' && aliasOf(tour, state, it) !== 'handle') {
    const isUse = aliasOf(tour, state, it) === 'wrapper' && !isMadeAround(valueOf(tour.file, it));
    return isUse ? state : given(tour, state, 'returned');
  }
  return given(tour, state, 'returned');
}

/** `drizzle(client)`: a library's object that goes on to work with what it was given; a query is run and over. */
function isMadeAround(value: Value): boolean {
  return value.kind === 'library' && value.type.role !== 'builder' && !value.type.awaited;
}
