import { addDependency, type Dependency, invalidate, newDependency } from './dependencies.ts';
import type { Runtime } from './runtime.ts';
import type { Exchanged, Node, NodeOf, ScopedName, Tree } from './tree.ts';

/**
 * Reads of the tree of a file that is edited, as dependencies of the active query. An edit exchanges a function's body, members of a class
 * or statements of the file. A query reaches these through the parent (`body`), a list of nodes or a name, and each of these is a
 * dependency. All else that an edit changes, such as the text and its offsets, is one dependency.
 */
export interface TrackedTree {
  /** Counts the edits of this file. */
  readonly edits: number;
  /** The tree, whose reads are dependencies. */
  readonly nodes: Tree;
  /** On what the file declares under a name, which may be nothing. */
  dependOnName(name: string): void;
  /** The file declares something else under a name, or no longer anything. */
  invalidateName(name: string): void;
  /** On the bodies of all functions, classes and the program that overlap two offsets. */
  dependOnBodies(start: number, end: number): void;
  /** On all that is inside of a node. */
  dependOnInside(node: Node): void;
  /** On all uses of a variable. */
  dependOnUses(variable: ScopedName): void;
  /** On the text. */
  dependOnText(): void;
}

/** The nodes whose `body` an edit may exchange: see src/scan/parts.ts. */
const PARENTS = [
  ...['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'],
  ...['ClassBody', 'Program'],
] as const;

type Parent = NodeOf<(typeof PARENTS)[number]>;

const isParent = (node: Node) => (PARENTS as readonly string[]).includes(node.type);

function parentsIn(byType: ReadonlyMap<string, readonly Node[]>): readonly Parent[] {
  return PARENTS.flatMap((it) => (byType.get(it) ?? []) as readonly Parent[]);
}

const kept = new WeakMap<Tree, TrackedTree>();

/** One for each tree, which outlasts edits. */
export function trackedTreeOf(nodes: Tree, runtime: Runtime): TrackedTree {
  let tree = kept.get(nodes);
  if (!tree) kept.set(nodes, (tree = trackedTreeFrom(nodes, runtime)));
  return tree;
}

/** How the body of a parent becomes a dependency of the active query. */
const readers = new WeakMap<object, (parent: object) => void>();
/** False in a scan, which edits nothing: a look for a reader of each node would cost it a hundredth. */
let isAnyTracked = false;

/** The parts of a function, a class or a program that an edit may exchange: the only way to read their `body`. */
export function bodyOf<Owner extends { readonly body?: unknown }>(owner: Owner): Owner['body'] {
  dependOnBody(owner);
  return owner.body;
}

/** For reads of all children of a node. */
export function dependOnBody(node: object): void {
  // no veto: spares the work.
  if (isAnyTracked) readers.get(node)?.(node);
}

function trackedTreeFrom(nodes: Tree, runtime: Runtime): TrackedTree {
  isAnyTracked = true;
  const bodies = new Map<Node, Dependency>();
  // Weak: a query reached the inside of a node that no longer exists through something that the edit has invalidated.
  const insides = new WeakMap<Node, Dependency>();
  const lists = new Map<string, Dependency>();
  const names = new Map<string, Dependency>();
  const called = new Map<string, Dependency>();
  const meanings = new Map<string, Dependency>();
  const uses = new WeakMap<Node, Map<ScopedName, Dependency>>();
  let text = newDependency();
  let edits = 0;

  const note = (dependency: Dependency) => addDependency(runtime.activeQuery, dependency);
  const noteBody = (parent: object) => note(dependencyAt(bodies, parent as Node));
  for (const it of nodes.all(...PARENTS)) readers.set(it, noteBody);
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
      for (const it of nodes.between(start, end, ...PARENTS)) note(dependencyAt(bodies, it));
      // Of those that start before, only parents of the last one can reach in there.
      for (
        let it: Node | undefined = nodes.between(0, start, ...PARENTS).at(-1);
        it;
        it = it.parent
      )
        if (isParent(it) && offsetsOf(it).end > start) note(dependencyAt(bodies, it));
    },
    dependOnText: () => note(text),
  };
  return tree;

  function follow({ parent, gone, come, spelled }: Exchanged): void {
    edits++;
    runtime.revision++;
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
      const ofScope = uses.get(scope) ?? new Map<ScopedName, Dependency>();
      for (const it of ofScope.keys()) if (spelled.has(it.name)) invalidateAt(ofScope, it);
    }
    for (const it of parentsIn(come.byType)) readers.set(it, noteBody);
  }
}

/** A tree that is edited is one of our own parser, whose nodes have their offsets as fields. */
function offsetsOf(node: Node): { readonly start: number; readonly end: number } {
  return node as unknown as { readonly start: number; readonly end: number };
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
