import { query } from '../../engine/query.ts';
import { contains, isFunction, isNamed, type Node, targetsIn, walk } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { type Flow, incomingOf, type Step } from '../flow/graph.ts';
import type { State, Tour } from './state.ts';
import { groupedBy } from '../syntax/grouped.ts';
import { keyOf } from './tests.ts';

/**
 * Facts of a path that no later test reads do not split it: without this, each repeated test would double the paths through the
 * following code.
 */
export function forgetterOf(tour: Tour, flow: Flow): (at: Step, state: State) => State {
  const { file, root } = tour;
  const questions = questionsIn(file, flow, root);
  return (at, state) => {
    if (!questions || state.facts.size === 0) return state;
    const dead = [...state.facts.keys()].filter((it) => !questions.mayBeAsked(at, it));
    if (dead.length === 0) return state;
    const facts = new Map(state.facts);
    for (const it of dead) facts.delete(it);
    return { ...state, facts };
  };
}

const questionsIn = query(
  'questions',
  (file: FileFacts, flow: Flow, root: Tour['root']): Questions | undefined =>
    questionsOf(file, root, flow),
  { whileCyclic: undefined, isCompared: false, keyOf: () => '' },
);

interface Questions {
  /** Whether this step or one after it may look at what a fact is about. */
  mayBeAsked(at: Step, key: string): boolean;
}

function questionsOf(file: FileFacts, root: Node, flow: Flow): Questions {
  const asked = new Map(flow.steps.map((it) => [it, chainsAt(file, it)]));
  const isAskedElsewhere = elsewhere(file, root, flow);
  const incoming = incomingOf(flow);
  const before = new Map<string, ReadonlySet<Step> | 'any'>();
  return {
    mayBeAsked(at, key) {
      // Of the handle itself the caller asks.
      if (key.startsWith('.')) return true;
      let steps = before.get(key);
      if (!steps) before.set(key, (steps = stepsBefore(key)));
      return steps === 'any' || steps.has(at);
    },
  };

  function stepsBefore(key: string): ReadonlySet<Step> | 'any' {
    if (isAskedElsewhere(key)) return 'any';
    const name = nameOf(key);
    const found = new Set(flow.steps.filter((it) => asked.get(it)!.some((c) => meets(c, key))));
    for (const step of found) {
      for (const it of incoming.get(step) ?? []) if (!renewed(file, it, name)) found.add(it);
    }
    return found;
  }
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

/** What a step may ask about. */
function chainsAt(file: FileFacts, { kind, node, value }: Step): readonly string[] {
  // To name something asks nothing of it, and a loop, a case or a function has its questions elsewhere.
  if (kind === 'expression' && node?.type === 'Identifier') return [];
  const declared = new Set(node?.type === 'VariableDeclarator' ? targetsIn(node.id) : []);
  return [node, value].flatMap((part) =>
    !part || /^(?:For|SwitchCase|.*Function)/.test(part.type)
      ? []
      : chainsIn(file, part, (it) => declared.has(it) || (it !== part && isMadeBefore(it))),
  );
}

/** The names in a piece of code, each with all the dots that lead on from it. */
function chainsIn(
  file: FileFacts,
  code: Node,
  isLeftOut: (node: Node) => boolean,
): readonly string[] {
  return chainsWithin(file, code, isLeftOut).map((it) => it.chain);
}

function chainsWithin(
  file: FileFacts,
  code: Node,
  isLeftOut: (node: Node) => boolean = () => false,
): readonly Chain[] {
  const chains: Chain[] = [];
  walk(code, (node) => {
    if (isLeftOut(node)) return false;
    // What is compared is looked at, too.
    const chain = node.type === 'BinaryExpression' ? undefined : keyOf(file, node);
    if (chain !== undefined) chains.push({ chain, node });
    return chain === undefined;
  });
  return chains;
}

/** What a call or an assignment is given has been asked for in steps of its own; it looks at names and conditions alone. */
function isMadeBefore(node: Node): boolean {
  if (node.type === 'CallExpression') return !isNamed(node.callee, 'Boolean');
  return /^(?:Array|New|Object)Expression$/.test(node.type);
}

/** A declaration gives its names new values: what was known of them holds no more. */
function renewed(file: FileFacts, { node }: Step, name: string): boolean {
  if (node?.type !== 'VariableDeclarator') return false;
  return targetsIn(node.id).some((it) => keyOf(file, it) === name);
}

/**
 * Whether functions without steps in this graph, beside it and inside, mention what a fact is about: nobody sees when these
 * run.
 */
function elsewhere(file: FileFacts, root: Node, flow: Flow): (key: string) => boolean {
  const outermost = outermostAround(root);
  // Once for all functions inside it.
  const byName = chainsByName(file, outermost);
  return (key) =>
    (byName.get(nameOf(key)) ?? []).some((it) => meets(it.chain, key) && isBeside(it.node));

  function isBeside(node: Node): boolean {
    for (let it: Node | undefined = node; it && it !== outermost; it = it.parent) {
      // no veto: fewer answers are kept than without it, so more paths are followed to their end.
      if (isFunction(it) && !flow.spliced.has(it) && !contains(it, root)) return true;
    }
    return false;
  }
}

interface Chain {
  readonly chain: string;
  readonly node: Node;
}

/** The function that declares all names which functions inside it can share. */
function outermostAround(root: Node): Node {
  let outermost = root;
  for (let it = root.parent; it; it = it.parent) if (isFunction(it)) outermost = it;
  return outermost;
}

const chainsByName = query(
  'chains by name',
  (file: FileFacts, outermost: Node): ReadonlyMap<string, readonly Chain[]> =>
    groupedBy(chainsWithin(file, outermost), (it) => nameOf(it.chain)),
  { whileCyclic: new Map() },
);
