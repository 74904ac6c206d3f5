import type { FileFacts } from '../file/file.ts';
import type { Node } from '../syntax/ast.ts';
import { isSaidNear } from './comments.ts';

/** What only pretends to work takes as long as somebody has chosen. */
export const PRETENDED = /\b(?:simulat(?:e|es|ed|ing|ion)|pretend\w*|fake|mock|demo)\b/i;

/** Whether a comment at a pause, or in a function that does nothing else, says that it stands for work. */
export function isPretended(file: FileFacts, node: Node): boolean {
  return isSaidNear(file, node, PRETENDED);
}
