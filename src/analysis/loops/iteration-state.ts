import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  calledName,
  contains,
  functionAround,
  getterOf,
  isFunction,
  type Node,
  propertyName,
  rootOf,
  walk,
  walkOwn,
} from '../syntax/ast.ts';
import {
  type Behaviour,
  knownBehaviourOf,
  knownBehaviourOfFunction,
} from '../behaviour/behaviour.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { isComputation } from '../syntax/computations.ts';
import { conditionsOn } from '../syntax/conditions.ts';
import { conditionsIn } from '../flow/loops.ts';
import type { FileFacts } from '../file/file.ts';
import {
  fieldIn,
  fieldsIn,
  type Iteration,
  rootsOf,
  type Shared,
  sharedAt,
} from './iteration-variables.ts';
import { holdsAwait } from '../flow/awaited.ts';
import { awaitedBy, type Wait } from '../flow/given-waits.ts';
import { isWithin, locationOf, variableLocation, writtenTarget } from '../effects/memory.ts';
import { mentions } from '../syntax/mentions.ts';
import { startsAt } from '../syntax/places.ts';
import { asksWithNeighbours } from './neighbours.ts';
import { asksWithSharedParts } from './shared-parts.ts';

/** One iteration passes a value on to the next. */
export function carriesOver(
  file: FileFacts,
  iteration: Iteration,
  awaits: readonly Node[],
): boolean {
  const { loop, assigned, grown } = iteration;
  const fields = iteration.fieldsKept.flatMap((it) => changedBy(file, it));
  const changed = new Set<Shared>([...grown, ...fields]);
  const shared = new Set<Shared>([...assigned, ...changed]);
  const seen = withLookedUp(file, iteration, shared, () => false);
  const left = withLookedUp(file, iteration, shared, (name) => isOwnPlace(file, iteration, name));
  return (
    keepsTheLast(file, iteration, shared) ||
    // What an earlier iteration left is part of the question: a cursor, the parent's new id.
    awaits.some((it) => namesShared(file, it, left)) ||
    asksWithSharedParts(file, iteration, awaits) ||
    asksWithNeighbours(file, loop, awaits) ||
    // The loop goes over what it finds: a frontier.
    (loop.over !== undefined && namesShared(file, loop.over, changed)) ||
    // A quota, a budget, a `seen` set decides what is asked for at all.
    awaits.some((it) => isDecidedBy(file, it, loop.body, seen)) ||
    awaits.some((it) => isSkippedBy(file, it, iteration))
  );
}

/** Whether code in `node` names what iterations share, places that are left out aside. */
function namesShared(
  file: FileFacts,
  node: Node,
  shared: ReadonlySet<Shared>,
  isLeftOut: (name: Node) => boolean = () => false,
): boolean {
  let found = false;
  walk(node, (it) => {
    const one = sharedAt(file, it);
    found ||= one !== undefined && shared.has(one) && !isLeftOut(it);
    const getter = found ? undefined : getterOf(it);
    found ||= getter !== undefined && namesAny(file, getter, shared);
    return !found;
  });
  return found;
}

/** Not through other getters, which may name each other. */
function namesAny(file: FileFacts, node: Node, shared: ReadonlySet<Shared>): boolean {
  let found = false;
  walk(node, (it) => {
    const one = sharedAt(file, it);
    found ||= one !== undefined && shared.has(one);
    return !found;
  });
  return found;
}

/** `const known = found.find(…)` is what earlier iterations have left, under another name. */
function withLookedUp(
  file: FileFacts,
  { loop }: Iteration,
  shared: ReadonlySet<Shared>,
  isLeftOut: (name: Node) => boolean,
): ReadonlySet<Shared> {
  const seen = new Set(shared);
  walkOwn(loop.body, (it) => {
    if (it.type !== 'VariableDeclarator' || !it.init) return;
    if (!namesShared(file, it.init, seen, isLeftOut)) return;
    walk(it.id, (name) => {
      const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
      if (variable) seen.add(variable);
    });
  });
  return seen;
}

