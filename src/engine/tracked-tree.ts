import type { TSESTree } from '@typescript-eslint/utils';
import { addDependency, type Dependency, invalidate, newDependency } from './dependencies.ts';
import type { Runtime } from './runtime.ts';
import type { FunctionNode, Node } from '../analysis/syntax/ast.ts';
import type { Variable } from '../analysis/syntax/names.ts';
import type { Exchanged, NodeIndex } from '../analysis/syntax/node-index.ts';
import { endsAt, firstIndex, startsAt } from '../analysis/syntax/places.ts';

/**
 * Reads of the tree of a file that is edited, as dependencies of the active query. An edit exchanges a function's body, members of a class
 * or statements of the file. A query reaches these through the parent (`body`), a list of nodes or a name, and each of these is a
 * dependency. All else that an edit changes, such as the text and its offsets, is one dependency.
 */
export interface TrackedTree {
  /** Counts the edits of this file. */
  readonly edits: number;
  /** The index of the tree, tracked. */
  readonly nodes: NodeIndex;
  /** On what the file declares under a name, which may be nothing. */
  dependOnName(name: string): void;
  /** The file declares something else under a name, or no longer anything. */
  invalidateName(name: string): void;
  /** On the bodies of all functions, classes and the program that overlap two offsets. */
  dependOnBodies(start: number, end: number): void;
  /** On all that is inside of a node. */
  dependOnInside(node: Node): void;
  /** On all uses of a variable. */
  dependOnUses(variable: Variable): void;
  /** On the text. */
  dependOnText(): void;
}

/** The nodes whose `body` an edit may exchange: see src/scan/parts.ts. */
const PARENTS = [
  ...['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'],
  ...['ClassBody', 'Program'],
] as const;

type Parent = FunctionNode | TSESTree.ClassBody | TSESTree.Program;

const isParent = (node: Node) => (PARENTS as readonly string[]).includes(node.type);

function parentsIn(byType: ReadonlyMap<string, readonly Node[]>): readonly Parent[] {
  return PARENTS.flatMap((it) => (byType.get(it) ?? []) as readonly Parent[]);
}

const kept = new WeakMap<NodeIndex, TrackedTree>();

/** One for each tree, which outlasts edits. */
export function trackedTreeOf(nodes: NodeIndex, runtime: Runtime): TrackedTree {
  let tree = kept.get(nodes);
  if (!tree) kept.set(nodes, (tree = trackedTreeFrom(nodes, runtime)));
  return tree;
}

function trackedTreeFrom(nodes: NodeIndex, runtime: Runtime): TrackedTree {
  const bodies = new Map<Node, Dependency>();
  // Weak: a query reached the inside of a node that no longer exists through something that the edit has invalidated.
  const insides = new WeakMap<Node, Dependency>();
  const lists = new Map<string, Dependency>();
  const names = new Map<string, Dependency>();
  const called = new Map<string, Dependency>();
  const meanings = new Map<string, Dependency>();
  const uses = new WeakMap<Node, Map<Variable, Dependency>>();
  let text = newDependency();
  let edits = 0;

  const note = (dependency: Dependency) => addDependency(runtime.activeQuery, dependency);
  for (const it of nodes.all(...PARENTS)) watch(it);
  nodes.onExchange(follow);
  const tree: TrackedTree = {
    get edits() {
      return edits;
    },
    nodes: {
      ...nodes,
      all(...types) {
        for (const it of types) note(dependencyAt(lists, it));
        return nodes.all(...types);
      },
      // An edit may move what is between two offsets.
      between(start, end, ...types) {
        note(text);
        return nodes.between(start, end, ...types);
      },
      named(name) {
        note(dependencyAt(names, name));
        return nodes.named(name);
      },
      namedBetween(name, start, end) {
        note(text);
        return nodes.namedBetween(name, start, end);
      },
      called(name) {
        note(dependencyAt(called, name));
        return nodes.called(name);
      },
    },
    dependOnName: (name) => note(dependencyAt(meanings, name)),
    invalidateName: (name) => invalidateAt(meanings, name),
    dependOnInside: (node) => note(dependencyAt(insides, node)),
    dependOnUses(variable) {
      let ofScope = uses.get(variable.scope);
      if (!ofScope) uses.set(variable.scope, (ofScope = new Map()));
      note(dependencyAt(ofScope, variable));
    },
    dependOnBodies(start, end) {
      const all = nodes.all(...PARENTS);
      const first = firstIndex(all.length, (i) => startsAt(all[i]!) >= start);
      for (let i = first; i < all.length && startsAt(all[i]!) < end; i++)
        note(dependencyAt(bodies, all[i]!));
      // Of those that start before, only parents of the last one can reach in there.
      for (let it: Node | undefined = all[first - 1]; it; it = it.parent)
        if (isParent(it) && endsAt(it) > start) note(dependencyAt(bodies, it));
    },
    dependOnText: () => note(text),
  };
  return tree;

  function follow({ parent, gone, come, spelled }: Exchanged): void {
    edits++;
    runtime.edit++;
    invalidate(runtime.noEdit);
    runtime.noEdit = newDependency();
    invalidate(text);
    text = newDependency();
    invalidateAt(bodies, parent);
    const around = new Set<Node>();
    for (let it: Node | undefined = parent; it; it = it.parent) around.add(it);
    for (const it of around) invalidateAt(insides, it);
    for (const { byType, byCalled } of [gone, come]) {
      for (const type of byType.keys()) invalidateAt(lists, type);
      for (const it of parentsIn(byType)) invalidateAt(bodies, it);
      for (const name of byCalled.keys()) invalidateAt(called, name);
    }
    for (const name of spelled) invalidateAt(names, name);
    for (const scope of around) {
      const ofScope = uses.get(scope) ?? new Map<Variable, Dependency>();
      for (const it of ofScope.keys()) if (spelled.has(it.name)) invalidateAt(ofScope, it);
    }
    for (const it of parentsIn(come.byType)) watch(it);
  }

  function watch(parent: Parent): void {
    let { body } = parent;
    Object.defineProperty(parent, 'body', {
      ...{ configurable: true, enumerable: true },
      get() {
        note(dependencyAt(bodies, parent));
        return body;
      },
      set(it: typeof body) {
        body = it;
      },
    });
  }
}

interface DependenciesBy<Key> {
  get(key: Key): Dependency | undefined;
  set(key: Key, dependency: Dependency): unknown;
  delete(key: Key): boolean;
}

function dependencyAt<Key>(all: DependenciesBy<Key>, key: Key): Dependency {
  let dependency = all.get(key);
  if (dependency === undefined) all.set(key, (dependency = newDependency()));
  return dependency;
}

function invalidateAt<Key>(all: DependenciesBy<Key>, key: Key): void {
  const dependency = all.get(key);
  if (dependency === undefined) return;
  invalidate(dependency);
  all.delete(key);
}
