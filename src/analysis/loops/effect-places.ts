import { valueOf } from '../provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { bare, contains, isFunction, type Node, walk } from '../syntax/ast.ts';
import { behaviourOfFunction, leadingForm } from '../behaviour/behaviour.ts';
import { type Place } from '../file/place.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { type Call, calleeOf, isCall } from '../syntax/calls.ts';
import type { Effect } from '../effects/effects.ts';
import type { FileFacts } from '../file/file.ts';
import { namedCallbackOf } from '../flow/inline-callbacks.ts';
import { endsLoop } from '../flow/last-rounds.ts';
import { loopAround } from '../flow/loops.ts';
import { givesBack } from '../effects/returned-builders.ts';
import { alternativesOf, type FunctionValue } from '../file/value.ts';

/** The call in `root` of a function of the project that leads to the effect. */
export function callTo(file: FileFacts, root: Node, effect: Effect): Call | undefined {
  let call: Call | undefined;
  walk(root, (it) => {
    if (call || it.type !== 'CallExpression') return !call;
    if (isFunction(bare(it.callee))) return true;
    const leads = runBy(file, it).some(
      (callee) =>
        leadsTo(callee, effect) || givesBack(callee.file, callee.node).has(effect.at.node),
    );
    if (leads) call = it;
    return !leads;
  });
  return call;
}

function leadsTo(callee: FunctionValue, { at }: Effect): boolean {
  return behaviourOfFunction(callee).effects.some((it) => it.at.node === at.node);
}

/** The functions of the project that a call runs, also by an interface of pools and connections. */
function runBy(file: FileFacts, call: Call): readonly FunctionValue[] {
  return alternativesOf(valueOf(file, calleeOf(call))).flatMap((it) =>
    it.kind === 'function' ? it : (leadingForm(it) ?? []),
  );
}

/** A place on the path to an effect, in its function of the project. */
export interface Step extends Place {
  /** The function's body, or the call that is started. */
  readonly root: Node;
}

/**
 * The path from a started function or call to the effect: in each function in between, the call that leads to the next; in the
 * last, the effect itself.
 */
export function wayTo(started: Place, effect: Effect, seen = new Set<Node>()): readonly Step[] {
  const { file } = started;
  const node = bare(started.node);
  const root = isFunction(node) ? bodyOf(node)! : node;
  const { at } = effect;
  // no veto: the end of the way.
  if (at.file === file && contains(root, at.node)) return [{ file, node: at.node, root }];
  const direct = callTo(file, root, effect);
  const handing = direct ? undefined : handingTo(file, root, effect);
  const call = direct ?? handing?.call;
  // no veto: no function leads there, or functions call each other and lead back to where it began.
  if (!call || seen.has(call)) return [];
  seen.add(call);
  const run = handing ? [handing.handed] : runBy(file, call);
  return [{ file, node: call, root }, ...run.flatMap((it) => wayTo(it, effect, seen))];
}

/** `ifLeader(sendBatch)`: the call that is given a function by its name which leads to the effect. */
function handingTo(
  file: FileFacts,
  root: Node,
  effect: Effect,
): { readonly call: Call; readonly handed: FunctionValue } | undefined {
  let found: { readonly call: Call; readonly handed: FunctionValue } | undefined;
  walk(root, (it) => {
    if (found || it.type !== 'CallExpression') return !found;
    for (const argument of it.arguments) {
      // no veto: what is written out in the call is found there.
      if (!/^(?:Identifier|MemberExpression)$/.test(argument.type)) continue;
      const handed = valueOf(file, argument);
      if (handed.kind === 'function' && leadsTo(handed, effect)) found ??= { call: it, handed };
    }
    return !found;
  });
  return found;
}

/** Whether a run of `node` reaches the effect at most once: not for each element of a list, nor for each page in a callee. */
export function isOnceIn(file: FileFacts, node: Node, effect: Effect): boolean {
  const isOwn = effect.at.file === file && contains(node, effect.at.node);
  const call = isOwn ? undefined : callTo(file, node, effect);
  // What is handed on runs as often as there are elements.
  if (!isOwn && !call && handsOn(file, node)) return false;
  const place = call ?? (isOwn ? effect.at.node : node);
  const loop = loopAround(file, place);
  if (loop && contains(node, loop.node)) return false;
  return isOwn || !isLoopedBehind(file, place, effect);
}

/** `ids.map(load)`, `pMap(ids, load)`. */
function handsOn(file: FileFacts, node: Node): boolean {
  let found = false;
  walk(node, (it) => {
    found ||= isCall(it) && namedCallbackOf(file, it, libraryCallOf(file, it)) !== undefined;
  });
  return found;
}

/** A loop of its own in one of the functions between: that one is the cause, unless it only tries again what has failed. */
export function isLoopedBehind(
  file: FileFacts,
  place: Node,
  effect: Effect,
  seen = new Set<Node>(),
): boolean {
  const { at } = effect;
  if (isRepeated(at)) return true;
  // Functions that call each other lead back to where they were called first.
  if (!isCall(place) || seen.has(place)) return false;
  seen.add(place);
  return runBy(file, place).some((callee) => {
    const inner = callTo(callee.file, bodyOf(callee.node)!, effect);
    if (!inner) return false;
    return (
      isRepeated({ file: callee.file, node: inner }) ||
      isLoopedBehind(callee.file, inner, effect, seen)
    );
  });
}

function isRepeated({ file, node }: Place): boolean {
  const loop = loopAround(file, node);
  return loop !== undefined && !endsLoop(node, loop);
}
