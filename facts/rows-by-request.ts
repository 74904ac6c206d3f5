// vetoes of no-autocommit-in-loop
import type { Node } from './ast.ts';
import type { Effect } from './effects.ts';
import type { FileFacts } from './file.ts';
import { mentions, variablesIn } from './mentions.ts';
import { libraryNamed } from './model/index.ts';
import { verbOf } from './row-writes.ts';

/** No request updates rows with values of their own, and no transaction holds several requests. */
export function isOneRowARequest(effect: Effect): boolean {
  return verbOf(effect) === 'update' && libraryNamed(effect.library)?.commitsEach === true;
}

/** `const { error } = await insert(row); if (error) failed.push(row);`: nothing is thrown, and the loop goes on. */
export function isErrorPassedOver(file: FileFacts, place: Node, { library }: Effect): boolean {
  // no veto: others throw.
  if (!libraryNamed(library)?.commitsEach) return false;
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
