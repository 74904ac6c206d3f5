import type { TSESTree } from '@typescript-eslint/utils';
import { visitorKeys } from '@typescript-eslint/visitor-keys';
import { calledName, childrenOf, isNode, type Node, walk } from './ast.ts';
import type { Exchanged, Nodes, Tree } from '../../engine/tree.ts';
import { groupedBy } from './grouped.ts';
import { startsAt } from './places.ts';

/** Every node of a tree by type, in source order. Built in one pass that also sets `parent` where the parser did not. */
export interface NodeIndex extends Tree {
  /** Follows a change of the tree, and moves what stays. */
  exchange(exchange: Exchange): void;
}

/** Children of one node that have come in place of others. */
export interface Exchange {
  readonly parent: Node;
  readonly removed: readonly Node[];
  /** With offsets of the tree that they were in before, which are moved by `addedMoved`. */
  readonly added: readonly Node[];
  readonly addedMoved: number;
  /** The nodes behind the removed ones started here or later. */
  readonly end: number;
  /** So many characters further. */
  readonly moved: number;
  /** Whether a node that starts before the end goes on behind it. */
  isAround(node: Node): boolean;
}

const kept = new WeakMap<TSESTree.Program, NodeIndex>();

/** The index of a tree: the same object each time, so that code that changes the tree can update it. */
export function indexOf(program: TSESTree.Program): NodeIndex {
  let index = kept.get(program);
  if (!index) kept.set(program, (index = indexFrom(program)));
  return index;
}

function indexFrom(program: TSESTree.Program): NodeIndex {
  let byType = nodesByType([program], undefined);
  let byName: Map<string, TSESTree.Identifier[]> | undefined;
  let byCalled: Map<string, TSESTree.CallExpression[]> | undefined;
  let looked = 0;
  const merged = new Map<string, readonly Node[]>();
  const listeners: ((exchanged: Exchanged) => void)[] = [];
  let last: Nodes | undefined;
  const areSorted = () => byName !== undefined || looked > FEW_LOOKS * identifiersIn(byType).length;
  const lookedFor = (name: string, among: readonly TSESTree.Identifier[]) => {
    looked += among.length;
    return among.filter((it) => it.name === name);
  };
  const sorted = (name: string) => (byName ??= byNameOf(identifiersIn(byType))).get(name) ?? [];
  return {
    all(...types) {
      if (types.length === 1) return (byType.get(types[0]!) ?? []) as never;
      const key = types.join();
      const known = merged.get(key);
      if (known) return known as never;
      const nodes = inOrder(types.map((type) => byType.get(type) ?? []));
      merged.set(key, nodes);
      return nodes as never;
    },
    between: (start, end, ...types) =>
      inOrder(types.map((type) => startingBetween(byType.get(type) ?? [], start, end))) as never,
    named: (name) => (areSorted() ? sorted(name) : lookedFor(name, identifiersIn(byType))),
    namedBetween(name, start, end) {
      if (areSorted()) return startingBetween(sorted(name), start, end);
      return lookedFor(name, startingBetween(identifiersIn(byType), start, end));
    },
    called: (name) => (byCalled ??= callsByName(byType)).get(name) ?? [],
    onExchange: (listener) => void listeners.push(listener),
    exchange(exchange) {
      const { parent, removed, added, addedMoved, end, moved } = exchange;
      // Most edits are where the one before was.
      const gone = last && isSameList(last.roots, removed) ? last : nodesOf(removed, parent);
      const come = nodesOf(added, parent);
      last = come;
      for (const nodes of come.byType.values())
        for (const it of nodes) move(it, addedMoved, addedMoved);
      const told = { parent, gone, come, spelled: namesIn(gone, come) };
      for (const tell of listeners) tell(told);
      merged.clear();
      if (!isInOrder(exchange)) {
        walk(program, (it) => (added.includes(it) ? false : moveBy(exchange, it)));
        byType = nodesByType([program], undefined);
        byName = undefined;
        byCalled = undefined;
        return;
      }
      const putIn = [exchanged(byType, gone.byType, come.byType, end)];
      if (byName) putIn.push(exchanged(byName, gone.byName, come.byName, end));
      if (byCalled) putIn.push(exchanged(byCalled, gone.byCalled, come.byCalled, end));
      // Of what starts before the exchange, only what is around it ends elsewhere now.
      for (let it: Node | undefined = parent; it; it = it.parent) {
        if (startsAt(it) < end) moveBy(exchange, it);
      }
      for (const nodes of byType.values()) {
        for (let i = firstFrom(nodes, end); i < nodes.length; i++) move(nodes[i]!, moved, moved);
      }
      for (const put of putIn) put();
    },
  };
}

function inOrder(lists: readonly (readonly Node[])[]): readonly Node[] {
  if (lists.length === 1) return lists[0]!;
  return lists.flat().sort((a, b) => startsAt(a) - startsAt(b));
}

/** Moves a node that stays. */
function moveBy({ end, moved, isAround }: Exchange, node: Node): void {
  if (startsAt(node) >= end) move(node, moved, moved);
  else if (isAround(node)) move(node, 0, moved);
}

