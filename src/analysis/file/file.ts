import type { TSESTree } from '@typescript-eslint/utils';
import type { RegionHost } from '../../engine/regions.ts';
import type { Tree } from '../../engine/tree.ts';
import type { Node } from '../syntax/ast.ts';
import type { Name, Variable } from '../syntax/names.ts';
import type { Lines } from '../syntax/places.ts';
import type { Modules, Source } from './source.ts';

/** All facts that rules use about one file. They are computed on first use and shared by all rules. */
export interface FileFacts extends RegionHost {
  readonly path: string;
  /** Its place in its project: the names of folders above have no meaning for its code. */
  readonly place: string;
  readonly text: string;
  readonly lines: Lines;
  readonly ast: TSESTree.Program;
  readonly source: Source;
  readonly nodes: Tree;
  readonly modules: Modules | undefined;
  variableOf(name: Name): Variable | undefined;
  /** A number that no other node of the file has, as long as the node exists; an edit may change the place of a node. */
  idOf(node: Node): number;
  /** Whether the text matches somewhere. Results of the text before an edit are cached by the expression, so create it once. */
  says(expression: RegExp): boolean;
  textOf(node: Node): string;
  textBetween(start: number, end: number): string;
}
