import type { TSESTree } from '@typescript-eslint/utils';
import type { Node } from './ast.ts';
import type { Name } from './name-uses.ts';
import type { Definition } from './scopes.ts';

/** The meaning of one name in one scope. Two variables are the same when they are the same object. */
export interface Variable {
  /** A number that no other variable of the file has: where it is declared an edit may change. */
  readonly id: number;
  readonly name: string;
  /** The function, block or file of its scope. */
  readonly scope: Node;
  /** In source order; several where declarations merge: overloads, a class and its interface. */
  readonly defs: readonly Definition[];
  readonly identifiers: readonly TSESTree.Identifier[];
  /** Every place that means it, looked for when it is first asked for. */
  readonly references: readonly Reference[];
  /** Those of them that write it after its declaration. Most names are never written, and then nothing is searched. */
  readonly writes: readonly Reference[];
}

/** One thing that happens to a variable at one place: `count = count + 1` are two, `let count;` is none. */
export interface Reference {
  readonly identifier: Name;
  /** Written with the declaration, or as a default. */
  readonly init: boolean;
  /** Null where no expression is the written value, and where nothing is written. */
  readonly writeExpr: Node | null;
  isRead(): boolean;
  isWrite(): boolean;
}