/** Our parser's nodes, which are the only ones that move, have `start` and `end`. */
function move(node: Node, start: number, end: number): void {
  const it = node as Node & { start: number; end: number };
  it.start += start;
  it.end += end;
}

/** An explicit stack, not recursion: source nested thousands of levels deep is normal input. */
function nodesByType(roots: readonly Node[], parent: Node | undefined): Map<string, Node[]> {
  const found = new Map<string, Node[]>();
  // With what every node of a type needs, so that a node takes one look-up.
  const byType = new Map<string, { readonly nodes: Node[]; readonly keys: readonly string[] }>();
  const stack: Node[] = [];
  const push = (value: unknown, parent: Node | undefined): void => {
    if (!isNode(value)) return;
    if (!value.parent && parent) (value as { parent: Node }).parent = parent;
    stack.push(value);
  };
  for (const root of roots.toReversed()) push(root, parent);
  for (let node = stack.pop(); node; node = stack.pop()) {
    let known = byType.get(node.type);
    if (!known) {
      byType.set(node.type, (known = { nodes: [], keys: visitorKeys[node.type] ?? [] }));
      found.set(node.type, known.nodes);
    }
    known.nodes.push(node);
    const { keys } = known;
    for (let i = keys.length - 1; i >= 0; i--) {
      const value = (node as unknown as Record<string, unknown>)[keys[i]!];
      if (Array.isArray(value)) {
        for (let j = value.length - 1; j >= 0; j--) push(value[j], node);
      } else if (value) push(value, node);
    }
  }
  return found;
}

function namesIn(...all: readonly Nodes[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { byType, byName } of all) {
    for (const it of byName.keys()) names.add(it);
    for (const it of byType.get('JSXIdentifier') ?? [])
      names.add((it as TSESTree.JSXIdentifier).name);
  }
  return names;
}

function isSameList(a: readonly Node[], b: readonly Node[]): boolean {
  return a.length === b.length && a.every((it, i) => it === b[i]);
}

function nodesOf(roots: readonly Node[], parent: Node): Nodes {
  const byType = nodesByType(roots, parent);
  const byName = byNameOf(identifiersIn(byType));
  return { roots, byType, byName, byCalled: callsByName(byType) };
}

/** So often all names are gone through before they are sorted: most files of a scan are asked for three. */
const FEW_LOOKS = 4;

function identifiersIn(
  byType: ReadonlyMap<string, readonly Node[]>,
): readonly TSESTree.Identifier[] {
  return (byType.get('Identifier') ?? []) as readonly TSESTree.Identifier[];
}

/** The names that are spelled alike, in source order. */
export function byNameOf<T extends TSESTree.Identifier | TSESTree.JSXIdentifier>(
  names: readonly T[],
): Map<string, T[]> {
  return groupedBy(names, (it) => it.name);
}

/** The calls whose callees end in the same name, in source order. */
function callsByName(
  byType: ReadonlyMap<string, readonly Node[]>,
): Map<string, TSESTree.CallExpression[]> {
  const calls = (byType.get('CallExpression') ?? []) as readonly TSESTree.CallExpression[];
  return groupedBy(calls, (it) => calledName(it.callee) ?? '');
}

/**
 * Takes out of the lists what is gone, and returns what puts in what has come: neighbours stand together in every list, if
 * nothing beside them does so elsewhere.
 */
function exchanged<T extends Node>(
  lists: Map<string, T[]>,
  gone: ReadonlyMap<string, readonly T[]>,
  come: ReadonlyMap<string, readonly T[]>,
  end: number,
): () => void {
  const rests = new Map<string, readonly [before: readonly T[], behind: readonly T[]]>();
  for (const key of new Set([...gone.keys(), ...come.keys()])) {
    const list = lists.get(key) ?? [];
    const to = firstFrom(list, end);
    const [before, behind] = [list.slice(0, to - (gone.get(key)?.length ?? 0)), list.slice(to)];
    rests.set(key, [before, behind]);
    lists.set(key, before.concat(behind));
  }
  return () => {
    for (const [key, [before, behind]] of rests) {
      lists.set(key, before.concat(come.get(key) ?? [], behind));
    }
  };
}

function startingBetween<T extends Node>(
  nodes: readonly T[],
  start: number,
  end: number,
): readonly T[] {
  return nodes.slice(firstFrom(nodes, start), firstFrom(nodes, end));
}

function firstFrom(nodes: readonly Node[], offset: number): number {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startsAt(nodes[middle]!) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether nodes are listed as they stand, before and behind an exchange; a template lists its texts before what is in it. */
function isInOrder({ parent, added, end }: Exchange): boolean {
  const fresh = new Set(added);
  for (let it: Node | undefined = parent; it; it = it.parent) {
    const others = childrenOf(it).filter((child) => !fresh.has(child));
    const first = others.findIndex((child) => startsAt(child) >= end);
    // no veto: whatever is listed, an index made anew lists the same; the tests of reparsing compare them.
    if (first !== -1 && others.slice(first).some((child) => startsAt(child) < end)) return false;
  }
  return true;
}
