import { pretended } from '../words/work.ts';
import { patternOf } from '../words/word-list.ts';
import type { FileFacts } from '../file/file.ts';
import type { Node } from '../syntax/ast.ts';
import { isSaidNear } from './comments.ts';

/** The time of simulated work is a choice of its author. */
export const PRETENDED = patternOf(pretended);

/** Whether a comment at a pause, or in a function that does nothing else, declares that it simulates work. */
export function isPretended(file: FileFacts, node: Node): boolean {
  return isSaidNear(file, node, PRETENDED);
}
