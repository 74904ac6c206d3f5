import { valueOf } from './value-of.ts';
import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type ClassNode, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { alternativesOf, type FunctionValue, type Value } from '../file/value.ts';
import { groupsOf } from '../syntax/grouped.ts';
import { mutual } from './mutual.ts';

/**
 * The functions of the project that a call may run: those that it names and, for a method, those that override it in
 * subclasses of the same file. Undefined when the callee, or one of several, is not the project's.
 */
export function implementationsOf(
  file: FileFacts,
  call: TSESTree.CallExpression,
): readonly FunctionValue[] | undefined {
  const callee = bare(call.callee);
  const found = new Map<unknown, FunctionValue>();
  for (const value of alternativesOf(valueOf(file, callee))) {
    if (value.kind === 'function') found.set(value.node, value);
    else if (value.kind !== 'unknown' && value.kind !== 'nullish') return undefined;
  }
  if (callee.type === 'MemberExpression' && callee.object.type !== 'Super') {
    for (const it of methodsOf(file, callee)) found.set(it.node, it);
  }
  return found.size > 0 ? [...found.values()] : undefined;
}

/** A class may leave a method to its subclasses, and one class of several may be the only one to have it. */
function methodsOf(file: FileFacts, callee: TSESTree.MemberExpression): FunctionValue[] {
  const name = propertyName(callee);
  if (name === undefined) return [];
  return alternativesOf(valueOf(file, callee.object)).flatMap((object) => {
    if (object.kind !== 'instance') return [];
    const classes = [object.node, ...subclassesOf(object.file, object.node)];
    return classes.flatMap((node) => {
      const self: Value = { kind: 'instance', file: object.file, node };
      const method = mutual.memberOf(self, name, { file, node: callee });
      return method.kind === 'function' ? [method] : [];
    });
  });
}

const classesByBase = groupsOf(
  'classes by base',
  (file: FileFacts) => file.nodes.all('ClassDeclaration', 'ClassExpression'),
  ({ superClass }, file) => {
    const parent = superClass ? valueOf(file, superClass) : undefined;
    return parent?.kind === 'class' ? parent.node : undefined;
  },
);

const subclassesOf = query(
  'subclasses',
  (file: FileFacts, base: ClassNode): readonly ClassNode[] => {
    const direct = classesByBase(file).get(base) ?? [];
    return direct.flatMap((it) => [it, ...subclassesOf(file, it)]);
  },
  { whileCyclic: [] },
);
