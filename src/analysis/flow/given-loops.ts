import type { TSESTree } from '@typescript-eslint/utils';
import { query } from '../../engine/query.ts';
import type { FileFacts } from '../file/file.ts';
import type { Place } from '../file/place.ts';
import { parameterAt } from '../provenance/given-parts.ts';
import { valueOf } from '../provenance/value-of.ts';
import {
  bare,
  calledName,
  contains,
  functionAround,
  type FunctionNode,
  isFunction,
  isLoop,
  type LoopNode,
  type Node,
  rootOf,
  walk,
} from '../syntax/ast.ts';
import { conditionsOn } from '../syntax/conditions.ts';
import { handedBackBy } from './given-waits.ts';

/** A call of the project that runs a function which it is given, in a loop that waits for each run. */
export interface GivenLoop {
  readonly call: TSESTree.CallExpression;
  /** 'series' goes over elements, one run each; 'repeated' runs it again and again. */
  readonly kind: 'series' | 'repeated';
  /** What it goes over, where the call passes that. */
  readonly over: TSESTree.Expression | undefined;
  /** Where the loop calls the function. */
  readonly by: Place;
}

/** The call that runs `fn` in a loop: `inTurn(orders, async (order) => …)`, or `inTurn(orders, close)` in the same file. */
export function givenLoopOf(file: FileFacts, fn: FunctionNode): GivenLoop | undefined {
  // no veto: what waits for nothing, no rule about loops looks at.
  if (!fn.async && handedBackBy(fn).length === 0) return undefined;
  for (const place of placesOf(file, fn)) {
    const call = place.parent;
    // no veto: it awaits nothing that it runs.
    if (call?.type !== 'CallExpression' || BUILT_IN.has(calledName(call.callee) ?? '')) continue;
    const index = call.arguments.indexOf(place as TSESTree.Expression);
    const callee = index === -1 ? undefined : valueOf(file, call.callee);
    if (callee?.kind !== 'function') continue;
    const runs = runsInLoop(callee.file, callee.node, index);
    if (!runs) continue;
    const { kind, over, by } = runs;
    const list = over === undefined ? undefined : call.arguments[over];
    return { call, kind, over: list?.type === 'SpreadElement' ? undefined : list, by };
  }
  return undefined;
}

/** The methods of the language, which the functions of a project that run others in turn share no name with. */
const BUILT_IN = new Set(
  [Array, Map, Promise, Set, String].flatMap((it) => Object.getOwnPropertyNames(it.prototype)),
);

/** Where a function stands as a value, and where its file names it. */
function placesOf(file: FileFacts, fn: FunctionNode): readonly Node[] {
  const { parent } = fn;
  if (parent.type === 'CallExpression') return [fn];
  const name = parent.type === 'VariableDeclarator' ? parent.id : fn.id;
  const variable = name?.type === 'Identifier' ? file.variableOf(name) : undefined;
  return (variable?.references ?? []).flatMap((it) => (it.init ? [] : [it.identifier as Node]));
}

interface Runs {
  readonly kind: GivenLoop['kind'];
  /** The index of the parameter that it goes over. */
  readonly over: number | undefined;
  readonly by: Place;
}

const runsInLoop = query(
  'runs what it is given in a loop',
  (file: FileFacts, fn: FunctionNode, index: number): Runs | undefined => {
    const parameter = fn.params[index];
    const variable = parameter?.type === 'Identifier' ? file.variableOf(parameter) : undefined;
    const uses = variable?.references.map((it) => it.identifier as Node) ?? [];
    const [use, ...others] = uses;
    const call = use?.parent;
    // no veto: the shape of a call.
    if (call?.type !== 'CallExpression' || call.callee !== use) return undefined;
    // veto: the called function also passes its callback on, or runs it at a second place
    if (others.length > 0) return undefined;
    const loop = functionAround(call) === fn ? loopStatementAround(call, fn) : undefined;
    // veto: the called function does not await its callback in a loop
    if (!loop || !isAwaitedWithin(call, loop)) return undefined;
    // veto: the loop of the called function ends with the first success, so its iterations are attempts
    if (leavesOnSuccess(loop.body)) return undefined;
    return { ...whatItGoesOver(file, fn, loop), by: { file, node: call } };
  },
  { whileCyclic: undefined, isCompared: false },
);

function isAwaitedWithin(call: Node, loop: LoopNode): boolean {
  for (let it = call.parent; it && it !== loop; it = it.parent)
    if (it.type === 'AwaitExpression') return true;
  return false;
}

function loopStatementAround(node: Node, fn: FunctionNode): LoopNode | undefined {
  for (let it = node.parent; it && it !== fn; it = it.parent) if (isLoop(it)) return it;
  return undefined;
}

function whatItGoesOver(
  file: FileFacts,
  fn: FunctionNode,
  loop: LoopNode,
): Pick<Runs, 'kind' | 'over'> {
  if (loop.type !== 'ForOfStatement' && loop.type !== 'ForInStatement')
    return { kind: 'repeated', over: undefined };
  const list = parameterAt(file, rootOf(bare(loop.right)));
  return { kind: 'series', over: list?.fn === fn ? list.index : undefined };
}

/** The first iteration that gets to its end is the last: those before it are attempts. */
export function leavesOnSuccess(body: Node): boolean {
  let leaves = false;
  walk(body, (it) => {
    if (isFunction(it) || (it !== body && isLoop(it))) return false;
    if (it.type === 'ReturnStatement' || it.type === 'BreakStatement') {
      leaves ||= conditionsOn(it, body).length === 0;
    }
    return !leaves;
  });
  return leaves;
}

/** Whether all that a loop statement waits for is a function that its own function was given: what that does is reported where it is given. */
export function runsOnlyWhatIsGiven(
  file: FileFacts,
  loop: Node,
  awaited: readonly Node[],
): boolean {
  const fn = functionAround(loop);
  return (
    fn !== undefined && awaited.length > 0 && awaited.every((it) => isGiven(file, it, fn, loop))
  );
}

function isGiven(file: FileFacts, awaited: Node, fn: FunctionNode, loop: Node): boolean {
  if (awaited.type !== 'AwaitExpression') return false;
  const call = bare(awaited.argument);
  const given = call.type === 'CallExpression' ? parameterAt(file, bare(call.callee)) : undefined;
  const runs = given?.fn === fn ? runsInLoop(file, fn, given.index) : undefined;
  return runs !== undefined && contains(loop, runs.by.node);
}
