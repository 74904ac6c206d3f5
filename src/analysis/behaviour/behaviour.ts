import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { functionAround, type FunctionNode, type Node } from '../syntax/ast.ts';
import { seenFromOutside } from '../connections/loans.ts';
import { asReads } from '../connections/read-transactions.ts';
import { NOTHING_DECLARED } from '../effects/declared-calls.ts';
import type { FileFacts } from '../file/file.ts';
import type { Place } from '../file/place.ts';
import type { FunctionValue, Value } from '../file/value.ts';
import { collect } from './collect.ts';
import { formsOfCall } from './forms-of-call.ts';
import { type Behaviour, type Collected, nothingYet, waitedFor } from './collected.ts';
import { withFills } from './read-through.ts';
import { keyOfView, type View, WHOLE } from './views.ts';

export type { Behaviour };

const NOTHING: Behaviour = nothingYet();

/** The effects of a call of the function; a function that calls itself adds nothing new to itself. */
export function behaviourOfFunction(fn: FunctionValue): Behaviour {
  return waitedFor(ofFunction(fn, WHOLE));
}

/** The effects of running the expression or statement, as seen from the function around it. */
export function behaviourOf(file: FileFacts, node: Node, scope: Node): Behaviour {
  return waitedFor(collected(file, node, scope, WHOLE));
}

/** The same, and undefined as soon as one call could do anything: most code calls such a thing early, so this asks less of other files. */
export function knownBehaviourOf(
  file: FileFacts,
  node: Node,
  scope: Node,
  declared = NOTHING_DECLARED,
): Behaviour | undefined {
  const behaviour = waitedFor(collected(file, node, scope, { extent: 'known', declared }));
  return behaviour.unknown ? undefined : behaviour;
}

/** The same of an iteration of a loop statement with a next iteration: a query in a `return` runs once. */
export function knownBehaviourOfRound(
  file: FileFacts,
  body: Node,
  scope: Node,
): Behaviour | undefined {
  const view: View = { extent: 'known', declared: NOTHING_DECLARED };
  const behaviour = waitedFor(collected(file, body, scope, view, functionAround(body)));
  return behaviour.unknown ? undefined : behaviour;
}

export function knownBehaviourOfFunction(
  fn: FunctionValue,
  declared = NOTHING_DECLARED,
): Behaviour | undefined {
  const behaviour = waitedFor(ofFunction(fn, { extent: 'known', declared }));
  return behaviour.unknown ? undefined : behaviour;
}

/** The first unresolved thing in the code, which could do anything; undefined where all of it is resolved. */
export function unresolvedIn(file: FileFacts, node: Node, scope: Node): Place | undefined {
  const view: View = { extent: 'known', declared: NOTHING_DECLARED };
  return waitedFor(collected(file, node, scope, view)).unknown;
}

/** The same of a call of the function. */
export function unresolvedInFunction(fn: FunctionValue): Place | undefined {
  return waitedFor(ofFunction(fn, { extent: 'known', declared: NOTHING_DECLARED })).unknown;
}

/** The method that stands for all that a call through an interface of pools and connections may run. */
export function leadingForm(callee: Value): FunctionValue | undefined {
  return formsOfCall({ view: WHOLE, behaviourOf: ofFunction }, callee)?.leading;
}

const behaviourIn = query(
  'behaviour',
  (file: FileFacts, node: FunctionNode, view: View): Behaviour => {
    const code = { file, root: bodyOf(node), scope: node, view, left: undefined };
    const { reached, ...found } = collect({ ...code, isCallee: true, behaviourOf: ofFunction });
    const filled = asReads(file, node, withFills(file, reached));
    return { ...found, effects: seenFromOutside(file, node, filled) };
  },
  {
    whileCyclic: NOTHING,
    isCompared: false,
    tooDeep: (file: FileFacts, node: FunctionNode) => ({ ...NOTHING, unknown: { file, node } }),
    keyOf: keyOfView,
  },
);

function ofFunction({ file, node }: FunctionValue, view: View): Behaviour {
  return behaviourIn(file, node, view);
}

/** Without what is in a `return` of the function `left`. */
function collected(
  file: FileFacts,
  root: Node,
  scope: Node,
  view: View,
  left?: FunctionNode,
): Collected {
  return collect({ file, root, scope, view, isCallee: false, left, behaviourOf: ofFunction });
}
