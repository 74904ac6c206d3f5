import { calledName, type Node } from '../../analysis/syntax/ast.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { mentions, variablesIn } from '../../analysis/syntax/mentions.ts';
import { libraryNamed } from '../../analysis/model/index.ts';
import { verbOf } from './row-writes.ts';
import { chainOf } from '../../analysis/syntax/call-chains.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';

/** No request updates rows with values of their own; without SQL there is no statement that does, either. */
export function isOneRowARequest(file: FileFacts, loop: Loop, effect: Effect): boolean {
  if (!libraryNamed(effect.library)?.answersErrors || verbOf(effect) !== 'update') return false;
  const { at } = effect;
  const change = chainOf(at.node).find((it) => calledName(it.callee) === 'update')?.arguments[0];
  return at.file !== file || !change || mentions(file, change, variantsOf(file, loop));
}

/** `const { error } = await insert(row); if (error) failed.push(row);`: nothing is thrown, and the loop goes on. */
export function isErrorPassedOver(file: FileFacts, place: Node, { library, at }: Effect): boolean {
  // no veto: others throw.
  if (!libraryNamed(library)?.answersErrors) return false;
  // veto of an exclusion: the request has `throwOnError()`, so a failed row throws
  if (chainOf(at.node).some((it) => calledName(it.callee) === 'throwOnError')) return false;
  const declarator = place.parent?.type === 'AwaitExpression' ? place.parent.parent : place.parent;
  const block = declarator?.parent?.parent;
  if (declarator?.type !== 'VariableDeclarator' || block?.type !== 'BlockStatement') return true;
  const results = new Set(variablesIn(file, declarator.id));
  return !block.body.some(
    (it) =>
      it.type === 'IfStatement' &&
      mentions(file, it.test, results) &&
      /\b(?:throw|return|break)\b/.test(file.textOf(it.consequent)),
  );
}
