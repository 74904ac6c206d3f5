import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { FunctionNode } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { type Builder, builderFor, connect, isFull, step } from './builder.ts';
import { block, statement } from './statements.ts';
import { expression } from './expressions.ts';
import type { Flow } from './graph.ts';

/**
 * The control flow of one function (or of a module's own statements): an exception edge for every call, await and throw,
 * a copy of each `finally` for every way into it, and the bodies of callbacks that run while the function does.
 * Undefined for functions too large to be followed.
 */
export const flowOf = query(
  'flow',
  (file: FileFacts, root: FunctionNode | TSESTree.Program): Flow | undefined => built(file, root),
  { whileCyclic: undefined, isCompared: false },
);

function built(file: FileFacts, root: FunctionNode | TSESTree.Program): Flow | undefined {
  const builder = builderFor(file, root);
  const entry = step(builder, 'entry', undefined);
  if (root.type === 'Program') block(builder, bodyOf(root));
  else functionBody(builder, root);
  connect(builder.current, builder.exit);
  // no veto: too large to be followed
  if (isFull(builder)) return undefined;
  const { exit, thrown, ended, steps, spliced } = builder;
  return { entry, exit, thrown, ended, steps, spliced };
}

function functionBody(builder: Builder, root: FunctionNode): void {
  for (const parameter of root.params) step(builder, 'bind', parameter);
  const body = bodyOf(root);
  if (body.type === 'BlockStatement') return statement(builder, body);
  expression(builder, body);
  step(builder, 'return', body, { value: body });
}
