import type { Node } from './ast.ts';
import type { Name } from './name-uses.ts';
import { type Declared, isScope, nameScopeOf, type Scope, scopeOf } from './scopes.ts';

/** A node's own names, and the nodes around it. */
export interface ScopeNode {
  readonly node: Node;
  own: Scope;
  readonly outer: ScopeNode | undefined;
}

/** Nodes between a name and its scope beyond which some of them are kept: few names are that deep. */
const STRIDE = 32;

/** The scopes of a file, each made when a name in it is first asked for. */
export class ScopeNodes {
  readonly #made = new Map<Node, ScopeNode>();
  /** Of some nodes within long expressions, so that not each name in one climbs out of all of it. */
  readonly #around = new Map<Node, ScopeNode>();

  at(node: Node): ScopeNode | undefined {
    return this.#made.get(node);
  }

  /** The innermost around a name. Without recursion: source nested thousands of levels deep is normal input. */
  around(name: Name): ScopeNode | undefined {
    const fresh: Node[] = [];
    const passed: Node[] = [];
    let place: ScopeNode | undefined;
    let height = 0;
    for (let it = name.parent as Node | undefined; it && !place; it = it.parent) {
      if (isScope(it)) {
        place = this.#made.get(it);
        if (!place) fresh.push(it);
      } else if (fresh.length === 0 && ++height > STRIDE) {
        place = this.#around.get(it);
        if (height % STRIDE === 0) passed.push(it);
      }
    }
    for (const node of fresh.reverse()) {
      const name = nameScopeOf(node);
      if (name) place = { node, own: name, outer: place };
      place = { node, own: scopeOf(node), outer: place };
      this.#made.set(node, place);
    }
    if (place) for (const it of passed) this.#around.set(it, place);
    return place;
  }

  /** The node is no longer in the tree. Returns what it declared. */
  remove(node: Node): readonly Declared[] {
    const declared: Declared[] = [];
    for (let it = this.#made.get(node); it?.node === node; it = it.outer)
      declared.push(...it.own.values());
    this.#made.delete(node);
    this.#around.delete(node);
    return declared;
  }
}
