import type { TSESTree } from '@typescript-eslint/utils';
import type { RegionHost } from '../../engine/regions.ts';
import type { Tree } from '../../engine/tree.ts';
import type { Node } from '../syntax/ast.ts';
import type { Name, Variable } from '../syntax/names.ts';
import type { Lines } from '../syntax/places.ts';
import type { Modules, Source } from './source.ts';

/** Everything that rules may know about one file. Facts are computed on first use and shared by all rules. */
export interface FileFacts extends RegionHost {
  readonly path: string;
  /** Where it lies in its project: the names of folders above say nothing of its code. */
  readonly place: string;
  readonly text: string;
  readonly lines: Lines;
  readonly ast: TSESTree.Program;
  readonly source: Source;
  readonly nodes: Tree;
  readonly modules: Modules | undefined;
  variableOf(name: Name): Variable | undefined;
  /** A number that no other node of the file has, as long as there is one; where a node stands an edit may change. */
  idOf(node: Node): number;
  /** Whether the text matches somewhere. What is known of the text before an edit is kept by the expression, so it is made once. */
  says(expression: RegExp): boolean;
  textOf(node: Node): string;
  textBetween(start: number, end: number): string;
}
