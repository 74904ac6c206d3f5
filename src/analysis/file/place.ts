import type { FileFacts } from './file.ts';
import type { Node } from '../syntax/ast.ts';

export interface Place {
  readonly file: FileFacts;
  readonly node: Node;
}
