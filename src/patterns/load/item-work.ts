import { patternOf } from '../../analysis/words/word-list.ts';
import { limiting } from '../../analysis/words/work.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Place } from '../../analysis/file/place.ts';
import { loopAround } from '../../analysis/flow/loops.ts';
import { wayTo } from '../../analysis/loops/effect-places.ts';
import { derivedIn, variantsOf } from '../../analysis/loops/variants.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import {
  bare,
  calledName,
  contains,
  dottedName,
  functionAround,
  type FunctionNode,
  isFunction,
  isNullish,
  isZero,
  type Node,
  propertyName,
  walk,
} from '../../analysis/syntax/ast.ts';
import { type Call, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import { type Condition, conditionsOn, isChoice } from '../../analysis/syntax/conditions.ts';
import { mentions, variablesIn } from '../../analysis/syntax/mentions.ts';
import { wordsOf } from '../../analysis/syntax/words.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { isForMissingRow } from '../writes/missing-rows.ts';
import type { Run } from '../writes/named-rows.ts';
import type { FanOut } from './fan-outs.ts';

const LIMITING = patternOf(limiting, { flags: '' });

/** Whether a name around or on the way to the work of an element declares a limit of how much runs concurrently. */
export function isLimited(
  file: FileFacts,
  all: Node,
  { at }: Effect,
  limiters: readonly string[],
): boolean {
  const isLimiter = (owner: FileFacts, call: Call) => {
    const name = dottedName(bare(calleeOf(call))) ?? '';
    const isNamed =
      LIMITING.test(wordsOf(name)) || limiters.some((it) => name.split('.').includes(it));
    // What a library does is known.
    return isNamed && !libraryCallOf(owner, call);
  };
  const around = functionAround(at.node);
  return (
    callsIn(all).some((it) => isLimiter(file, it)) ||
    (!!around && callsIn(around).some((it) => isLimiter(at.file, it)))
  );
}

function callsIn(root: Node): readonly Call[] {
  const calls: Call[] = [];
  walk(root, (it) => {
    if (isCall(it)) calls.push(it);
  });
  return calls;
}

/** A condition on the way to an effect, and the function around it. */
export interface PlacedCondition {
  readonly file: FileFacts;
  /** The effect, or the call that leads to it. */
  readonly place: Node;
  readonly condition: Condition;
}

/** The conditions on the way from what is started for an element to the effect. */
export function conditionsOnWay(started: Place, effect: Effect): readonly PlacedCondition[] {
  const way = wayTo(started, effect);
  const { node } = effect.at;
  const around = functionAround(node);
  // What a library or another function calls is seen where it stands.
  const steps = way.length === 0 && around ? [{ ...effect.at, root: around }] : way;
  return steps.flatMap(({ file, node: place, root }) =>
    conditionsOn(place, root).map((condition) => ({ file, place, condition })),
  );
}

/** The code that runs for one element of a fan-out. */
export function runOfElement(file: FileFacts, { started }: FanOut): Run {
  const { node } = started;
  if (isFunction(node)) return runOfFunction(started.file, node, node.params);
  const loop = loopAround(file, node);
  return { start: started, variants: loop ? variantsOf(file, loop) : new Set() };
}

export function runOfFunction(
  file: FileFacts,
  node: FunctionNode,
  parameters: readonly Node[],
): Run {
  const given = new Set(parameters.flatMap((it) => variablesIn(file, it)));
  return { start: { file, node }, variants: derivedIn(file, bodyOf(node)!, given) };
}

/** Whether a condition or a `catch` on the way to the effect selects elements: what does not differ between them holds for all of them, or for none. */
export function isForSomeElements(run: Run, effect: Effect): boolean {
  return conditionsOnWay(run.start, effect).some((it) => selectsElements(run, it));
}

export function selectsElements(run: Run, { file, place, condition }: PlacedCondition): boolean {
  if (condition.kind === 'catch' || condition.kind === 'case') return true;
  if (!isChoice(condition) || isForMissingRow(file, condition)) return false;
  const { test } = condition;
  // no veto: only a `catch` and a case have none.
  if (!test) return true;
  if (isOfKey(file, test, place)) return false;
  const isOwn = file === run.start.file && contains(run.start.node, place);
  // What does not differ between the elements holds for all of them, or for none.
  return !isOwn || mentions(file, test, run.variants);
}

/** `if (!hook.enabled) return`: a part of the element decides, and no answer; it may hold for most. */
export function isOfElement({ file, place, condition }: PlacedCondition): boolean {
  const { test } = condition;
  const fn = functionAround(place);
  // no veto: a failure and a case of a `switch` have no test of their own.
  if (!test || !fn) return false;
  const parameters = new Set(fn.params.flatMap((it) => variablesIn(file, it)));
  let isPlain = true;
  walk(test, (it) => {
    isPlain &&= !isCall(it);
    return isPlain;
  });
  return isPlain && mentions(file, test, parameters);
}

/** `post.authorId && …`, `if (!post.authorId) return null`: whether there is a key to ask for. */
function isOfKey(file: FileFacts, test: Node, place: Node): boolean {
  const it = bare(test);
  switch (it.type) {
    case 'UnaryExpression':
      return it.operator === '!' && isOfKey(file, it.argument, place);
    case 'LogicalExpression':
      return isOfKey(file, it.left, place) && isOfKey(file, it.right, place);
    case 'BinaryExpression':
      return (isNullish(it.right) || isZero(it.right)) && isOfKey(file, it.left, place);
    case 'CallExpression':
      // `isUUID(post.authorId)`: the form of the key.
      return (
        /^is/.test(calledName(it.callee) ?? '') &&
        it.arguments.some((own) => isOfKey(file, own, place))
      );
    case 'MemberExpression':
      if (/^(?:length|size)$/.test(propertyName(it) ?? '')) return isOfKey(file, it.object, place);
      return isGiven(file, it, place);
    default:
      return it.type === 'Identifier' && isGiven(file, it, place);
  }
}

/** Whether the call is given this value, or a part of it. */
function isGiven(file: FileFacts, value: Node, call: Node): boolean {
  const text = file.textOf(value);
  let found = false;
  walk(call, (it) => {
    found ||= it !== value && it.type === value.type && file.textOf(it) === text;
    return !found;
  });
  return found;
}