/** `known.get(id)` of a map that an iteration only changes at `id`, its element: what it left itself, if anything. */
function isOwnPlace(file: FileFacts, iteration: Iteration, name: Node): boolean {
  const { loop, kept, fieldsKept } = iteration;
  const map = sharedAt(file, name);
  const key = keyBehind(name);
  const element = key?.type === 'Identifier' ? file.variableOf(key) : undefined;
  if (!map || !element || !loop.variables.has(element)) return false;
  // `const key = id % 3` of the body may be the same for several.
  if (element.defs.some((it) => contains(loop.body, it.node))) return false;
  const changes = [...kept, ...fieldsKept].filter((it) => changedBy(file, it).includes(map));
  return (
    changes.length > 0 &&
    changes.every((it) => {
      const target = writtenTarget(it)!;
      const at = keyBehind(fieldIn(target) ?? rootOf(target));
      return at?.type === 'Identifier' && file.variableOf(at) === element;
    })
  );
}

/** Of `known.get(id)` and `known[id]`, behind `known`: `id`. */
function keyBehind({ parent }: Node): Node | undefined {
  if (parent?.type !== 'MemberExpression') return undefined;
  if (parent.computed) return parent.property;
  const call = parent.parent;
  return call.type === 'CallExpression' && call.callee === parent ? call.arguments[0] : undefined;
}

/** `last = await f(item)`: the last one wins. `sum += …`, `count++` and `byId[item.id] = …` come out the same in any order. */
function keepsTheLast(
  file: FileFacts,
  { loop, own, results }: Iteration,
  shared: ReadonlySet<Shared>,
): boolean {
  let keeps = false;
  walkOwn(loop.body, (it) => {
    if (it.type !== 'AssignmentExpression' || /^[+|&]=$/.test(it.operator)) return;
    const target = bare(it.left);
    if (!namesShared(file, target, shared)) return;
    if (target.type === 'MemberExpression' && isKeyedBy(file, target, own)) return;
    keeps ||= holdsAwait(it.right) || mentions(file, it.right, results);
  });
  return keeps;
}

/** `prices[currency]`, `totals.byUser[user.id].sum`: each element has its place. */
function isKeyedBy(
  file: FileFacts,
  target: TSESTree.MemberExpression,
  own: Iteration['own'],
): boolean {
  for (let it: Node = target; it.type === 'MemberExpression'; it = bare(it.object)) {
    if (it.computed && mentions(file, it.property, own)) return true;
  }
  return false;
}

function isDecidedBy(
  file: FileFacts,
  node: Node,
  body: Node,
  shared: ReadonlySet<Shared>,
): boolean {
  return conditionsOn(node, body).some(
    // What leaves before the wait may have noted the element by then.
    ({ kind, test }) => kind !== 'exit' && test && namesShared(file, test, shared),
  );
}

/** `if (known.has(key)) continue;` before a wait, and `known.add(key)` after it: beside each other none of them would be known. */
function isSkippedBy(file: FileFacts, node: Node, iteration: Iteration): boolean {
  const { loop, kept, fieldsKept } = iteration;
  const guards = conditionsIn(loop, node).filter((it) => it.leaves.includes('continue'));
  const later = new Set(
    [...kept, ...fieldsKept]
      .filter((it) => startsAt(it) > startsAt(node))
      .flatMap((it) => changedBy(file, it)),
  );
  return guards.some(({ test }) => test && namesShared(file, test, later));
}

/** What a statement or call changes that iterations share. */
function changedBy(file: FileFacts, change: Node): readonly Shared[] {
  const target = writtenTarget(change);
  // no veto: only what changes something is asked about.
  if (!target) return [];
  const fields = fieldsIn(target).flatMap((it) => sharedAt(file, it) ?? []);
  return [...fields, ...rootsOf(file, target)];
}

/** State that iterations share, the sinks excepted, and objects whose order others see: docs/internals/rules.md, "Conditions of an independent loop". */
export function sharesState(
  file: FileFacts,
  iteration: Iteration,
  awaits: readonly Wait[],
  behaviours: readonly Behaviour[],
): boolean {
  const { own, grown, fieldsKept, loop } = iteration;
  const ownLocations = [...own].map((it) => variableLocation(file, it));
  const grownLocations = [
    ...[...grown].map((it) => variableLocation(file, it)),
    ...fieldsKept
      .flatMap((it) => fieldsIn(writtenTarget(it)!))
      .map((it) => locationOf(file, it, loop.body)!),
  ];
  const written = behaviours.flatMap((it) => [...it.memoryWrites]);
  const read = behaviours.flatMap((it) => [...it.memoryReads]);
  return (
    written.some((it) => !ownLocations.some((whole) => isWithin(it, whole))) ||
    read.some((it) => grownLocations.some((whole) => isWithin(it, whole))) ||
    hasOrderedCall(file, iteration, awaits)
  );
}

