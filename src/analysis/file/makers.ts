import type { TSESTree } from '@typescript-eslint/utils';
import type { ClassNode, FunctionNode } from '../syntax/ast.ts';
import type { FileFacts } from './file.ts';

/** An object of a class of the project. */
export interface InstanceValue {
  readonly kind: 'instance';
  readonly file: FileFacts;
  readonly node: ClassNode;
  /** Where it was made: what its constructor was given, its methods use. Absent where that may be one of several places. */
  readonly madeAt?: { readonly file: FileFacts; readonly call: TSESTree.NewExpression };
}

/** The call `withRetry(load)` of a function that returns a function. */
export interface Maker {
  readonly file: FileFacts;
  readonly call: TSESTree.CallExpression;
  readonly fn: FunctionNode;
  /** The call of the function around `call`, which has handed on what that made: `const traced = (load) => wrapped(load)`. */
  readonly outer?: Maker;
}
