import type { TSESTree } from '@typescript-eslint/utils';

export type Node = TSESTree.Node;
export type NodeType = `${TSESTree.AST_NODE_TYPES}`;
export type NodeOf<T extends NodeType> = Extract<Node, { type: `${T}` }>;

/** Every node of a tree by type, in source order. */
export interface Tree {
  all<T extends NodeType>(...types: readonly T[]): readonly NodeOf<T>[];
  /** Those of `all` that start between two offsets. */
  between<T extends NodeType>(
    start: number,
    end: number,
    ...types: readonly T[]
  ): readonly NodeOf<T>[];
  /** Every identifier of that name, with any meaning. */
  named(name: string): readonly TSESTree.Identifier[];
  /** Those of `named` that start between two offsets. */
  namedBetween(name: string, start: number, end: number): readonly TSESTree.Identifier[];
  /** Every call whose callee ends in the name. */
  called(name: string): readonly TSESTree.CallExpression[];
  /** Calls the listener when an edit has changed the tree, before the lists above follow. */
  onExchange(listener: (exchanged: Exchanged) => void): void;
}

/** The nodes that a tree lost and got when an edit put other children into `parent`. */
export interface Exchanged {
  readonly parent: Node;
  readonly gone: Nodes;
  readonly come: Nodes;
  /** The names in both. */
  readonly spelled: ReadonlySet<string>;
}

/** All nodes of some trees. */
export interface Nodes {
  readonly roots: readonly Node[];
  readonly byType: ReadonlyMap<string, readonly Node[]>;
  /** Identifiers by their names. */
  readonly byName: ReadonlyMap<string, readonly TSESTree.Identifier[]>;
  /** Calls by the last name of their callees. */
  readonly byCalled: ReadonlyMap<string, readonly TSESTree.CallExpression[]>;
}

/** A variable, with the parts by which the engine distinguishes variables. */
export interface ScopedName {
  readonly name: string;
  readonly scope: Node;
}
