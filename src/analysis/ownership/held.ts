import type { TSESTree } from '@typescript-eslint/utils';
import { bare, contains, type Node } from '../syntax/ast.ts';
import { isCall } from '../syntax/calls.ts';
import { leadsTo, type Step } from '../flow/graph.ts';
import type { Tour } from './state.ts';

/**
 * What a function awaits while it holds the connection and nothing has failed: until it releases it or, where it has passed it
 * to code that may have released it, until its last use.
 */
export function heldAwaits(tour: Tour): ReadonlySet<TSESTree.AwaitExpression> {
  const { heldAt, goneAt, transfers } = tour.notes;
  const { begins } = tour.subject;
  const isOnlyPassed = [...transfers].every((it) => it === 'passed' || it === 'kept');
  const lent = isOnlyPassed ? [...goneAt].filter((it) => isUsedAfter(tour, it)) : [];
  const awaits = new Set([...heldAt, ...lent].flatMap(({ node }) => (node && awaitOf(node)) ?? []));
  // A checkout is also come to while the last round's is held: that one is lost, which is another matter.
  for (const it of awaits) if (begins && contains(it, begins)) awaits.delete(it);
  return awaits;
}

/** The awaits that every path reaches with the connection held. */
export function alwaysHeldAwaits(tour: Tour): ReadonlySet<TSESTree.AwaitExpression> {
  const { heldAt, goneAt, freeAt } = tour.notes;
  const always = [...heldAt].filter((it) => !goneAt.has(it) && !freeAt.has(it));
  const notes = { ...tour.notes, heldAt: new Set(always), goneAt: new Set<Step>() };
  return heldAwaits({ ...tour, notes });
}

/** The await, or the one around a call: by then the call may have taken the connection along. */
function awaitOf(node: Node): TSESTree.AwaitExpression | undefined {
  if (node.type === 'AwaitExpression') return node;
  let it = node.parent;
  while (it && bare(it) !== it) it = it.parent;
  return isCall(node) && it?.type === 'AwaitExpression' ? it : undefined;
}

function isUsedAfter(tour: Tour, step: Step): boolean {
  // no veto: spares most steps the search.
  if (!step.node || !awaitOf(step.node)) return false;
  return leadsTo(
    step,
    ({ node }) => node?.type === 'Identifier' && isUse(tour, node),
    ({ kind, to }) =>
      kind !== 'throw' &&
      kind !== 'abandon' &&
      to.node !== tour.subject.begins &&
      !(to.node && isRenewed(tour, to.node)),
  );
}

/** `client = await pool.connect()` once more: from here on the name means another. */
function isRenewed({ file, notes }: Tour, node: Node): boolean {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'Identifier') return false;
  const variable = file.variableOf(node.left);
  return variable !== undefined && notes.names.has(variable);
}

/** `client.query`, `client.release`, `save(client)`: more than a look whether it is there. */
function isUse({ file, notes }: Tour, name: TSESTree.Identifier): boolean {
  const variable = file.variableOf(name);
  const { parent } = name as Node;
  const isNamed = variable !== undefined && notes.names.has(variable);
  return isNamed && (parent?.type === 'MemberExpression' || parent?.type === 'CallExpression');
}
