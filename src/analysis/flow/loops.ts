import { valueOf } from '../provenance/value-of.ts';
import { collect } from '../../engine/regions.ts';
import { query, queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../syntax/names.ts';
import {
  bare,
  contains,
  type FunctionNode,
  isFunction,
  isLoop,
  isNamed,
  type LoopNode,
  type Node,
  propertyName,
  walk,
  walkOwn,
} from '../syntax/ast.ts';
import { callbackOf } from '../provenance/contextual.ts';
import { type Condition, conditionsOn } from '../syntax/conditions.ts';
import { mappingOf } from '../syntax/elements.ts';
import type { FileFacts } from '../file/file.ts';
import type { Place } from '../file/place.ts';
import { givenLoopOf } from './given-loops.ts';
import { countOf } from './loop-bounds.ts';
import { repeatingNames } from '../model/names.ts';
import { endsAt, rangeOf, startsAt } from '../syntax/places.ts';
import { type Round, roundsOf } from './rounds.ts';
import { inlineCallOf } from './waits.ts';

/**
 * The origin of the iterations. 'elements' is an array method's callback (its promises run concurrently), 'reduce' an async
 * reduce or a promise chain built by one, 'series' a library or a function of the project that calls sequentially for each
 * element, 'repeated' a function of the project that calls again and again, 'recursion' a function that awaits its own next call,
 * 'timer' one that sets a timer for it, 'interval' a setInterval, 'consumer' a handler that a library calls once per message, job
 * or request.
 */
export type LoopKind =
  | 'for'
  | 'for-in'
  | 'for-of'
  | 'for-await'
  | 'while'
  | 'do-while'
  | 'elements'
  | 'reduce'
  | 'series'
  | 'repeated'
  | 'recursion'
  | 'timer'
  | 'interval'
  | 'consumer';

export interface Loop {
  readonly kind: LoopKind;
  /** The statement, the call that takes the callback, or the function that runs again. */
  readonly node: Node;
  /** The code that runs once per iteration. */
  readonly body: Node;
  /** The loop's first line, without its body: the range that a report underlines. */
  readonly head: readonly [number, number];
  /** One iteration ends before the next begins. */
  readonly isSequential: boolean;
  /** The iterated value, where the source names it: `rows` in `for (const row of rows)`. */
  readonly over: TSESTree.Expression | undefined;
  /** The loop around this one in the same function, or around the function that this loop's body is. */
  readonly outer: Loop | undefined;
  /** The awaits of one iteration: not those of loops or functions inside it. */
  readonly awaits: readonly LoopAwait[];
  /** Variables that are new in each iteration: the loop variable and what the body declares, or the parameters. */
  readonly variables: ReadonlySet<Variable>;
  /** A proved upper bound of the number of iterations. */
  readonly bound: number | undefined;
  /** For 'recursion' and 'timer': the expressions that start the next iteration. */
  readonly rounds: readonly Round[];
  /** Where a function of the project runs the body, in a loop of its own. */
  readonly by: Place | undefined;
}

export interface LoopAwait {
  readonly node: TSESTree.AwaitExpression | TSESTree.ForOfStatement;
  readonly conditions: readonly Condition[];
  /** Some iterations that complete pass this await and others do not. */
  readonly isConditional: boolean;
}

/** Every loop of the file in source order. */
export const loopsOf = queryOfFile(
  'loops',
  (file: FileFacts): readonly Loop[] => {
    return shallow(loopsOfRegions(file).toSorted((a, b) => startsAt(a.node) - startsAt(b.node)));
  },
  { whileCyclic: [] },
);

const loopsOfRegions: (file: FileFacts) => readonly Loop[] = collect(
  'loops of regions',
  (file: FileFacts, { all }) => all(...LOOPS, ...FUNCTIONS).flatMap((it) => loopAt(file, it) ?? []),
);

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'] as const;
const LOOPS = [
  ...['ForStatement', 'ForOfStatement', 'ForInStatement'],
  ...['WhileStatement', 'DoWhileStatement'],
] as const;

/** The innermost loop one of whose iterations runs `node`; undefined where a function between them runs at another time. */
export function loopAround(file: FileFacts, node: Node): Loop | undefined {
  for (let it = node, parent = it.parent; parent; it = parent, parent = it.parent) {
    if (isLoop(parent) && repeatedParts(parent).includes(it)) return loopAt(file, parent);
    if (isFunction(it)) {
      const loop = loopAt(file, it);
      if (loop && it !== node && contains(bodyOf(it), node)) return loop;
      if (!inlineCallOf(it)) return undefined;
    }
  }
  return undefined;
}

/** The loop that a statement is, or that a function is the body of. */
const loopAt = query(
  'loop',
  (file: FileFacts, node: LoopNode | FunctionNode): Loop | undefined =>
    isFunction(node) ? functionLoop(file, node) : statementLoop(file, node),
  { whileCyclic: undefined, isCompared: false },
);

/** Each loop is looked at with all that is inside of it: this bounds the time, and people nest a handful. */
const MAXIMUM_NESTING = 20;

function shallow(loops: readonly Loop[]): readonly Loop[] {
  const ends: number[] = [];
  return loops.filter(({ node }) => {
    while (ends.length > 0 && ends.at(-1)! <= startsAt(node)) ends.pop();
    return ends.push(endsAt(node)) <= MAXIMUM_NESTING;
  });
}

const KINDS = {
  ForStatement: 'for',
  ForInStatement: 'for-in',
  ForOfStatement: 'for-of',
  WhileStatement: 'while',
  DoWhileStatement: 'do-while',
} as const;

function statementLoop(file: FileFacts, node: LoopNode): Loop {
  const isAwaited = node.type === 'ForOfStatement' && node.await && !isList(file, node.right);
  const over =
    node.type === 'ForOfStatement' || node.type === 'ForInStatement' ? node.right : undefined;
  return loopOf(file, {
    kind: isAwaited ? 'for-await' : KINDS[node.type],
    node,
    body: node.body,
    isSequential: true,
    over,
    ...NO_ROUNDS,
  });
}

const NO_ROUNDS = { rounds: [], by: undefined };

/** The loop that a function is the body of, if it is one. */
function functionLoop(file: FileFacts, node: FunctionNode): Loop | undefined {
  const call = node.parent;
  if (call?.type === 'CallExpression' && call.arguments.includes(node as TSESTree.Expression)) {
    const kind = callbackKind(file, node, call);
    if (kind) {
      const callee = bare(call.callee);
      return loopOf(file, {
        kind,
        node: call,
        body: bodyOf(node),
        isSequential: kind === 'reduce' || kind === 'series',
        over:
          kind === 'elements' || kind === 'reduce'
            ? (mappingOf(call)?.over ?? (callee as TSESTree.MemberExpression).object)
            : undefined,
        ...NO_ROUNDS,
      });
    }
  }
  const given = givenLoopOf(file, node);
  if (given) {
    const { kind, call: runner, over, by } = given;
    const body = bodyOf(node);
    return loopOf(file, { kind, node: runner, body, isSequential: true, over, rounds: [], by });
  }
  const rounds = roundsOf(file, node);
  if (rounds.length === 0) return undefined;
  return loopOf(file, {
    kind: rounds.every((it) => it.isAwaited) ? 'recursion' : 'timer',
    node,
    body: bodyOf(node),
    isSequential: true,
    over: undefined,
    rounds,
    by: undefined,
  });
}

const ELEMENT_METHODS = new Set(['forEach', 'filter', 'some', 'every', 'find']);

function callbackKind(
  file: FileFacts,
  node: FunctionNode,
  call: TSESTree.CallExpression,
): LoopKind | undefined {
  const callee = bare(call.callee);
  const isFirst = call.arguments[0] === (node as TSESTree.Expression);
  const mapping = mappingOf(call);
  // `Array.from({ length: 4 }, work)` starts workers, and goes over no data.
  if (mapping?.fn === node && mapping.over.type !== 'ObjectExpression' && node.params.length <= 3)
    return 'elements';
  if (isFirst && callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
    if (callee.property.name === 'reduce') return 'reduce';
    // Only `map` and its kin on something that is not a library's object: `cursor.forEach` is the library's affair.
    if (ELEMENT_METHODS.has(callee.property.name) && node.params.length <= 3) return 'elements';
  }
  if (isFirst && isNamed(callee, 'setInterval')) return 'interval';
  const method = callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
  // no veto: spares most methods the question what they are.
  if (method !== undefined && !repeatingNames.has(method)) return undefined;
  const known = callbackOf(file, node);
  if (known?.callback.series) return 'series';
  return known?.callback.runs ? 'consumer' : undefined;
}

type LoopParts = Pick<Loop, 'kind' | 'node' | 'body' | 'isSequential' | 'over' | 'rounds' | 'by'>;

function loopOf(file: FileFacts, parts: LoopParts): Loop {
  return {
    ...parts,
    get head() {
      return headOf(parts);
    },
    get awaits() {
      return awaitsOfLoop(file, parts);
    },
    get variables() {
      return variablesOfLoop(file, parts);
    },
    get bound() {
      return boundOfLoop(file, parts);
    },
    get outer() {
      return loopAround(file, isLoop(parts.node) ? parts.node : functionOf(parts.body));
    },
  };
}

const awaitsOfLoop = query(
  'awaits of a loop',
  (_: FileFacts, { node, body }: LoopParts): readonly LoopAwait[] => awaitsOf(node, body),
  { whileCyclic: [] },
);

const variablesOfLoop = query(
  'variables of a loop',
  (file: FileFacts, { node, body }: LoopParts): ReadonlySet<Variable> =>
    variablesOf(file, node, body),
  { whileCyclic: new Set() },
);

const boundOfLoop = query(
  'bound of a loop',
  (file: FileFacts, { node, over }: LoopParts): number | undefined => countOf(file, node, over),
  { whileCyclic: undefined },
);

/** The conditions of a place in an iteration: to return from a function that something else calls is to go on with the next. */
export function conditionsIn(
  { node, body }: Pick<Loop, 'node' | 'body'>,
  place: Node,
): readonly Condition[] {
  const found = conditionsOn(place, body);
  if (node.type !== 'CallExpression') return found;
  return found.map((it) => ({
    ...it,
    leaves: it.leaves.map((way) => (way === 'return' ? 'continue' : way)),
  }));
}

/** The loop statements of a function, and of the functions in it. */
export function loopsWithin(file: FileFacts, fn: FunctionNode): readonly Loop[] {
  const found: Loop[] = [];
  walk(bodyOf(fn), (it) => {
    const loop = isLoop(it) ? loopAt(file, it) : undefined;
    if (loop) found.push(loop);
  });
  return found;
}

/** The loop of the function that runs the body of this one, and its file. */
export function runnerOf({
  by,
}: Loop): { readonly file: FileFacts; readonly loop: Loop } | undefined {
  const loop = by && loopAround(by.file, by.node);
  return loop && { file: by.file, loop };
}

/** All that belongs to the loop in its function, and its head: a function that something else calls is all of it. */
export function wholeOf({ node, body }: Pick<Loop, 'node' | 'body'>): Node {
  return node.type === 'CallExpression' ? body : node;
}

function headOf({ node, body }: LoopParts): readonly [number, number] {
  if (node.type === 'CallExpression') return rangeOf(bare(node.callee));
  const start = startsAt(node);
  return [start, node.type === 'DoWhileStatement' ? start + 2 : startsAt(body)];
}

/** What is there before the loop starts: `for await` waits no longer for its elements than `for` does. */
function isList(file: FileFacts, over: Node): boolean {
  const value = valueOf(file, over);
  return value.kind === 'array' && !value.isAsync;
}

function functionOf(body: Node): Node {
  return isFunction(body.parent) ? body.parent : body;
}

function awaitsOf(loop: Node, body: Node): LoopAwait[] {
  const found: LoopAwait[] = [];
  if (loop.type === 'ForOfStatement' && loop.await) {
    found.push({ node: loop, conditions: [], isConditional: false });
  }
  const tests = isLoop(loop) ? repeatedParts(loop) : [body];
  for (const part of tests) {
    walkOwn(part, (node) => {
      const isNested = isLoop(node) && node !== loop;
      if (
        node.type === 'AwaitExpression' ||
        (isNested && node.type === 'ForOfStatement' && node.await)
      ) {
        const conditions = isLoop(loop)
          ? conditionsOn(node, part)
          : conditionsIn({ node: loop, body }, node);
        found.push({
          node: node as TSESTree.AwaitExpression,
          conditions,
          isConditional: conditions.some(
            (it) => it.kind !== 'exit' || it.leaves.includes('continue'),
          ),
        });
      }
      return !isNested;
    });
  }
  return found;
}

/** The parts of a loop statement that run in every iteration. */
export function repeatedParts(loop: LoopNode): readonly Node[] {
  switch (loop.type) {
    case 'ForStatement':
      return [loop.test, loop.body, loop.update].filter((it) => it !== null);
    case 'WhileStatement':
      return [loop.test, loop.body];
    case 'DoWhileStatement':
      return [loop.body, loop.test];
    default:
      return [loop.body];
  }
}

function variablesOf(file: FileFacts, loop: Node, body: Node): ReadonlySet<Variable> {
  const found = new Set<Variable>();
  const roots = isFunction(body.parent)
    ? [...body.parent.params, body]
    : loop.type === 'ForOfStatement' || loop.type === 'ForInStatement'
      ? [loop.left, body]
      : loop.type === 'ForStatement' && loop.init
        ? [loop.init, body]
        : [body];
  for (const root of roots) {
    walk(root, (node) => {
      if (node.type !== 'Identifier') return;
      const variable = file.variableOf(node);
      if (variable?.defs.some((it) => contains(root, it.name))) found.add(variable);
    });
  }
  return found;
}
