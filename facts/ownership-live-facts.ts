import { bare, isFunction, isNamed, type Node, targetsIn, walk } from './ast.ts';
import { variableKey } from './bindings.ts';
import type { FileFacts } from './file.ts';
import type { Flow, Step } from './flow-graph.ts';
import type { State, Tour } from './ownership-state.ts';
import { keyOf } from './ownership-tests.ts';

/**
 * What a path has learned and nobody asks about any more does not make it another path: without this, each question that
 * is asked twice doubles the paths through all that follows.
 */
export function forgetterOf(tour: Tour, flow: Flow): (at: Step, state: State) => State {
  const { file, root } = tour;
  const questions = file.remember<Questions | undefined>(
    file.keyFor(root, '=questions'),
    () => questionsOf(file, root, flow),
    undefined,
  );
  return (at, state) => {
    if (!questions || state.facts.size === 0) return state;
    const dead = [...state.facts.keys()].filter((it) => !questions.mayBeAsked(at, it));
    if (dead.length === 0) return state;
    const facts = new Map(state.facts);
    for (const it of dead) facts.delete(it);
    return { ...state, facts };
  };
}

interface Questions {
  /** Whether this step or one after it may look at what a fact is about. */
  mayBeAsked(at: Step, key: string): boolean;
}

function questionsOf(file: FileFacts, root: Node, flow: Flow): Questions {
  const asked = new Map(flow.steps.map((it) => [it, chainsAt(file, it)]));
  const anyTime = namesInFunctions(file, root);
  const incoming = incomingOf(flow);
  const before = new Map<string, ReadonlySet<Step>>();
  return {
    mayBeAsked(at, key) {
      // Of the handle itself the caller asks, and of an object its other methods.
      if (key.startsWith('.') || key.startsWith('this')) return true;
      if (anyTime.has(nameOf(key))) return true;
      let steps = before.get(key);
      if (!steps) {
        const name = nameOf(key);
        const found = new Set(flow.steps.filter((it) => asked.get(it)!.some((c) => meets(c, key))));
        for (const step of found) {
          for (const it of incoming.get(step) ?? []) if (!renewed(file, it, name)) found.add(it);
        }
        before.set(key, (steps = found));
      }
      return steps.has(at);
    },
  };
}

/** `v1` of `v1.payload.code` and of `v1="own"`. */
function nameOf(key: string): string {
  return /^[^.=]*/.exec(key)![0];
}

/** What is looked at is the subject of the fact, on the way to it, or holds it. */
function meets(chain: string, key: string): boolean {
  return (
    chain === key ||
    chain.startsWith(`${key}.`) ||
    key.startsWith(`${chain}.`) ||
    key.startsWith(`${chain}=`)
  );
}

/** What a step may ask about, each name with all the dots that lead on from it. */
function chainsAt(file: FileFacts, { node, value }: Step): readonly string[] {
  const chains = new Set<string>();
  const declared = new Set(node?.type === 'VariableDeclarator' ? targetsIn(node.id) : []);
  const look = (it: Node) => {
    const key = it.type === 'Identifier' && !declared.has(it) && keyOf(file, wholeChain(it));
    if (key) chains.add(key);
  };
  for (const part of [node, value]) {
    // A loop or a case has steps of its own for what it asks.
    if (!part || /^(?:For|SwitchCase)/.test(part.type)) continue;
    walk(part, (it) => {
      if (it !== part && isMadeBefore(it)) return false;
      look(it);
      return true;
    });
    walk(part, (it) => {
      if (isFunction(it)) walk(it, look);
      return !isFunction(it);
    });
  }
  return [...chains];
}

/** What a call or an assignment is given has been asked for in steps of its own; it looks at names and conditions alone. */
function isMadeBefore(node: Node): boolean {
  if (node.type === 'CallExpression') return !isNamed(node.callee, 'Boolean');
  return /^(?:Array|New|Object)Expression$/.test(node.type) || isFunction(node);
}

/** A declaration begins anew with each round of a loop: nothing that was known of the name holds any more. */
function renewed(file: FileFacts, { node }: Step, name: string): boolean {
  if (node?.type !== 'VariableDeclarator' || node.parent.kind === 'var') return false;
  return targetsIn(node.id).some((it) => keyOf(file, it) === name);
}

function wholeChain(name: Node): Node {
  let whole = name;
  for (let it = name.parent; it; it = it.parent) {
    if (bare(it) === bare(whole)) continue;
    if (it.type !== 'MemberExpression' || it.computed || bare(it.object) !== bare(whole)) break;
    whole = it;
  }
  return whole;
}

/** Names that functions with names of their own mention: nobody sees where these run. */
function namesInFunctions(file: FileFacts, root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  walk(root, (fn) => {
    if (fn === root || !isFunction(fn) || isGivenAway(fn)) return;
    walk(fn, (it) => {
      const variable = it.type === 'Identifier' ? file.variableOf(it) : undefined;
      if (variable) names.add(`v${variableKey(variable)}`);
    });
  });
  return names;
}

/** `rows.map((it) => …)`: the call mentions what its function does. */
function isGivenAway(fn: Node): boolean {
  const { parent } = fn;
  return parent?.type === 'CallExpression' || parent?.type === 'NewExpression';
}

function incomingOf(flow: Flow): ReadonlyMap<Step, readonly Step[]> {
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
