import { query } from '../../engine/query.ts';
import {
  bare,
  contains,
  functionAround,
  type Node,
  rootOf,
  type FunctionNode,
} from '../../analysis/syntax/ast.ts';
import { type Condition, conditionsOn, isAfterFailure } from '../../analysis/syntax/conditions.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { usesOf } from '../../analysis/provenance/function-uses.ts';
import { holdsAwait } from '../../analysis/flow/awaited.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';

/** After a failure, or in a function that is used after one only: `catch (error) { await releaseAll(locks); throw error; }`. */
export function isCleanUp(file: FileFacts, node: Node): boolean {
  if (isAfterFailure(node)) return true;
  const fn = functionAround(node);
  return !!fn && isUsedAfterFailures(file, fn);
}

const isUsedAfterFailures = query(
  'used after failures',
  (file: FileFacts, fn: FunctionNode): boolean => {
    const uses = usesOf(file, fn);
    return uses.length > 0 && uses.every((it) => isAfterFailure(it));
  },
  { whileCyclic: false },
);

/**
 * The record of attempts that failed, before the attempt that succeeds: `const sent = await mail(it); if (sent.ok) return;`
 * precedes it in the loop.
 */
export function isAfterVainTry(file: FileFacts, node: Node, loop: Loop): boolean {
  const { body } = loop;
  return conditionsOn(node, body).some(
    (it) => isWayOut(it) && it.test !== undefined && isAnswerWithin(file, it.test, loop),
  );
}

function isWayOut({ kind, holds, leaves }: Condition): boolean {
  return kind === 'exit' && !holds && leaves.every((it) => it === 'return' || it === 'break');
}

/** `sent`, `sent.ok`, of `const sent = await …` in the body, which is about the element. */
function isAnswerWithin(file: FileFacts, test: Node, loop: Loop): boolean {
  const it = bare(test);
  const root = /^(?:Identifier|MemberExpression)$/.test(it.type) ? rootOf(it) : undefined;
  const [definition] = (root?.type === 'Identifier' && file.variableOf(root)?.defs) || [];
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  // veto: the result of the attempt for this element decides whether the loop ends
  return (
    !!init &&
    contains(loop.body, init) &&
    holdsAwait(init) &&
    mentions(file, init, variantsOf(file, loop))
  );
}
