import type { TSESTree } from '@typescript-eslint/utils';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { type ClassNode, type FunctionNode, walkOwn } from './ast.ts';

/** The constructor that a class writes out. */
export function constructorOf({ body }: ClassNode): TSESTree.FunctionExpression | undefined {
  const written = bodyOf(body).find(
    (it) => it.type === 'MethodDefinition' && it.kind === 'constructor',
  );
  const fn = written?.type === 'MethodDefinition' ? written.value : undefined;
  // no veto: a declaration alone.
  return fn?.type === 'FunctionExpression' ? fn : undefined;
}

/** `super(…)` in a constructor. */
export function superCallIn(fn: FunctionNode): TSESTree.CallExpression | undefined {
  let found: TSESTree.CallExpression | undefined;
  walkOwn(bodyOf(fn), (it) => {
    if (it.type === 'CallExpression' && it.callee.type === 'Super') found ??= it;
  });
  return found;
}
