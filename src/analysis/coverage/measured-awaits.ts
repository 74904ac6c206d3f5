import { bodyOf } from '../../engine/tracked-tree.ts';
import { behaviourOf, unresolvedIn } from '../behaviour/behaviour.ts';
import type { Effect } from '../effects/effects.ts';
import type { FileFacts } from '../file/file.ts';
import { type Pause, pauseOf } from '../flow/turns.ts';
import { valueOf } from '../provenance/value-of.ts';
import {
  bare,
  contains,
  functionAround,
  type FunctionNode,
  hasPause,
  isFunction,
  type Node,
  walkOwn,
} from '../syntax/ast.ts';
import { calleeOf, isCall } from '../syntax/calls.ts';
import { promisesOf } from './awaited-promises.ts';

/**
 * An await of which a running program can measure something, or what an async function returns instead of awaiting it; `blocking`: a
 * synchronous call, whose `awaited` is itself.
 */
export interface MeasuredAwait {
  readonly node: Node;
  /** The expression whose value is awaited. */
  readonly awaited: Node;
  /** The function around it; undefined at module level. */
  readonly scope: FunctionNode | undefined;
  readonly kind:
    'sleep' | 'yield' | 'db' | 'network' | 'thread-pool' | 'calls' | 'blocking' | 'unresolved';
  /** Of a sleep of a constant time. */
  readonly sleepMs?: number | undefined;
}

/** Every await that may wait, also in tests and scripts. */
export function measuredAwaitsOf(file: FileFacts): readonly MeasuredAwait[] {
  return file.nodes.all('AwaitExpression').flatMap((node) => {
    const scope = functionAround(node);
    const found = kindOf(file, { node, awaited: node.argument, scope: scope ?? file.ast });
    return found ? [{ node, awaited: node.argument, scope, ...found }] : [];
  });
}

/**
 * What an async function returns without an `await`, so that it ends before that does. In a `try`, an `await` would change which errors
 * are caught, and when.
 */
export function measuredReturnsOf(file: FileFacts, scope: FunctionNode): readonly MeasuredAwait[] {
  return returnsOf(scope).flatMap((node) => {
    // no veto: a sequence has no offsets of its own within parentheses; test/runtime/probes.test.ts has it.
    if (/^(?:Await|Sequence)Expression$/.test(bare(node).type)) return [];
    // no veto: most names hold no promise, and need no await; test/runtime/probes.test.ts has it.
    if (promisesOf(file, node).some((it) => it.type === 'Identifier')) return [];
    const found = kindOf(file, { node, awaited: node, scope });
    return found ? [{ node, awaited: node, scope, ...found }] : [];
  });
}

function returnsOf(fn: FunctionNode): readonly Node[] {
  const body = bodyOf(fn)!;
  if (body.type !== 'BlockStatement') return [body];
  const found: Node[] = [];
  walkOwn(body, (it) => {
    if (it.type === 'ReturnStatement' && it.argument) found.push(it.argument);
    return it.type !== 'TryStatement';
  });
  return found;
}

type Awaited = Pick<MeasuredAwait, 'node' | 'awaited'> & { readonly scope: Node };

function kindOf(
  file: FileFacts,
  { node, awaited, scope }: Awaited,
): Pick<MeasuredAwait, 'kind' | 'sleepMs'> | undefined {
  const promises = promisesOf(file, awaited);
  const pauses = promises.map((it) => pauseOf(file, it));
  const [pause] = pauses;
  if (pause && pauses.every((it) => it?.kind === 'sleep' && !isMeasuredWithin(it))) {
    const { value, traits } = pause.duration;
    const isConstant = pauses.length === 1 && traits.size === 0;
    return { kind: 'sleep', sleepMs: isConstant ? value : undefined };
  }
  // A tick lets no time pass.
  // no veto: a measurement is no report; test/runtime/probes.test.ts has it.
  if (pause && pause.kind !== 'sleep' && pauses.length === 1)
    return pause.kind === 'tick' ? undefined : { kind: 'yield' };
  // Those that were started earlier are not part of the expression.
  const earlier = promises.filter((it) => !contains(node, it));
  if (promises.some((it) => it.type === 'Identifier')) return { kind: 'unresolved' };
  const roots = [node, ...earlier];
  if (roots.some((it) => unresolvedIn(file, it, scope))) return { kind: 'unresolved' };
  const behaviours = roots.map((it) => behaviourOf(file, it, scope));
  const sleeps = behaviours.some((it) => it.sleeps);
  const effects = behaviours.flatMap((it) => it.effects);
  const direct = promises.every((it) => awaitsItself(file, it))
    ? []
    : effects.filter((it) => isDirect(node, it));
  const [kind, ...others] = new Set(direct.map(kindOfEffect));
  // Which of concurrent calls of several kinds has the time is not resolved.
  if (kind) return { kind: others.length > 0 || sleeps ? 'unresolved' : kind };
  if (effects.length > 0 || sleeps) return { kind: 'calls' };
  // Other code may settle it, at any time.
  return promises.some((it) => it.type === 'NewExpression') ? { kind: 'unresolved' } : undefined;
}

/** Whether a function that states the time itself awaits the pause: its line has more to change than that of its caller. */
function isMeasuredWithin({ through, time }: Pause): boolean {
  const stating = through.findLastIndex(
    (it) => it.file === time?.file && contains(it.node, time.node),
  );
  return through.slice(0, stating + 1).some((it) => hasPause(bodyOf(it.node)!));
}

function kindOfEffect({ env, threadPool }: Effect): MeasuredAwait['kind'] {
  if (env === 'db') return 'db';
  if (threadPool || env === 'fs') return 'thread-pool';
  return /^(?:redis|http|dns|queue|email|declared)$/.test(env) ? 'network' : 'unresolved';
}

/** Whether a function of the program is called whose own awaits are measured. */
function awaitsItself(file: FileFacts, promise: Node): boolean {
  const callee = isCall(promise) ? valueOf(file, calleeOf(promise)) : undefined;
  return callee?.kind === 'function' && hasPause(bodyOf(callee.node)!);
}

/** Whether no await between this one and the call waits for it: that one is measured by itself. */
function isDirect(node: Node, { at }: Effect): boolean {
  for (let it: Node | undefined = at.node; it && !isFunction(it); it = it.parent) {
    if (it.type === 'AwaitExpression') return it === node;
  }
  return true;
}
