import type { Flow } from '../flow/graph.ts';
import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import type { Variable } from '../syntax/names.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type FunctionNode, type Node, propertyName, undefaulted } from '../syntax/ast.ts';
import { variableKey } from '../syntax/bindings.ts';
import type { FileFacts } from '../file/file.ts';
import { flowOf } from '../flow/flow.ts';
import { mentions } from '../syntax/mentions.ts';
import {
  type Alias,
  blankNotes,
  type Failure,
  keyOfState,
  type Notes,
  type Phase,
  type State,
  type Tour,
  type Truth,
  type Visit,
} from './state.ts';
import { aliasOf, carries } from './handle.ts';
import { keyOfKeeper } from './keepers.ts';
import { keyOfTerms } from './terms.ts';
import { errorNames, keysWorthKeeping, truthOf } from './tests.ts';
import type { FunctionValue } from '../file/value.ts';

/** The state of the handle at the exit of a function. */
export interface Outcome {
  readonly exit: 'exit' | 'thrown';
  readonly phase: Phase;
  readonly failure: Failure;
  /** The handle's own properties. */
  readonly facts: ReadonlyMap<string, Truth>;
  readonly isAsync: boolean;
}

/** Deeper than this nobody follows: what lies below may do anything. */
const MAXIMUM_DEPTH = 6;
const UNKNOWN_OUTCOME: Outcome = {
  exit: 'exit',
  phase: 'gone',
  failure: 'none',
  facts: new Map(),
  isAsync: false,
};

/** The facts that hold for each of the callees; where they disagree, the handle is unresolved. */
export function outcomesOf(
  tour: Tour,
  call: { readonly node: Node; readonly callees: readonly FunctionValue[] },
  state: State,
): readonly Outcome[] {
  const every = call.callees.map((it) => outcomesOfFunction(tour, call.node, it, state));
  // A method that can only throw is there to be overridden.
  const implemented = every.filter((it) => it.some(({ exit }) => exit === 'exit'));
  const all = implemented.length > 0 ? implemented : every;
  const [first, ...others] = all;
  if (!first) return [UNKNOWN_OUTCOME];
  if (others.length === 0) return first;
  return (['exit', 'thrown'] as const).flatMap((exit) => {
    const sets = all.map((it) => it.filter((outcome) => outcome.exit === exit));
    if (sets.some((it) => it.length === 0)) return [];
    const common = sets[0]!.filter((it) =>
      sets.every((set) => set.some((other) => isEqual(it, other))),
    );
    return common.length > 0 ? common : [{ ...UNKNOWN_OUTCOME, exit }];
  });
}

function isEqual(a: Outcome, b: Outcome): boolean {
  return (
    a.phase === b.phase &&
    a.failure === b.failure &&
    a.facts.size === b.facts.size &&
    [...a.facts].every(([key, truth]) => b.facts.get(key) === truth)
  );
}

function outcomesOfFunction(
  tour: Tour,
  at: Node,
  callee: FunctionValue,
  state: State,
): readonly Outcome[] {
  if (tour.depth >= MAXIMUM_DEPTH || callee.node.generator) return [UNKNOWN_OUTCOME];
  const flow = flowOf(callee.file, callee.node);
  const entered = flow && enteredState(tour, at, callee, state);
  if (!flow || !entered) return [UNKNOWN_OUTCOME];
  return outcomesIn(callee.file, flow, { tour, root: callee.node, entered });
}

interface Entry {
  readonly tour: Tour;
  readonly root: FunctionNode;
  readonly entered: State;
}

const outcomesIn = query(
  'outcomes',
  (file: FileFacts, flow: Flow, { tour, root, entered }: Entry): readonly Outcome[] => {
    const { handle, keeper } = tour.subject;
    const inner: Tour = {
      ...{ file, root, terms: tour.terms },
      subject: {
        handle,
        keeper,
        made: new Set(),
        begins: undefined,
        beginsAt: 'expression',
        isLazy: false,
      },
      keys: new Set([...keysWorthKeeping(file, flow), ...entered.facts.keys()]),
      isBlind: false,
      errors: errorNames(file, flow),
      depth: tour.depth + 1,
      isAbandoned: false,
      budget: tour.budget,
      followed: new Set(),
      notes: blankNotes(),
      follow: tour.follow,
    };
    const ends = tour.follow(inner, flow, entered);
    return ends ? outcomesFrom(root, ends, inner.notes) : [UNKNOWN_OUTCOME];
  },
  {
    whileCyclic: [UNKNOWN_OUTCOME],
    isCompared: false,
    keyOf: ({ tour, entered }) => {
      const { handle, keeper } = tour.subject;
      const type = `${handle.library.name}.${handle.typeName}${keyOfKeeper(keeper)}`;
      return `${type} ${tour.depth} ${keyOfState(entered)}${keyOfTerms(tour.terms)}`;
    },
  },
);

