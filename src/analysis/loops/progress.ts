import type { Variable } from '../syntax/names.ts';
import { contains, type Node, walkOwn } from '../syntax/ast.ts';
import { completes, type Condition } from '../syntax/conditions.ts';
import type { FileFacts } from '../file/file.ts';
import type { Loop } from '../flow/loops.ts';
import { mentions, variablesIn } from '../syntax/mentions.ts';
import { endsAt, startsAt } from '../syntax/places.ts';

/**
 * Whether the iteration after one that took this branch is about another item. A `while` that has moved neither its
 * index nor its cursor by then asks for the same item again: it waits until that is there.
 */
export function movesOn(file: FileFacts, loop: Loop, branch: Condition): boolean {
  const { node } = loop;
  const isByHand =
    node.type === 'WhileStatement' ||
    node.type === 'DoWhileStatement' ||
    (node.type === 'ForStatement' && !node.update);
  if (!isByHand || branch.node.type !== 'IfStatement') return true;
  const { test, consequent, alternate } = branch.node;
  const [own, other] = branch.holds ? [consequent, alternate] : [alternate, consequent];
  // What follows a branch that leaves is not reached from it.
  const end = own && !completes(own) ? endsAt(own) : endsAt(node);
  const isPassed = (it: Node) => startsAt(it) < end && !(other && contains(other, it));
  return mentions(file, test, movedIn(file, loop, isPassed));
}

interface Step {
  readonly variables: readonly Variable[];
  /** What they get, or undefined where they are counted on from what they were. */
  readonly from: Node | undefined;
}

/** The variables that have another value than in the iteration before, once the steps that `isPassed` are done. */
function movedIn(
  file: FileFacts,
  loop: Loop,
  isPassed: (node: Node) => boolean,
): ReadonlySet<Variable> {
  const all = stepsIn(file, loop.node);
  const outer = all.flatMap(({ step }) => step.variables.filter((it) => !isOwn(loop, it)));
  const set = new Set(outer);
  const moved = new Set<Variable>();
  const passed = all.filter(({ node }) => isPassed(node)).map(({ step }) => step);
  // As often as there are steps to hand a move on through.
  for (let pass = 0; pass < 3; pass++) {
    for (const { variables, from } of passed) {
      const moves =
        !from ||
        mentions(file, from, new Set([...moved, ...variables])) ||
        (holdsCall(from) && !mentions(file, from, set));
      if (moves) for (const it of variables) moved.add(it);
    }
  }
  return moved;
}

function isOwn({ body }: Loop, variable: Variable): boolean {
  return variable.defs.some(({ name }) => contains(body, name as Node));
}

function stepsIn(file: FileFacts, root: Node): readonly { node: Node; step: Step }[] {
  const found: { node: Node; step: Step }[] = [];
  walkOwn(root, (node) => {
    switch (node.type) {
      case 'UpdateExpression':
        found.push({
          node,
          step: { variables: variablesIn(file, node.argument), from: undefined },
        });
        break;
      case 'AssignmentExpression': {
        const from = node.operator === '=' ? node.right : undefined;
        found.push({ node, step: { variables: variablesIn(file, node.left), from } });
        break;
      }
      case 'VariableDeclarator':
        if (node.init) {
          found.push({ node, step: { variables: variablesIn(file, node.id), from: node.init } });
        }
        break;
    }
  });
  return found;
}

function holdsCall(node: Node): boolean {
  let found = false;
  walkOwn(node, (it) => {
    found ||= it.type === 'CallExpression';
  });
  return found;
}
