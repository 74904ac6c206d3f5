import type { Node } from '../syntax/ast.ts';

/**
 * One step in the evaluation of a function. `expression` steps are identifiers, calls, awaits, assignments and created
 * functions, in the order in which they run; a `test` leaves by `true` or `false`; `bind` gives `node` (a pattern)
 * what `value` resolves with; `return` comes before the finalizers that it runs through; `settle` waits for a promise.
 */
export interface Step {
  readonly index: number;
  readonly kind:
    | 'entry'
    | 'join'
    | 'expression'
    | 'settle'
    | 'test'
    | 'bind'
    | 'return'
    /** Left normally, by an exception, or together with the process (exit, a rejection that nobody hears). */
    | 'exit'
    | 'thrown'
    | 'ended';
  readonly node: Node | undefined;
  readonly value?: Node | undefined;
  /** A test whose truth is "neither null nor undefined": `?.` and `??`. */
  readonly nullish?: boolean;
  /** The first parameter of a driver's callback is bound here: it is set when the call has failed. */
  readonly isError?: boolean;
  readonly edges: readonly Edge[];
}

/** `abandon` leaves a generator at a `yield` whose consumer has stopped. */
export interface Edge {
  readonly kind: 'next' | 'true' | 'false' | 'throw' | 'abandon';
  readonly to: Step;
}

export interface Flow {
  readonly entry: Step;
  readonly exit: Step;
  readonly thrown: Step;
  readonly ended: Step;
  readonly steps: readonly Step[];
  /** Functions whose bodies are part of this graph at their calls. */
  readonly spliced: ReadonlySet<Node>;
}

/** Whether edges that `isFollowed` lead on from one step to one that `isGoal` names: itself, in a loop. */
export function leadsTo(
  from: Step,
  isGoal: (step: Step) => boolean,
  isFollowed: (edge: Edge) => boolean = () => true,
): boolean {
  for (const step of stepsBehind(from, isFollowed)) if (isGoal(step)) return true;
  return false;
}

/** The steps that edges lead on to from one step, some more than once. */
export function* stepsBehind(from: Step, isFollowed: (edge: Edge) => boolean): Generator<Step> {
  const reached = new Set([from]);
  // A Set is iterated in the order of insertion, steps added on the way included: a queue.
  for (const step of reached) {
    for (const edge of step.edges.filter(isFollowed)) {
      yield edge.to;
      reached.add(edge.to);
    }
  }
}

/** The steps whose edges lead to a step, by that step. */
export function incomingOf(flow: Flow): ReadonlyMap<Step, readonly Step[]> {
  const incoming = new Map<Step, Step[]>();
  for (const step of flow.steps) {
    for (const { to } of step.edges) {
      const known = incoming.get(to);
      if (known) known.push(step);
      else incoming.set(to, [step]);
    }
  }
  return incoming;
}