function outcomesFrom(
  { async }: FunctionNode,
  ends: readonly Visit[],
  { rejected }: Notes,
): readonly Outcome[] {
  const found = new Map<string, Outcome>();
  const add = (exit: Outcome['exit'], state: State, isAsync: boolean) => {
    const facts = new Map([...state.facts].filter(([key]) => key.startsWith('.')));
    const { phase, failure } = state;
    const key = [exit, phase, failure, isAsync, [...facts].sort()].join();
    found.set(key, { exit, phase, failure, facts, isAsync });
  };
  for (const { step, state } of ends) {
    if (step.kind === 'exit' || step.kind === 'thrown') add(step.kind, state, async);
  }
  // A promise rejects later, whatever function hands it back.
  for (const state of rejected) add('thrown', state, true);
  return [...found.values()];
}

/** The callee's names as the call gives them their values; undefined when the handle is passed in a way not followed. */
function enteredState(
  tour: Tour,
  at: Node,
  callee: FunctionValue,
  state: State,
): State | undefined {
  const isInside = callee.file === tour.file && mentions(tour.file, callee.node, state.aliases);
  const aliases = new Map<Variable, Alias>(isInside ? state.aliases : []);
  const facts = new Map(
    isInside ? state.facts : [...state.facts].filter(([it]) => it.startsWith('.')),
  );
  const args = at.type === 'CallExpression' ? at.arguments : [];
  if (args.some((it) => it.type === 'SpreadElement')) return undefined;
  for (const [i, argument] of args.entries()) {
    const parameter = callee.node.params[i];
    if (!carries(tour, state, argument)) continue;
    // What a function takes no name for it cannot use.
    if (!parameter && !callee.file.textOf(callee.node).includes('arguments')) continue;
    if (!parameter || !entered(tour, state, callee.file, { parameter, argument }, aliases)) {
      return undefined;
    }
  }
  if (at.type === 'CallExpression') {
    for (const [i, parameter] of callee.node.params.entries()) {
      const [name, truth] = argumentTruth(tour, state, parameter, args[i]);
      const variable = name && callee.file.variableOf(name);
      if (variable && truth && !aliases.has(variable))
        facts.set(`v${variableKey(variable)}`, truth);
    }
  }
  return { phase: state.phase, aliases, facts, failure: 'none', isThrown: false, sawError: false };
}

function entered(
  tour: Tour,
  state: State,
  file: FileFacts,
  { parameter, argument }: { parameter: Node; argument: Node },
  aliases: Map<Variable, Alias>,
): boolean {
  const pattern = undefaulted(parameter);
  if (pattern.type === 'Identifier') {
    const variable = file.variableOf(pattern);
    const alias = aliasOf(tour, state, argument);
    if (!variable || !alias) return false;
    aliases.set(variable, alias);
    return true;
  }
  const object = bare(argument);
  if (pattern.type !== 'ObjectPattern' || object.type !== 'ObjectExpression') return false;
  return object.properties.every((property) => {
    if (property.type !== 'Property') return !carries(tour, state, property.argument);
    if (!carries(tour, state, property.value)) return true;
    const target = pattern.properties.find(
      (it) => it.type === 'Property' && propertyName(it) === propertyName(property),
    );
    if (target?.type !== 'Property') return false;
    return entered(
      tour,
      state,
      file,
      { parameter: target.value, argument: property.value },
      aliases,
    );
  });
}

function argumentTruth(
  tour: Tour,
  state: State,
  parameter: Node,
  argument: Node | undefined,
): [TSESTree.Identifier | undefined, Truth | undefined] {
  const target = undefaulted(parameter);
  if (target.type !== 'Identifier') return [undefined, undefined];
  const truth = argument ? truthOf(tour, state, argument) : 'nullish';
  if (parameter.type !== 'AssignmentPattern') return [target, truth];
  // A default takes the place of what is undefined, and `null` is not told from it here.
  if (argument) return [target, truth === 'nullish' ? undefined : truth];
  return [target, truthOf(tour, state, parameter.right)];
}

/** Whether an object created around the handle can release it: `new OrderRepository(runner)`. */
export function constructedEffect(
  tour: Tour,
  node: TSESTree.NewExpression,
  _state: State,
): 'kept' | 'unknown' {
  let it = valueOf(tour.file, node.callee);
  for (let i = 0; i < MAXIMUM_DEPTH; i++) {
    if (it.kind === 'callable') return 'kept';
    if (it.kind !== 'class') return 'unknown';
    if (MAY_GIVE_BACK.test(it.file.textOf(it.node.body))) return 'unknown';
    if (!it.node.superClass) return 'kept';
    it = valueOf(it.file, it.node.superClass);
  }
  return 'unknown';
}

const MAY_GIVE_BACK = /\.(?:release|end|close|destroy|done|dispose|quit|commit|rollback)\w*\s*\(/;
