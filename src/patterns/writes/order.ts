import { valueOf } from '../../analysis/provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../../analysis/syntax/names.ts';
import {
  contains,
  type FunctionNode,
  isFunction,
  type Node,
  rootOf,
  walk,
  walkOwn,
} from '../../analysis/syntax/ast.ts';
import { type Call, isCall } from '../../analysis/syntax/calls.ts';
import {
  completes,
  conditionsOn,
  exitsOf,
  handlersAround,
  isChoice,
} from '../../analysis/syntax/conditions.ts';
import { wayTo } from '../../analysis/loops/effect-places.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import { isRefusal } from '../../analysis/flow/failures.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { asksWithNeighbours } from '../../analysis/loops/neighbours.ts';
import { writtenTarget } from '../../analysis/effects/memory.ts';
import { mentions, variablesIn } from '../../analysis/syntax/mentions.ts';
import { parameterCalled } from '../../analysis/effects/parameter-calls.ts';
import { alternativesOf } from '../../analysis/file/value.ts';

interface PlacedWrite {
  readonly place: Node;
}

/** Whether what a write answers is needed by another call (the id of a parent, the row before), or decides whether that is made, or the loop goes on. */
export function feedsOthers(file: FileFacts, loop: Loop, writes: readonly PlacedWrite[]): boolean {
  const places = writes.map((it) => it.place);
  const answers = answersOf(file, loop, places);
  const saved = savedIn(file, loop, places);
  let feeds = false;
  walk(loop.body, (it) => {
    if (it.type === 'IfStatement') feeds ||= isAsked(it.test) && mayEnd(loop, it);
    feeds ||= givenTo(file, it, saved).some((part) => mentions(file, part, answers));
    if (it.type !== 'CallExpression' || it.parent.type !== 'AwaitExpression') return;
    feeds ||= it.arguments.some((argument) => mentions(file, argument, answers));
    feeds ||= isForThoseWritten(it);
  });
  return feeds || asksWithNeighbours(file, loop, places);

  /** `const { count } = await claim(it); if (count === 0) continue; await send(it);`: a row that is not won is not sent. */
  function isForThoseWritten(call: Node): boolean {
    if (places.some((it) => contains(it, call) || contains(call, it))) return false;
    return conditionsOn(call, loop.body).some(
      (it) => it.test !== undefined && isChoice(it) && isAsked(it.test),
    );
  }

  function isAsked(test: Node): boolean {
    return places.some((it) => contains(test, it)) || mentions(file, test, answers);
  }
}

/** The elements, and what is made for them, that write themselves: `row.save()`. */
function savedIn(file: FileFacts, { node }: Loop, places: readonly Node[]): ReadonlySet<Variable> {
  const receivers = places.flatMap((it) =>
    it.type === 'CallExpression' && it.callee.type === 'MemberExpression' ? [it.callee.object] : [],
  );
  const variables = receivers.flatMap((it) => [...variablesIn(file, rootOf(it))]);
  return new Set(variables.filter((it) => it.identifiers.some((own) => contains(node, own))));
}

/** What becomes part of one of them: `row.previous = id`, `row.set({ previous: id })`, `new Row({ previous: id })`. */
function givenTo(file: FileFacts, node: Node, saved: ReadonlySet<Variable>): readonly Node[] {
  const isSaved = (it: Node) => mentions(file, rootOf(it), saved);
  switch (node.type) {
    case 'VariableDeclarator':
      return node.init && isSaved(node.id) ? [node.init] : [];
    case 'AssignmentExpression':
      return isSaved(node.left) ? [node.right] : [];
    case 'CallExpression':
      return node.callee.type === 'MemberExpression' && isSaved(node.callee.object)
        ? node.arguments
        : [];
    default:
      return [];
  }
}

/** What throws has failed, and the loop was to go to its end; to return from a callback is to go on with the next element. */
function mayEnd({ node }: Loop, { consequent, alternate }: TSESTree.IfStatement): boolean {
  const exits = [consequent, alternate].flatMap((it) => (it ? exitsOf(it) : []));
  return exits.includes('break') || (exits.includes('return') && /Statement$/.test(node.type));
}

