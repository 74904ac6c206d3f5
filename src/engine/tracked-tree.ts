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
  if (!tree) kept.set(nodes, (tree = new EditedTree(nodes, runtime)));
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

class EditedTree implements TrackedTree {
  readonly nodes: Tree;
  readonly #nodes: Tree;
  readonly #runtime: Runtime;
  readonly #bodies = new Map<Node, Dependency>();
  // Weak: a query reached the inside of a node that no longer exists through something that the edit has invalidated.
  readonly #insides = new WeakMap<Node, Dependency>();
  readonly #lists = new Map<string, Dependency>();
  readonly #names = new Map<string, Dependency>();
  readonly #called = new Map<string, Dependency>();
  readonly #meanings = new Map<string, Dependency>();
  readonly #uses = new WeakMap<Node, Map<ScopedName, Dependency>>();
  #text = newDependency();
  #edits = 0;

  constructor(nodes: Tree, runtime: Runtime) {
    isAnyTracked = true;
    this.#nodes = nodes;
    this.#runtime = runtime;
    this.nodes = this.#trackedNodes();
    this.#trackBodies(nodes.all(...PARENTS));
    nodes.onExchange((it) => this.#follow(it));
  }

  get edits(): number {
    return this.#edits;
  }

  #trackedNodes(): Tree {
    const nodes = this.#nodes;
    return {
      ...nodes,
      all: (...types) => {
        for (const it of types) this.#note(dependencyAt(this.#lists, it));
        return nodes.all(...types);
      },
      // An edit may move what is between two offsets.
      between: (start, end, ...types) => {
        this.dependOnText();
        return nodes.between(start, end, ...types);
      },
      named: (name) => {
        this.#note(dependencyAt(this.#names, name));
        return nodes.named(name);
      },
      namedBetween: (name, start, end) => {
        this.dependOnText();
        return nodes.namedBetween(name, start, end);
      },
      called: (name) => {
        this.#note(dependencyAt(this.#called, name));
        return nodes.called(name);
      },
    };
  }

  #trackBodies(parents: readonly Parent[]): void {
    for (const it of parents) readers.set(it, this.#noteBody);
  }

  readonly #noteBody = (parent: object) => this.#note(dependencyAt(this.#bodies, parent as Node));

  #note(dependency: Dependency): void {
    addDependency(this.#runtime.activeQuery, dependency);
  }

  dependOnName(name: string): void {
    this.#note(dependencyAt(this.#meanings, name));
  }

  invalidateName(name: string): void {
    invalidateAt(this.#meanings, name);
  }

  dependOnInside(node: Node): void {
    this.#note(dependencyAt(this.#insides, node));
  }

  dependOnUses(variable: ScopedName): void {
    let ofScope = this.#uses.get(variable.scope);
    if (!ofScope) this.#uses.set(variable.scope, (ofScope = new Map()));
    this.#note(dependencyAt(ofScope, variable));
  }

  dependOnBodies(start: number, end: number): void {
    for (const it of this.#nodes.between(start, end, ...PARENTS)) this.#noteBody(it);
    // Of those that start before, only parents of the last one can reach in there.
    const last = this.#nodes.between(0, start, ...PARENTS).at(-1);
    for (let it: Node | undefined = last; it; it = it.parent)
      if (isParent(it) && offsetsOf(it).end > start) this.#noteBody(it);
  }

  dependOnText(): void {
    this.#note(this.#text);
  }

  #follow({ parent, gone, come, spelled }: Exchanged): void {
    this.#edits++;
    this.#runtime.revision++;
    invalidate(this.#runtime.noEdit);
    this.#runtime.noEdit = newDependency();
    invalidate(this.#text);
    this.#text = newDependency();
    invalidateAt(this.#bodies, parent);
    for (const { byType, byCalled } of [gone, come]) {
      for (const type of byType.keys()) invalidateAt(this.#lists, type);
      for (const it of parentsIn(byType)) invalidateAt(this.#bodies, it);
      for (const name of byCalled.keys()) invalidateAt(this.#called, name);
    }
    for (const name of spelled) invalidateAt(this.#names, name);
    this.#invalidateAround(parent, spelled);
    this.#trackBodies(parentsIn(come.byType));
  }

  /** All that is inside of a node or one around it, and the uses of names there. */
  #invalidateAround(node: Node, spelled: ReadonlySet<string>): void {
    for (let scope: Node | undefined = node; scope; scope = scope.parent) {
      invalidateAt(this.#insides, scope);
      const ofScope = this.#uses.get(scope) ?? new Map<ScopedName, Dependency>();
      for (const it of ofScope.keys()) if (spelled.has(it.name)) invalidateAt(ofScope, it);
    }
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
