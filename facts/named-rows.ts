// vetoes of no-autocommit-in-loop, no-independent-await-in-loop
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, contains, type FunctionNode, isFunction, type Node, propertyName } from './ast.ts';
import { isCall, isSpreadUpTo, passedBy } from './calls.ts';
import { type Step, wayTo } from './effect-places.ts';
import type { Effect } from './effects.ts';
import type { FileFacts } from './file.ts';
import { givenFor, parameterNamed } from './given-parts.ts';
import type { Loop } from './loops.ts';
import { mentionsSome } from './mentions.ts';
import { chainOf } from './row-writes.ts';
import { variantsOf } from './variants.ts';

/** The element decides which row is written, as far as a condition is spelled out: at the loop, or where its functions end. */
export function namesRow(file: FileFacts, loop: Loop, effect: Effect, place: Node): boolean {
  if (effect.verb) return effect.keyed;
  const where = conditionOf(effect);
  return !where || mayVary({ file, loop, place }, effect, where);
}

/** Whether a part of what leads to the effect is another one for another element, as far as anybody knows. */
export function mayVary(
  { file, loop, place }: { file: FileFacts; loop: Loop; place: Node },
  effect: Effect,
  part: Node,
): boolean {
  const steps = wayTo({ file, node: place }, effect);
  return variesIn({ file, loop, steps }, part, steps.length - 1);
}

function conditionOf({ library, at: { node } }: Effect): Node | undefined {
  return whereOf(node) ?? (/^mongo(?:db|ose)$/.test(library) ? filterOf(node) : undefined);
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
  const call = chainOf(node).find(
    ({ callee, arguments: given }) =>
      callee.type === 'MemberExpression' &&
      /^(?:(?:update|replace)One|updateMany|find(?:OneAnd|ByIdAnd)(?:Update|Replace))$/.test(
        propertyName(callee) ?? '',
      ) &&
      given.length > 1,
  );
  return call?.arguments[0];
}

interface Way {
  readonly file: FileFacts;
  readonly loop: Loop;
  readonly steps: readonly Step[];
}

/** Names that are made of others, of others… */
const FARTHEST = 8;

/** Whether the expression in the function of this step is another one for another element, or may be. */
function variesIn(way: Way, node: Node, at: number, depth = 0): boolean {
  const step = way.steps[at];
  // no veto: it bounds the time.
  if (!step || depth > FARTHEST) return true;
  const variants = variantsOf(way.file, way.loop);
  const fn = at === 0 ? undefined : step.root.parent;
  return mentionsSome(step.file, node, (variable, name) => {
    if (variants.has(variable)) return true;
    const [definition] = variable.defs;
    // no veto: what the loop does not change, and what all calls share.
    if (!fn || !isFunction(fn) || !definition || !contains(fn, definition.name)) return false;
    if (definition.type === 'Parameter') return isGivenAnother(way, fn, name, at, depth);
    const init = definition.type === 'Variable' ? definition.node.init : undefined;
    return !init || variesIn(way, init, at, depth + 1);
  });
}

function isGivenAnother(
  way: Way,
  fn: FunctionNode,
  name: TSESTree.Identifier,
  at: number,
  depth: number,
): boolean {
  const call = way.steps[at - 1]!.node;
  const part = parameterNamed(way.steps[at]!.file, name, fn);
  const given = isCall(call) ? passedBy(call) : [];
  // no veto: what follows a spread may stand for any parameter.
  if (!part || isSpreadUpTo(given, part.index)) return true;
  const { parent } = name;
  const isAsked = parent.type === 'MemberExpression' && parent.object === name;
  const member = part.member ?? (isAsked ? propertyName(parent) : undefined);
  const value = givenFor(given, { ...part, member }) ?? given[part.index];
  return value !== undefined && variesIn(way, value, at - 1, depth + 1);
}
