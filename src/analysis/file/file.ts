import type { TSESTree } from '@typescript-eslint/utils';
import type { Suppose } from '../../engine/runtime.ts';
import type { Region } from '../../engine/regions.ts';
import type { Tree } from '../../engine/tree.ts';
import type { Node } from '../syntax/ast.ts';
import type { Name, Variable } from '../syntax/names.ts';
import type { Lines } from '../syntax/places.ts';
import type { Modules, Source } from './source.ts';
import type { Value } from './value.ts';

/** Everything that rules may know about one file. Facts are computed on first use and shared by all rules. */
export interface FileFacts {
  readonly path: string;
  /** Where it lies in its project: the names of folders above say nothing of its code. */
  readonly place: string;
  readonly text: string;
  readonly lines: Lines;
  readonly ast: TSESTree.Program;
  readonly source: Source;
  readonly nodes: Tree;
  /** What the regions of the file have of something, in source order; `name` says what of. */
  gather<T>(name: string, resultOf: (region: Region) => readonly T[]): readonly T[];
  /** What other things of the file have of it: nodes, or what is remembered by a node, such as its loops. */
  gatherFrom<From extends object, T>(
    name: string,
    all: () => readonly From[],
    resultOf: (it: From) => T | readonly T[],
  ): readonly T[];
  readonly modules: Modules | undefined;
  variableOf(name: Name): Variable | undefined;
  /** What an expression is; see value.ts. */
  valueOf(node: Node): Value;
  /**
   * A fact about `key`, computed once. Asked for again while it is being computed it is `initial`; a value without
   * one then adds nothing to a join.
   */
  remember(key: object, compute: (suppose: Suppose<Value>) => Value): Value;
  remember<T>(key: object, compute: () => T, initial: T): T;
  /** For facts about functions that call each other: see engine/runtime.ts for circles and for what is `tooDeep`. */
  remember<T>(key: object, compute: () => T, initial: T, tooDeep: T): T;
  /** One object for each name of each node, or of what else a fact is about, to remember facts by. */
  keyFor(subject: object, name: string): object;
  /** A number that no other node of the file has, as long as there is one; where a node stands an edit may change. */
  idOf(node: Node): number;
  /** Whether the text matches somewhere. What is known of the text before an edit is kept by the expression, so it is made once. */
  says(expression: RegExp): boolean;
  textOf(node: Node): string;
  textBetween(start: number, end: number): string;
}
