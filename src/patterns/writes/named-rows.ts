import { valueOf } from '../../analysis/provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  calledName,
  contains,
  type FunctionNode,
  isFunction,
  type Node,
  propertyName,
  chainStart,
} from '../../analysis/syntax/ast.ts';
import { calleeOf, isCall, isSpreadUpTo, passedBy } from '../../analysis/syntax/calls.ts';
import { type Step, wayTo } from '../../analysis/loops/effect-places.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import { builderNamed } from '../../analysis/effects/held-builders.ts';
import { conditionOf, equalitiesOf } from '../../analysis/effects/row-conditions.ts';
import { chainOf } from '../../analysis/syntax/call-chains.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { givenFor, parameterNamed } from '../../analysis/provenance/given-parts.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import type { Place } from '../../analysis/file/place.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { mentionsSome } from '../../analysis/syntax/mentions.ts';
import { alternativesOf } from '../../analysis/file/value.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';

/** The element decides which row is written, as far as a condition is spelled out: at the loop, or where its functions end. */
export function namesRow(file: FileFacts, loop: Loop, effect: Effect, place: Node): boolean {
  if (effect.verb) return effect.keyed;
  const where = conditionOf(effect);
  const run = runOf(file, loop, place);
  return !where || (mayVary(run, effect, where) && !isOnlyCompared(run, effect, where));
}

/** Whether the element is looked up by a key, which one query can take a list of. */
export function isLookedUp(file: FileFacts, loop: Loop, effect: Effect, place: Node): boolean {
  const where = conditionOf(effect);
  return effect.keyed && !(where && isOnlyCompared(runOf(file, loop, place), effect, where));
}

/** Whether each element asks for rows by a key of its own, which one query can take a list of, and nothing on the way is unresolved. */
export function asksByKey(run: Run, effect: Effect): boolean {
  const equalities = equalitiesOf(effect);
  // A statement is keyed by its text, and a method by its name.
  if (equalities === undefined) return effect.keyed && isOwn(run, effect, effect.at.node);
  return equalities.some((it) =>
    it.type === 'ObjectExpression'
      ? it.properties.some((own) => own.type === 'Property' && isOwn(run, effect, own.value))
      : isOwn(run, effect, it),
  );
}

/** Whether each element asks a database or a table of its own. */
export function asksElsewhere(run: Run, effect: Effect): boolean {
  const chain = chainOf(effect.at.node);
  const first = chain.at(-1);
  const isTable = first?.callee.type === 'Identifier' ? first.arguments.slice(0, 1) : [];
  const start = chainStart(chain[0] ?? effect.at.node);
  // A statement under construction differs by what it was told to ask for.
  const asked = builderNamed(effect.at.file, start) ? isTable : [start, ...isTable];
  return asked.some((it) => varies(run, effect, it, { isUnresolved: false }));
}

/** Whether it is a value that elements of their own have. */
function isOwn(run: Run, effect: Effect, value: Node): boolean {
  return !isComparison(value) && varies(run, effect, value, { isUnresolved: false });
}

/** What each element resembles, or is less than, is no key of its own, and other elements' rows may be among them. */
function isOnlyCompared(run: Run, effect: Effect, where: Node): boolean {
  if (where.type !== 'ObjectExpression') return false;
  const varying = where.properties.filter(
    (it) => it.type !== 'Property' || mayVary(run, effect, it.value),
  );
  return (
    varying.length > 0 && varying.every((it) => it.type === 'Property' && isComparison(it.value))
  );
}

/** `{ [Op.like]: pattern }`, `{ startsWith: prefix }`, `ILike(pattern)` */
function isComparison(node: Node): boolean {
  if (node.type === 'CallExpression') return COMPARISON.test(calledName(node.callee) ?? '');
  return (
    node.type === 'ObjectExpression' &&
    node.properties.some((it) => it.type === 'Property' && COMPARISON.test(nameOf(it)))
  );
}

const COMPARISON =
  /^\$?(?:\w*like|(?:not)?between|contains|(?:starts|ends)with|[gl]te?|(?:more|less)than\w*|search|not|ne|\w*regex\w*)$/i;

function nameOf({ key, computed }: TSESTree.Property): string {
  if (computed) return key.type === 'MemberExpression' ? (propertyName(key) ?? '') : '';
  return key.type === 'Identifier' ? key.name : '';
}

/** The code that runs for one element, and what differs between elements in it. */
export interface Run {
  /** A function, or the expression that a loop awaits. */
  readonly start: Place;
  readonly variants: ReadonlySet<Variable>;
}

export function runOf(file: FileFacts, loop: Loop, place: Node): Run {
  return { start: { file, node: place }, variants: variantsOf(file, loop) };
}

/** Whether a part of the arguments of the effect differs between elements, as far as it is resolved. */
export function mayVary(run: Run, effect: Effect, part: Node): boolean {
  return varies(run, effect, part, { isUnresolved: true });
}

function varies(
  { start, variants }: Run,
  effect: Effect,
  part: Node,
  { isUnresolved }: { readonly isUnresolved: boolean },
): boolean {
  const steps = wayTo(start, effect);
  return variesIn({ variants, steps, isUnresolved, looked: new Set() }, part, steps.length - 1);
}

interface Way {
  readonly variants: ReadonlySet<Variable>;
  readonly steps: readonly Step[];
  /** The answer for what is not resolved. */
  readonly isUnresolved: boolean;
  /** Each part of each name is looked at once in each function: the first to vary ends the search. */
  readonly looked: Set<string>;
}

/** Whether the expression in the function of this step is another one for another element, or may be. */
function variesIn(way: Way, node: Node, at: number): boolean {
  const step = way.steps[at];
  if (!step) return way.isUnresolved;
  const fn = at === 0 ? undefined : step.root.parent;
  return mentionsSome(step.file, node, (variable, name) => {
    if (way.variants.has(variable)) return true;
    const [definition] = variable.defs;
    // no veto: what the loop does not change, and what all calls share.
    if (!fn || !isFunction(fn) || !definition || !contains(fn, definition.name)) return false;
    const { parent } = name;
    const isAsked = parent.type === 'MemberExpression' && parent.object === name;
    const member = isAsked ? propertyName(parent) : undefined;
    const part = [at, step.file.idOf(definition.name), member].join();
    // no veto: it was looked at before.
    if (way.looked.has(part)) return false;
    way.looked.add(part);
    if (definition.type === 'Parameter') return isGivenAnother(way, fn, { name, member }, at);
    const init = definition.type === 'Variable' ? definition.node.init : undefined;
    return init ? variesIn(way, init, at) : way.isUnresolved;
  });
}

function isGivenAnother(
  way: Way,
  fn: FunctionNode,
  asked: { readonly name: TSESTree.Identifier; readonly member: string | undefined },
  at: number,
): boolean {
  const { file, node: call } = way.steps[at - 1]!;
  const part = parameterNamed(way.steps[at]!.file, asked.name, fn);
  // no veto: several functions may have other parameters.
  if (!part || !isCall(call) || alternativesOf(valueOf(file, calleeOf(call))).length > 1)
    return way.isUnresolved;
  const given = passedBy(call, fn);
  // no veto: what follows a spread may stand for any parameter.
  if (isSpreadUpTo(given, part.index)) return way.isUnresolved;
  const member = part.member ?? asked.member;
  const value = givenFor(given, { ...part, member }) ?? given[part.index];
  return value !== undefined && variesIn(way, value, at - 1);
}
