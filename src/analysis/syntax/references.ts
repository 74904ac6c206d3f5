import {
  isDeclaring,
  isPlainUse,
  type Name,
  targetAround,
  type Write,
  writesAt,
  writtenNames,
} from './name-uses.ts';
import type { NodeIndex } from './node-index.ts';
import type { Reference, Variable } from './variable.ts';

/** What happens at the names of a file, searched at the first question. */
export class References {
  readonly #nodes: NodeIndex;
  /** What happens at a name, with any meaning. */
  readonly #uses = new Map<Name, readonly Reference[]>();
  /** By name first: what is spelled so in an edit may mean any of its variables. */
  readonly #references = new Map<string, Map<Variable, readonly Reference[]>>();
  /** Those of a variable's references that write it. */
  readonly #writes = new WeakMap<readonly Reference[], readonly Reference[]>();
  #written: ReadonlySet<string> | undefined;

  constructor(nodes: NodeIndex) {
    this.#nodes = nodes;
  }

  /** `meaning` returns the names that mean the variable. */
  to(variable: Variable, meaning: () => readonly Name[]): readonly Reference[] {
    let ofName = this.#references.get(variable.name);
    if (!ofName) this.#references.set(variable.name, (ofName = new Map()));
    let known = ofName.get(variable);
    if (!known) ofName.set(variable, (known = meaning().flatMap((it) => this.#usesOf(it))));
    return known;
  }

  writesTo(variable: Variable): readonly Reference[] {
    this.#written ??= writtenNames(this.#nodes);
    if (!this.#written.has(variable.name)) return NO_REFERENCES;
    const all = variable.references;
    let found = this.#writes.get(all);
    if (!found) this.#writes.set(all, (found = all.filter((it) => it.isWrite() && !it.init)));
    return found;
  }

  /** The names may mean something else, or be located elsewhere. */
  forget(names: Iterable<string>): void {
    this.#written = undefined;
    for (const it of names) this.#references.delete(it);
  }

  /** The name is no longer in the tree. */
  remove(name: Name): void {
    this.#uses.delete(name);
  }

  #usesOf(name: Name): readonly Reference[] {
    let here = this.#uses.get(name);
    if (!here) this.#uses.set(name, (here = usesAt(name)));
    return here;
  }
}

const NO_REFERENCES: readonly Reference[] = [];

function usesAt(name: Name): readonly Reference[] {
  if (isPlainUse(name)) return [readOf(name)];
  const target = targetAround(name);
  const writes = writesAt(target);
  if (writes.length > 0) return writes.map((it) => writeOf(name, it));
  return isDeclaring(name, target) ? [] : [readOf(name)];
}

function readOf(identifier: Name): Reference {
  return { identifier, init: false, writeExpr: null, isRead: yes, isWrite: no };
}

function writeOf(identifier: Name, { value, isInitial, isRead }: Write): Reference {
  const reads = isRead ? yes : no;
  return { identifier, init: isInitial, writeExpr: value, isRead: reads, isWrite: yes };
}

const yes = () => true;
const no = () => false;
