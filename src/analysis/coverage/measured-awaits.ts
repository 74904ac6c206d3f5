import type { TSESTree } from '@typescript-eslint/utils';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { behaviourOf, unresolvedIn } from '../behaviour/behaviour.ts';
import type { Effect } from '../effects/effects.ts';
import type { FileFacts } from '../file/file.ts';
import { pauseOf } from '../flow/turns.ts';
import { valueOf } from '../provenance/value-of.ts';
import {
  bare,
  functionAround,
  type FunctionNode,
  hasPause,
  isFunction,
  type Node,
} from '../syntax/ast.ts';
import { calleeOf, isCall } from '../syntax/calls.ts';

/** An await of which a running program can measure something. */
export interface MeasuredAwait {
  readonly node: TSESTree.AwaitExpression;
  /** The function around it; undefined at module level. */
  readonly scope: FunctionNode | undefined;
  readonly kind: 'sleep' | 'yield' | 'db' | 'network' | 'thread-pool' | 'calls' | 'unresolved';
  /** Of a sleep of a constant time. */
  readonly sleepMs?: number | undefined;
}

/** Every await that may wait, also in tests and scripts. */
export function measuredAwaitsOf(file: FileFacts): readonly MeasuredAwait[] {
  return file.nodes.all('AwaitExpression').flatMap((node) => {
    const scope = functionAround(node);
    const found = kindOf(file, node, scope ?? file.ast);
    return found ? [{ node, scope, ...found }] : [];
  });
}

function kindOf(
  file: FileFacts,
  node: TSESTree.AwaitExpression,
  scope: Node,
): Pick<MeasuredAwait, 'kind' | 'sleepMs'> | undefined {
  const pause = pauseOf(file, node.argument);
  if (pause?.kind === 'sleep') {
    const { value, traits } = pause.duration;
    return { kind: 'sleep', sleepMs: traits.size === 0 ? value : undefined };
  }
  // A tick lets no time pass.
  // no veto: a measurement is no report; test/runtime/probes.test.ts has it.
  if (pause) return pause.kind === 'tick' ? undefined : { kind: 'yield' };
  if (unresolvedIn(file, node, scope)) return { kind: 'unresolved' };
  const { effects, sleeps } = behaviourOf(file, node, scope);
  const direct = awaitsItself(file, node) ? [] : effects.filter((it) => isDirect(node, it));
  const [kind, ...others] = new Set(direct.map(kindOfEffect));
  // Which of concurrent calls of several kinds has the time is not resolved.
  if (kind) return { kind: others.length > 0 || sleeps ? 'unresolved' : kind };
  return effects.length > 0 || sleeps ? { kind: 'calls' } : undefined;
}

function kindOfEffect({ env, threadPool }: Effect): MeasuredAwait['kind'] {
  if (env === 'db') return 'db';
  if (threadPool || env === 'fs') return 'thread-pool';
  return /^(?:redis|http|dns|queue|email|declared)$/.test(env) ? 'network' : 'unresolved';
}

/** Whether a function of the program is called whose own awaits are measured. */
function awaitsItself(file: FileFacts, { argument }: TSESTree.AwaitExpression): boolean {
  const call = bare(argument);
  const callee = isCall(call) ? valueOf(file, calleeOf(call)) : undefined;
  return callee?.kind === 'function' && hasPause(bodyOf(callee.node)!);
}

/** Whether no await between this one and the call waits for it: that one is measured by itself. */
function isDirect(node: TSESTree.AwaitExpression, { at }: Effect): boolean {
  for (let it: Node | undefined = at.node; it && !isFunction(it); it = it.parent) {
    if (it.type === 'AwaitExpression') return it === node;
  }
  return true;
}
