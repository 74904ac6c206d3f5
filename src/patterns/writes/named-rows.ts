import { valueOf } from '../../analysis/provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  calledName,
  contains,
  type FunctionNode,
  isFunction,
  type Node,
  propertyName,
} from '../../analysis/syntax/ast.ts';
import { calleeOf, isCall, isSpreadUpTo, passedBy } from '../../analysis/syntax/calls.ts';
import { type Step, wayTo } from '../../analysis/loops/effect-places.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { givenFor, parameterNamed } from '../../analysis/provenance/given-parts.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { mentionsSome } from '../../analysis/syntax/mentions.ts';
import { chainOf } from '../../analysis/syntax/call-chains.ts';
import { keepsDocuments } from '../../analysis/model/index.ts';
import { alternativesOf } from '../../analysis/file/value.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';

/** The element decides which row is written, as far as a condition is spelled out: at the loop, or where its functions end. */
export function namesRow(file: FileFacts, loop: Loop, effect: Effect, place: Node): boolean {
  if (effect.verb) return effect.keyed;
  const where = conditionOf(effect);
  const at = { file, loop, place };
  return !where || (mayVary(at, effect, where) && !isOnlyCompared(at, effect, where));
}

/** Whether the element is looked up by a key, which one query can take a list of. */
export function isLookedUp(file: FileFacts, loop: Loop, effect: Effect, place: Node): boolean {
  const where = conditionOf(effect);
  return effect.keyed && !(where && isOnlyCompared({ file, loop, place }, effect, where));
}

/** What each element resembles, or is less than, is no key of its own, and other elements' rows may be among them. */
function isOnlyCompared(at: At, effect: Effect, where: Node): boolean {
  if (where.type !== 'ObjectExpression') return false;
  const varying = where.properties.filter(
    (it) => it.type !== 'Property' || mayVary(at, effect, it.value),
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

interface At {
  readonly file: FileFacts;
  readonly loop: Loop;
  readonly place: Node;
}

/** Whether a part of the arguments of the effect differs between elements, as far as it is resolved. */
export function mayVary({ file, loop, place }: At, effect: Effect, part: Node): boolean {
  const steps = wayTo({ file, node: place }, effect);
  return variesIn({ file, loop, steps, looked: new Set() }, part, steps.length - 1);
}

/** The conditions that a mapper or a builder gets for the rows, where a single condition is written out. */
export function conditionOf({ library, at: { node } }: Effect): Node | undefined {
  if (keepsDocuments(library)) return whereOf(node) ?? filterOf(node);
  return whereOf(node) ?? chainedWhereOf(node);
}

/**
 * `.where({ id })`, `.where('id', id)`, `.where('id = :id', { id })` of a builder, where it is the only one: what it is
 * compared with comes last, or after it: `.where('id = :id').setParameter('id', id)`.
 */
function chainedWhereOf(node: Node): Node | undefined {
  const [where, ...others] = callsIn(node, /where(?!Null|NotNull)/i);
  // no veto: one of several, and nobody knows which
  if (!where || others.length > 0) return undefined;
  const { arguments: given } = where;
  if (given.length > 1 || !given[0] || !hasParameters(given[0])) return given.at(-1);
  const [parameters, ...more] = callsIn(node, /^setParameters?$/);
  return more.length === 0 ? parameters?.arguments.at(-1) : undefined;
}

/** The calls of a chain by the name of their method. */
function callsIn(node: Node, name: RegExp): readonly TSESTree.CallExpression[] {
  return chainOf(node).filter(
    ({ callee }) => callee.type === 'MemberExpression' && name.test(propertyName(callee) ?? ''),
  );
}

/** `'id = :id'` */
function hasParameters(node: Node): boolean {
  const texts =
    node.type === 'TemplateLiteral'
      ? node.quasis.map((it) => it.value.raw)
      : [node.type === 'Literal' ? String(node.value) : ''];
  return texts.some((it) => /(?<!:):\w/.test(it));
}

/** `where` of the options that a mapper's call is given. */
export function whereOf(call: Node): Node | undefined {
  const it = bare(call);
  // no veto: no arguments.
  if (it.type !== 'CallExpression') return undefined;
  for (const argument of it.arguments) {
    if (argument.type !== 'ObjectExpression') continue;
    const where = argument.properties.find(
      (property) => property.type === 'Property' && propertyName(property) === 'where',
    );
    if (where?.type === 'Property') return where.value;
  }
  return undefined;
}

/** `Model.updateOne(filter, change)`, whatever is chained to it. */
function filterOf(node: Node): Node | undefined {
  const call = chainOf(node).find(({ callee, arguments: given }) => {
    const name = callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
    if (name === 'findOne') return given.length > 0;
    return name !== undefined && CHANGES.test(name) && given.length > 1;
  });
  return call?.arguments[0];
}

const CHANGES = /^(?:(?:update|replace)One|updateMany|find(?:OneAnd|ByIdAnd)(?:Update|Replace))$/;

interface Way {
  readonly file: FileFacts;
  readonly loop: Loop;
  readonly steps: readonly Step[];
  /** Each part of each name is looked at once in each function: the first to vary ends the search. */
  readonly looked: Set<string>;
}

/** Whether the expression in the function of this step is another one for another element, or may be. */
function variesIn(way: Way, node: Node, at: number): boolean {
  const step = way.steps[at];
  if (!step) return true;
  const variants = variantsOf(way.file, way.loop);
  const fn = at === 0 ? undefined : step.root.parent;
  return mentionsSome(step.file, node, (variable, name) => {
    if (variants.has(variable)) return true;
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
    return !init || variesIn(way, init, at);
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
    return true;
  const given = passedBy(call, fn);
  // no veto: what follows a spread may stand for any parameter.
  if (isSpreadUpTo(given, part.index)) return true;
  const member = part.member ?? asked.member;
  const value = givenFor(given, { ...part, member }) ?? given[part.index];
  return value !== undefined && variesIn(way, value, at - 1);
}
