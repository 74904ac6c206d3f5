import type { TSESTree } from '@typescript-eslint/utils';
import type { ClassNode, FunctionNode } from '../syntax/ast.ts';
import type { FileFacts } from './file.ts';

/** An object of a class of the project. */
export interface InstanceValue {
  readonly kind: 'instance';
  readonly file: FileFacts;
  readonly node: ClassNode;
  /** Where it was made: what its constructor was given, its methods use. Absent where that may be one of several places. */
  readonly madeAt?: MadeAt;
}

interface MadeAt {
  readonly file: FileFacts;
  readonly call: TSESTree.NewExpression;
  /** The call of the function around `call`, which has made the object with what that was given. */
  readonly outer?: Maker;
}

/** An object that the code writes out. */
export interface ObjectValue {
  readonly kind: 'object';
  readonly file: FileFacts;
  readonly node: TSESTree.ObjectExpression;
  /** The call that returned it: what that was given, its methods use. Absent where that may be one of several calls. */
  readonly madeBy?: Maker;
}

/**
 * The call `withRetry(load)` of a function that returns a function, `shipsIn(pool)` of one that returns an object, or `new Unit(pool)`,
 * whose constructor makes objects for its fields.
 */
export interface Maker {
  readonly file: FileFacts;
  readonly call: TSESTree.CallExpression | TSESTree.NewExpression;
  readonly fn: FunctionNode;
  /** The call of the function around `call`, which has handed on what that made: `const traced = (load) => wrapped(load)`. */
  readonly outer?: Maker;
}

/** What a maker around the call of another one has made by that. */
export function handedOnBy(maker: Maker, outer: Maker): Maker {
  return { ...maker, outer: maker.outer ? handedOnBy(maker.outer, outer) : outer };
}

export function outermost(maker: Maker): Maker {
  return maker.outer ? outermost(maker.outer) : maker;
}
