import type { TSESTree } from '@typescript-eslint/utils';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { FileFacts } from '../file/file.ts';
import {
  bare,
  type ClassNode,
  contains,
  type FunctionNode,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { parameterProperty } from '../syntax/parameter-properties.ts';
import { assignmentsOf } from './assignments.ts';
import { optionalPartAt, type Part } from './given-parts.ts';

/** The constructor that a class writes out. */
export function constructorOf({ body }: ClassNode): TSESTree.FunctionExpression | undefined {
  const written = bodyOf(body).find(
    (it) => it.type === 'MethodDefinition' && it.kind === 'constructor',
  );
  const fn = written?.type === 'MethodDefinition' ? written.value : undefined;
  // no veto: a declaration alone.
  return fn?.type === 'FunctionExpression' ? fn : undefined;
}

/** What of the constructor's parameters a field holds for good. */
export const givenField = query(
  'field that is given',
  (file: FileFacts, owner: ClassNode, name: string): Part | undefined => {
    const fn = constructorOf(owner);
    if (!fn) return undefined;
    const property = parameterProperty(fn, name);
    const index = fn.params.findIndex((it) => property && contains(it, property));
    const assigned = assignmentsOf(file).to(owner).get(name) ?? [];
    if (index !== -1) return assigned.length === 0 ? { fn, index, member: undefined } : undefined;
    return assigned.length === 1 ? partGivenTo(file, assigned[0]!, fn) : undefined;
  },
  { whileCyclic: undefined, isCompared: false },
);

/** The part of what a function is given that an expression in it stands for: `step`, `options.step`. */
export function partGivenTo(file: FileFacts, node: Node, fn: FunctionNode): Part | undefined {
  const it = bare(node);
  if (it.type === 'MemberExpression') return memberGiven(it, partGivenTo(file, it.object, fn));
  const part = optionalPartAt(file, it);
  return part?.fn === fn ? part : undefined;
}

/** The same of what the constructor of a class is given, in its methods: `this.step`, `this.options.step`. */
export function partGivenToClass(file: FileFacts, node: Node, owner: ClassNode): Part | undefined {
  const it = bare(node);
  if (it.type !== 'MemberExpression') return undefined;
  const name = propertyName(it);
  if (it.object.type === 'ThisExpression')
    return name === undefined ? undefined : givenField(file, owner, name);
  return memberGiven(it, partGivenToClass(file, it.object, owner));
}

function memberGiven(node: TSESTree.MemberExpression, whole: Part | undefined): Part | undefined {
  const member = propertyName(node);
  // no veto: it stands for no part of a parameter.
  return whole?.member === undefined && whole && member !== undefined
    ? { ...whole, member }
    : undefined;
}
