import { valueOf } from '../../analysis/provenance/value-of.ts';
import { bare, functionAround, type Node, propertyName } from '../../analysis/syntax/ast.ts';
import { argumentsOf, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { isAnswerUsed } from '../../analysis/flow/waits.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { mayVary, runOf } from './named-rows.ts';
import { alternativesOf } from '../../analysis/file/value.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';

/** No pipeline, and no command for many keys, goes to the servers of a cluster that other keys are on. */
export function mayBeSpread(file: FileFacts, loop: Loop, { at }: Effect): boolean {
  const call = bare(at.node);
  const callee = isCall(call) ? bare(calleeOf(call)) : undefined;
  if (!isCall(call) || callee?.type !== 'MemberExpression') return false;
  const mayBeCluster = alternativesOf(valueOf(at.file, callee.object)).some(
    (it) => it.kind === 'library' && it.type.isPartitioned === true,
  );
  const [key] = argumentsOf(call);
  return mayBeCluster && !!key && (at.file !== file || mentions(file, key, variantsOf(file, loop)));
}

/** `if (!(await redis.set(key, token, 'NX'))) …`: whether the key was free decides what comes next. */
export function claimsKey({ at, method }: Effect): boolean {
  const call = bare(at.node);
  // no veto: the shape of a command.
  if (!isCall(call)) return false;
  const hasOption = argumentsOf(call).some((it) =>
    it.type === 'ObjectExpression'
      ? it.properties.some(
          (own) => own.type === 'Property' && /^nx$/i.test(propertyName(own) ?? ''),
        )
      : it.type === 'Literal' && /^nx$/i.test(String(it.value)),
  );
  return (hasOption || /nx$/i.test(method)) && isAnswerUsed(call);
}

/** `if ((await redis.scard(seen)) >= limit) return; await redis.sadd(seen, url)`: what is asked is what has been written so far. */
export function asksWhatIsWritten(
  file: FileFacts,
  loop: Loop,
  asked: Effect,
  place: Node | undefined,
  effects: readonly Effect[],
): boolean {
  const key = keyInRedis(asked);
  // no veto: what a database is asked within one transaction stays as it is.
  if (!key) return false;
  const { file: home, node } = asked.at;
  const isWritten = effects.some((it) => {
    // At the top level of two files is no function that both are in.
    const isBeside = it.at.file === home && functionAround(it.at.node) === functionAround(node);
    const other = it.op === 'write' && isBeside ? keyInRedis(it) : undefined;
    return other !== undefined && home.textOf(other) === home.textOf(key);
  });
  return isWritten && !!place && !mayVary(runOf(file, loop, place), asked, key);
}

function keyInRedis({ env, at }: Effect): Node | undefined {
  const call = bare(at.node);
  return env === 'redis' && isCall(call) ? argumentsOf(call)[0] : undefined;
}
