import type { FunctionNode, Node } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import type { Edge, Step } from './graph.ts';
import type { TSESTree } from '@typescript-eslint/utils';

/** Functions with more steps are generated code: no person would read a path through them. */
const MAXIMUM_STEPS = 20_000;

export interface Builder {
  readonly file: FileFacts;
  readonly root: FunctionNode | TSESTree.Program;
  readonly steps: MutableStep[];
  readonly exit: MutableStep;
  readonly thrown: MutableStep;
  readonly ended: MutableStep;
  readonly spliced: Set<Node>;
  /** Edges that lead to the next node. Empty after a jump: the following code is unreachable. */
  current: Loose[];
  scope: Scope;
  throwTo: MutableStep;
  /** The target of a rejection of a promise that the function returns: past its own handlers. */
  rejectTo: MutableStep;
  /** A returned promise is waited for: by a chain, or because the function is async. */
  adopts: boolean;
  /** The target of `?.` of the enclosing optional chain for a missing value. */
  chain: Loose[] | undefined;
}

export interface MutableStep extends Step {
  readonly edges: Edge[];
  incoming: number;
}

export interface Loose {
  readonly from: MutableStep;
  readonly kind: Edge['kind'];
}

/** The target of a jump, or a `finally` that runs in between. */
export type Scope =
  | { readonly kind: 'function'; readonly returnTo: MutableStep; readonly outer?: undefined }
  | {
      readonly kind: 'target';
      readonly labels: readonly string[];
      readonly breakTo: MutableStep;
      readonly continueTo: MutableStep | undefined;
      readonly outer: Scope;
    }
  | {
      readonly kind: 'finally';
      readonly block: TSESTree.BlockStatement;
      readonly throwTo: MutableStep;
      /** The copies of the finalizer, by where they lead. */
      readonly copies: Map<MutableStep, MutableStep>;
      readonly outer: Scope;
    };

export function builderFor(file: FileFacts, root: FunctionNode | TSESTree.Program): Builder {
  const steps: MutableStep[] = [];
  const [exit, thrown, ended] = (['exit', 'thrown', 'ended'] as const).map((kind) =>
    detached(steps, kind, undefined),
  ) as [MutableStep, MutableStep, MutableStep];
  return {
    file,
    root,
    steps,
    exit,
    thrown,
    ended,
    spliced: new Set(),
    current: [],
    scope: { kind: 'function', returnTo: exit },
    throwTo: thrown,
    rejectTo: thrown,
    adopts: false,
    chain: undefined,
  };
}

function detached(
  steps: MutableStep[],
  kind: Step['kind'],
  node: Node | undefined,
  more: Pick<Step, 'value' | 'nullish' | 'isError'> = {},
): MutableStep {
  const made: MutableStep = { index: steps.length, kind, node, ...more, edges: [], incoming: 0 };
  // Past the limit the graph is thrown away; it only must not grow further.
  if (steps.length <= MAXIMUM_STEPS) steps.push(made);
  return made;
}

/** A step after everything so far. */
export function step(
  builder: Builder,
  kind: Step['kind'],
  node: Node | undefined,
  more?: Pick<Step, 'value' | 'nullish' | 'isError'>,
): MutableStep {
  const made = detached(builder.steps, kind, node, more);
  connect(builder.current, made);
  builder.current = [{ from: made, kind: 'next' }];
  return made;
}

/** A step that can fail: its exception goes to the handler around. */
export function failingStep(
  builder: Builder,
  kind: Step['kind'],
  node: Node,
  more?: Pick<Step, 'value' | 'nullish'>,
): MutableStep {
  const made = step(builder, kind, node, more);
  connect([{ from: made, kind: 'throw' }], builder.throwTo);
  return made;
}

/** A place that edges may lead to before anything leads there. */
export function joint(builder: Builder): MutableStep {
  return detached(builder.steps, 'join', undefined);
}

export function connect(edges: readonly Loose[], to: MutableStep): void {
  for (const { from, kind } of edges) {
    from.edges.push({ kind, to });
    to.incoming++;
  }
}

/** Goes on at `to`: with what leads there, and with what comes before in the text. */
export function resumeAt(builder: Builder, to: MutableStep): void {
  connect(builder.current, to);
  builder.current = to.incoming > 0 ? [{ from: to, kind: 'next' }] : [];
}

export function isFull(builder: Builder): boolean {
  return builder.steps.length > MAXIMUM_STEPS;
}
