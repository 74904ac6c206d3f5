import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../syntax/names.ts';
import { bare, contains, type Node, propertyName, rootOf, walk, walkOwn } from '../syntax/ast.ts';
import type { FileFacts } from '../file.ts';
import type { Iteration } from './iteration-variables.ts';
import { mentions } from '../syntax/mentions.ts';
import { wholesOf } from '../effects/wholes.ts';

/**
 * Whether an iteration asks with what an earlier one has put into its own element: `parent: category.parent?.id`, where
 * `category.id = row.id` comes after it, or `rows[i - 1].total`.
 */
export function asksWithNeighbours(
  file: FileFacts,
  iteration: Iteration,
  awaits: readonly Node[],
): boolean {
  const { loop } = iteration;
  const fields = new Set<string>();
  const lists = new Set<Variable>();
  walkOwn(loop.body, (it) => {
    const target = it.type === 'AssignmentExpression' ? bare(it.left) : it;
    if (it.type !== 'AssignmentExpression' || target.type !== 'MemberExpression') return;
    const field = propertyName(target);
    if (field === undefined || !isElement(file, iteration, target.object)) return;
    fields.add(field);
    for (const root of outerRoots(file, iteration, target.object)) lists.add(root);
  });
  // no veto: nothing is put into an element.
  if (fields.size === 0) return false;
  const isOfNeighbour = (it: Node) =>
    it.type === 'MemberExpression' &&
    fields.has(propertyName(it) ?? '') &&
    !isElement(file, iteration, it.object) &&
    outerRoots(file, iteration, it.object).some((root) => lists.has(root));
  const named = namesGiven(file, loop.body, isOfNeighbour);
  return awaits.some((it) => holds(it, isOfNeighbour) || mentions(file, it, named));
}

/** The variables of a body that are given what some code holds: `const { id } = …`. */
function namesGiven(
  file: FileFacts,
  body: Node,
  isMeant: (it: Node) => boolean,
): ReadonlySet<Variable> {
  const named = new Set<Variable>();
  walkOwn(body, (it) => {
    if (it.type !== 'VariableDeclarator' || it.id.type !== 'Identifier' || !it.init) return;
    const variable = file.variableOf(it.id);
    if (variable && holds(it.init, isMeant)) named.add(variable);
  });
  return named;
}

function holds(node: Node, isMeant: (it: Node) => boolean): boolean {
  let found = false;
  walk(node, (it) => {
    found ||= isMeant(it);
    return !found;
  });
  return found;
}

/** `row`, `rows[i]`, or another name of one of them. */
function isElement(file: FileFacts, iteration: Iteration, object: Node): boolean {
  const it = bare(object);
  const isLoopVariable = (name: Node) => {
    const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
    return variable !== undefined && !isInBody(iteration, variable) && iteration.own.has(variable);
  };
  // no veto: what is part of one, or what a call gives, may be another.
  if (it.type === 'MemberExpression') return it.computed && isLoopVariable(it.property);
  if (it.type !== 'Identifier') return false;
  const definition = file.variableOf(it)?.defs[0];
  if (definition?.type !== 'Variable' || isLoopVariable(it)) return isLoopVariable(it);
  const { id, init } = definition.node as TSESTree.VariableDeclarator;
  return id === definition.name && init !== null && contains(iteration.loop.body, init)
    ? isElement(file, iteration, init)
    : false;
}

/** The variables from outside of the body, in whose objects an object is found. */
function outerRoots(file: FileFacts, iteration: Iteration, object: Node): readonly Variable[] {
  return wholesOf(file, object).flatMap((whole) => {
    const root = rootOf(whole);
    const variable = root.type === 'Identifier' ? file.variableOf(root) : undefined;
    return variable && !isInBody(iteration, variable) ? variable : [];
  });
}

function isInBody({ loop }: Iteration, { defs }: Variable): boolean {
  return defs.some((it) => contains(loop.body, it.name));
}