/** The variables that hold what is answered at these places of a body, those of the body and those around it. */
export function answersOf(
  file: FileFacts,
  { body }: Pick<Loop, 'body'>,
  places: readonly Node[],
): ReadonlySet<Variable> {
  const found = new Set<Variable>();
  const holds = (node: Node) =>
    places.some((place) => contains(node, place)) || mentions(file, node, found);
  // Twice, because an iteration may use what is set further down by the one before.
  for (let pass = 0; pass < 2; pass++) {
    walkOwn(body, (it) => {
      if (it.type === 'VariableDeclarator') {
        if (it.init && holds(it.init)) add(it.id);
        return;
      }
      const target = writtenTarget(it);
      // What is counted or set to something else holds no answer.
      if (target && partsOf(it, target).some(holds)) add(rootOf(target));
    });
  }
  return found;

  function add(target: Node): void {
    for (const it of variablesIn(file, target)) found.add(it);
  }
}

/** What the assignment, or the call that changes its receiver, puts there. */
function partsOf(node: Node, target: Node): readonly Node[] {
  if (node.type === 'AssignmentExpression') return [node.right];
  return node.type === 'CallExpression' ? node.arguments : [target];
}

/** Whether a row that fails leaves the others as they are: the loop catches what the write throws, and goes on. */
export function isIsolated(
  file: FileFacts,
  { body }: Loop,
  writes: readonly PlacedWrite[],
): boolean {
  return writes.some(({ place }) => {
    for (let it = place; it !== body && it.parent; it = it.parent) {
      const { parent } = it;
      if (parent.type === 'TryStatement' && parent.block === it && parent.handler) {
        return goesOn(file, parent.handler.body);
      }
      if (parent.type === 'MemberExpression' && isCatch(parent.property)) return true;
      if (isFunction(it) && isCaughtByCallee(file, it)) return true;
    }
    return false;
  });
}

/** `const { ok } = await save(row)`, as far as `save` goes: it catches what the write throws, and throws nothing itself. */
export function isCaughtOnTheWay(file: FileFacts, place: Node, effect: Effect): boolean {
  return handlersOnTheWay(file, place, effect).some((it) => !exitsOf(it).includes('throw'));
}

/** `await note(row)`, as far as `note` goes: what the write throws is caught, and not even logged. */
export function isPassedOver(file: FileFacts, place: Node, effect: Effect): boolean {
  return handlersOnTheWay(file, place, effect).some((it) => it.body.length === 0);
}

function handlersOnTheWay(file: FileFacts, place: Node, effect: Effect) {
  const way = wayTo({ file, node: place }, effect);
  return way.flatMap(({ node, root }) => handlersAround(node, root).map(({ body }) => body));
}

/** `await attempt(() => save(it))`: the function that runs it catches what it throws, and returns. */
function isCaughtByCallee(file: FileFacts, fn: FunctionNode): boolean {
  const call = fn.parent;
  // no veto: nobody is given the function.
  if (call.type !== 'CallExpression') return false;
  const index = call.arguments.indexOf(fn as TSESTree.Expression);
  return alternativesOf(valueOf(file, call.callee)).some((callee) => {
    if (callee.kind !== 'function') return false;
    let isCaught = false;
    walkOwn(bodyOf(callee.node)!, (it) => {
      // no veto: nothing is caught here.
      if (it.type !== 'TryStatement' || !it.handler || exitsOf(it.handler.body).includes('throw'))
        return;
      // What does more than to try it takes back what it has begun: a transaction for each.
      const [only, ...others] = callsIn(it.block);
      isCaught ||=
        others.length === 0 &&
        only !== undefined &&
        parameterCalled(callee.file, only, callee.node)?.index === index;
    });
    return isCaught;
  });
}

function callsIn(block: Node): readonly Call[] {
  const calls: Call[] = [];
  walkOwn(block, (it) => {
    if (isCall(it)) calls.push(it);
  });
  return calls;
}

/** On some path; on others it may give up. */
function goesOn(file: FileFacts, handler: TSESTree.BlockStatement): boolean {
  let isNext = completes(handler) && !endsInRefusal(file, handler);
  walkOwn(handler, (it) => {
    if (it.type === 'ContinueStatement') isNext = true;
  });
  return isNext;
}

function isCatch(property: Node): boolean {
  return property.type === 'Identifier' && property.name === 'catch';
}

/** `catch (error) { refuse(error); }` of a function that only throws. */
function endsInRefusal(file: FileFacts, { body }: TSESTree.BlockStatement): boolean {
  const last = body.at(-1);
  return (
    last?.type === 'ExpressionStatement' &&
    last.expression.type === 'CallExpression' &&
    isRefusal(file, last.expression)
  );
}
