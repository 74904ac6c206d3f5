import type { FileFacts } from '../file/file.ts';
import type { Value } from '../file/value.ts';
import type { Node } from '../syntax/ast.ts';
import { mutual } from './mutual.ts';

/** The value of an expression: a pool, a function of the project, a number; unknown where nothing resolves it. */
export function valueOf(file: FileFacts, node: Node): Value {
  return mutual.valueOf(file, node);
}
