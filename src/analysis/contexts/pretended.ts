import type { FileFacts } from '../file/file.ts';
import type { Node } from '../syntax/ast.ts';
import { isSaidNear } from './comments.ts';

/** The time of simulated work is a choice of its author. */
export const PRETENDED = /\b(?:simulat(?:e|es|ed|ing|ion)|pretend\w*|fake|mock|demo)\b/i;

/** Whether a comment at a pause, or in a function that does nothing else, declares that it simulates work. */
export function isPretended(file: FileFacts, node: Node): boolean {
  return isSaidNear(file, node, PRETENDED);
}
