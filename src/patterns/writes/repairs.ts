import { bare, contains, type Node, rootOf, walkOwn } from '../../analysis/syntax/ast.ts';
import {
  completes,
  type Condition,
  conditionsOn,
  isChoice,
} from '../../analysis/syntax/conditions.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { iterationOf } from '../../analysis/loops/iteration-variables.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { writtenTarget } from '../../analysis/effects/memory.ts';
import { mentions, mentionsSome } from '../../analysis/syntax/mentions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { endsAt, startsAt } from '../../analysis/syntax/places.ts';

/**
 * Whether a loop that gathers an answer writes only where it finds an element that needs it: offers that have run out, on
 * the way to all offers. What is asked for is the list, and few rows are put right for it, if any.
 */
export function isRepairBeside(file: FileFacts, loop: Loop, place: Node): boolean {
  const branch = conditionsOn(place, loop.body).find((it) => isChoice(it) && isOneSided(it));
  if (!branch) return false;
  return gathersBeside(file, loop, branch.node) || isShownPutRight(file, loop, branch.node, place);
}

/** `if (expired) await close(offer);`: elements of which it does not hold are left as they are, and all go on. */
function isOneSided({ node }: Condition): boolean {
  // veto: the `if` around the write has no `else`, so the loop repairs only the elements that need it
  return node.type === 'IfStatement' && node.alternate === null && completes(node.consequent);
}

/** `offers.push(offer)` for each element that comes by, whether or not it was put right, and the list is used after the loop. */
function gathersBeside(file: FileFacts, loop: Loop, branch: Node): boolean {
  const over = loop.over && rootVariable(file, loop.over);
  // veto of an exclusion: the caller passes the list, so it has selected the elements
  if (over?.defs.some(({ type }) => type === 'Parameter')) return false;
  const { kept, own } = iterationOf(file, loop);
  return kept.some((it) => {
    const list = rootVariable(file, writtenTarget(it)!);
    return (
      list !== undefined &&
      !contains(branch, it) &&
      // veto: the loop adds each element to the list, and not only those with a problem
      !conditionsOn(it, loop.body).some(({ kind }) => kind === 'branch' || kind === 'catch') &&
      // veto: the loop collects the elements themselves, and not their number
      mentions(file, it, own) &&
      isUsedAfter(list, loop)
    );
  });
}

/** `offer.isOpen = false` beside the write, of an offer that the caller gets to see. */
function isShownPutRight(file: FileFacts, loop: Loop, branch: Node, place: Node): boolean {
  const list = loop.over && rootVariable(file, loop.over);
  // veto of an exclusion: no code after the loop uses the list, so the loop is there only to write
  if (!list || !isUsedAfter(list, loop)) return false;
  let isShown = false;
  walkOwn(branch, (it) => {
    if (it.type !== 'AssignmentExpression' || bare(it.left).type !== 'MemberExpression') return;
    const element = rootVariable(file, it.left);
    isShown ||= !!element && loop.variables.has(element) && !isSaved(file, place, element);
  });
  return isShown;
}

/** `offer.save()`, `offers.save(offer)`: what was set before it is what it writes. */
function isSaved(file: FileFacts, write: Node, element: Variable): boolean {
  return mentionsSome(file, write, (it, { parent }) => {
    if (it !== element) return false;
    const isCalled =
      parent.type === 'MemberExpression' &&
      parent.parent.type === 'CallExpression' &&
      parent.parent.callee === parent;
    return isCalled || parent.type !== 'MemberExpression';
  });
}

function rootVariable(file: FileFacts, node: Node): Variable | undefined {
  const root = rootOf(node);
  return root.type === 'Identifier' ? file.variableOf(root) : undefined;
}

function isUsedAfter({ references }: Variable, { node }: Loop): boolean {
  return references.some((it) => startsAt(it.identifier) > endsAt(node));
}