function hasOrderedCall(file: FileFacts, iteration: Iteration, awaits: readonly Wait[]): boolean {
  let ordered = false;
  walk(iteration.loop.body, (it) => {
    // no veto: a function is judged by its calls.
    if (ordered || isFunction(it)) return false;
    const wait = awaits.find((own) => own === it);
    if (wait) {
      // What else is awaited is judged by its effects.
      ordered = isPublished(file, awaitedBy(wait));
      return false;
    }
    if (it.type === 'CallExpression' && !isQuiet(file, it, iteration)) ordered = true;
    return !ordered;
  });
  return ordered;
}

const LOGGER = /^(?:log|logger)$/i;
/** Names of methods that hand something out, one after the other. */
const HANDS_OUT = /^(?:emit|write|send|publish|next|print|dispatch|enqueue|progress|report)$/i;

/** `await broker.publish(event)`: who listens gets to know of what happened in its order. */
function isPublished(file: FileFacts, awaited: Node): boolean {
  const call = bare(awaited);
  if (call.type !== 'CallExpression') return false;
  if (!/^(?:publish|emit|dispatch|enqueue)(?:[A-Z]|$)/.test(calledName(call.callee) ?? ''))
    return false;
  const effects =
    valueOf(file, call.callee).kind === 'function'
      ? knownBehaviourOf(file, call, functionAround(call) ?? file.ast)?.effects
      : undefined;
  // veto: the iteration publishes a message, and its consumers may depend on the order
  return (
    !effects?.length ||
    effects.some(({ env, op }) => /^(?:queue|redis)$/.test(env) && op === 'write')
  );
}

/** A call beside the awaits that leaves no trace whose order matters. */
function isQuiet(file: FileFacts, call: TSESTree.CallExpression, iteration: Iteration): boolean {
  const { results } = iteration;
  const callee = bare(call.callee);
  const takesResult = call.arguments.some((it) => mentions(file, it, results) || holdsAwait(it));
  if (callee.type === 'MemberExpression') {
    const name = propertyName(callee) ?? '';
    const receiver = receiverName(callee.object);
    if (LOGGER.test(receiver)) return true;
    // A printed list is read in its order.
    if (receiver === 'console') return !takesResult || /^(?:error|warn|debug|trace)$/.test(name);
    const { kind } = valueOf(file, callee.object);
    if (kind !== 'library' && kind !== 'instance') {
      if (isComputation(name) || /^(?:add|set|get|delete)$/.test(name)) return true;
    }
  }
  const value = valueOf(file, callee);
  // `Object.assign(merged, …)`: where two iterations set the same property, the later one wins.
  if (value.kind === 'global') {
    if (value.name === 'Object.assign') return isElement(file, call.arguments[0], iteration);
    return !value.name.startsWith('process.stdout');
  }
  if (value.kind === 'callable') {
    if (takesResult && isGathered(file, call, iteration)) return false;
    return libraryCallOf(file, call)?.signature.effect === undefined;
  }
  if (value.kind === 'function') {
    // What its arguments wait for is judged for itself.
    const behaviour = call.arguments.some(holdsAwait)
      ? knownBehaviourOfFunction(value)
      : knownBehaviourOf(file, call, functionAround(call) ?? file.ast);
    return behaviour?.effects.length === 0 && behaviour.memoryWrites.size === 0;
  }
  // An unknown function that is not given any result computes from what was there before the loop.
  return !takesResult && !HANDS_OUT.test(calledName(callee) ?? '');
}

/** Nobody else puts something there; what it looks up may be another's as well. */
function isElement(file: FileFacts, object: Node | undefined, { loop, own }: Iteration): boolean {
  const variable = object?.type === 'Identifier' ? file.variableOf(object) : undefined;
  if (!variable || !own.has(variable)) return false;
  return !variable.defs.some((it) => contains(loop.body, it.name));
}

/** `hash.update(text)`, of a hash that all iterations share: what gives itself back has kept what it was given, in turn. */
function isGathered(file: FileFacts, call: Node, { own }: Iteration): boolean {
  let it = bare(call);
  while (it.type === 'CallExpression' && it.callee.type === 'MemberExpression') {
    if (libraryCallOf(file, it)?.signature.returns !== 'this') break;
    it = bare(it.callee.object);
  }
  return it.type !== 'CallExpression' && !mentions(file, it, own);
}

function receiverName(object: Node): string {
  const it = bare(object);
  if (it.type === 'MemberExpression') return propertyName(it) ?? '';
  return it.type === 'Identifier' ? it.name : '';
}
