import type { TSESTree } from '@typescript-eslint/utils';
import { addGround, type Ground, leave, newGround } from './reads.ts';
import type { Questions } from './memo.ts';
import type { FunctionNode, Node } from '../syntax/ast.ts';
import type { Variable } from '../syntax/names.ts';
import type { Exchanged, NodeIndex } from '../syntax/node-index.ts';
import { endsAt, firstIndex, startsAt } from '../syntax/places.ts';

/**
 * What in a file that is being edited its facts rest on, so that those outlast an edit that does not touch it. An edit exchanges
 * a function's body, members of a class or statements of the file; the facts have come in there through the parent (`body`),
 * through a list of nodes or through a name, and each of these is noted. Everything else that an edit changes, such as the text
 * and its offsets, is noted as one.
 */
export interface Grounds {
  /** Counts the edits of this file. */
  readonly edits: number;
  /** As the index that it was made of; notes what is asked of it. */
  readonly nodes: NodeIndex;
  /** Notes that an answer rests on what the file, or nobody, declares under a name. */
  noteMeaning(name: string): void;
  /** The file declares something else under a name, or nothing any more. */
  leaveMeaning(name: string): void;
  /** Notes the bodies of all functions in a piece of the text. */
  noteBodies(start: number, end: number): void;
  /** Notes that an answer rests on all that is inside a node. */
  noteInside(node: Node): void;
  /** Notes that an answer rests on all places that mean a variable. */
  noteUses(variable: Variable): void;
  /** Notes that an answer rests on what the text says. */
  noteText(): void;
}

/** What may be exchanged in them is their `body`: see scan/parts.ts. */
const PARENTS = [
  ...['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'],
  ...['ClassBody', 'Program'],
] as const;

type Parent = FunctionNode | TSESTree.ClassBody | TSESTree.Program;

const isParent = (node: Node) => (PARENTS as readonly string[]).includes(node.type);

function parentsIn(byType: ReadonlyMap<string, readonly Node[]>): readonly Parent[] {
  return PARENTS.flatMap((it) => (byType.get(it) ?? []) as readonly Parent[]);
}

const kept = new WeakMap<NodeIndex, Grounds>();

/** The grounds of a tree: the same each time, because the tree outlasts edits. */
export function groundsOf(nodes: NodeIndex, questions: Questions): Grounds {
  let grounds = kept.get(nodes);
  if (!grounds) kept.set(nodes, (grounds = groundsFrom(nodes, questions)));
  return grounds;
}

function groundsFrom(nodes: NodeIndex, questions: Questions): Grounds {
  const bodies = new Map<Node, Ground>();
  // Weak, as nodes that are gone are left: who rests on the inside of one has come there through what an edit leaves.
  const insides = new WeakMap<Node, Ground>();
  const lists = new Map<string, Ground>();
  const names = new Map<string, Ground>();
  const called = new Map<string, Ground>();
  const meanings = new Map<string, Ground>();
  const uses = new WeakMap<Node, Map<Variable, Ground>>();
  let text = newGround();
  let edits = 0;

  const note = (ground: Ground) => addGround(questions.reader, ground);
  for (const it of nodes.all(...PARENTS)) watch(it);
  nodes.onExchange(follow);
  const grounds: Grounds = {
    get edits() {
      return edits;
    },
    nodes: {
      ...nodes,
      all(...types) {
        for (const it of types) note(groundAt(lists, it));
        return nodes.all(...types);
      },
      // What is between two offsets an edit may change.
      between(start, end, ...types) {
        note(text);
        return nodes.between(start, end, ...types);
      },
      named(name) {
        note(groundAt(names, name));
        return nodes.named(name);
      },
      namedBetween(name, start, end) {
        note(text);
        return nodes.namedBetween(name, start, end);
      },
      called(name) {
        note(groundAt(called, name));
        return nodes.called(name);
      },
    },
    noteMeaning: (name) => note(groundAt(meanings, name)),
    leaveMeaning: (name) => leaveAt(meanings, name),
    noteInside: (node) => note(groundAt(insides, node)),
    noteUses(variable) {
      let ofScope = uses.get(variable.scope);
      if (!ofScope) uses.set(variable.scope, (ofScope = new Map()));
      note(groundAt(ofScope, variable));
    },
    noteBodies(start, end) {
      const all = nodes.all(...PARENTS);
      const first = firstIndex(all.length, (i) => startsAt(all[i]!) >= start);
      for (let i = first; i < all.length && startsAt(all[i]!) < end; i++)
        note(groundAt(bodies, all[i]!));
      // What starts before goes on in there only around what starts last before it.
      for (let it: Node | undefined = all[first - 1]; it; it = it.parent)
        if (isParent(it) && endsAt(it) > start) note(groundAt(bodies, it));
    },
    noteText: () => note(text),
  };
  return grounds;

  function follow({ parent, gone, come, spelled }: Exchanged): void {
    edits++;
    questions.edit++;
    leave(questions.noEdit);
    questions.noEdit = newGround();
    leave(text);
    text = newGround();
    leaveAt(bodies, parent);
    const around = new Set<Node>();
    for (let it: Node | undefined = parent; it; it = it.parent) around.add(it);
    for (const it of around) leaveAt(insides, it);
    for (const { byType, byCalled } of [gone, come]) {
      for (const type of byType.keys()) leaveAt(lists, type);
      for (const it of parentsIn(byType)) leaveAt(bodies, it);
      for (const name of byCalled.keys()) leaveAt(called, name);
    }
    for (const name of spelled) leaveAt(names, name);
    for (const scope of around) {
      const ofScope = uses.get(scope) ?? new Map<Variable, Ground>();
      for (const it of ofScope.keys()) if (spelled.has(it.name)) leaveAt(ofScope, it);
    }
    for (const it of parentsIn(come.byType)) watch(it);
  }

  function watch(parent: Parent): void {
    let { body } = parent;
    Object.defineProperty(parent, 'body', {
      ...{ configurable: true, enumerable: true },
      get() {
        note(groundAt(bodies, parent));
        return body;
      },
      set(it: typeof body) {
        body = it;
      },
    });
  }
}

interface GroundsBy<Key> {
  get(key: Key): Ground | undefined;
  set(key: Key, ground: Ground): unknown;
  delete(key: Key): boolean;
}

function groundAt<Key>(grounds: GroundsBy<Key>, key: Key): Ground {
  let ground = grounds.get(key);
  if (ground === undefined) grounds.set(key, (ground = newGround()));
  return ground;
}

function leaveAt<Key>(grounds: GroundsBy<Key>, key: Key): void {
  const ground = grounds.get(key);
  if (ground === undefined) return;
  leave(ground);
  grounds.delete(key);
}
