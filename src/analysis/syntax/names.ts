import type { TSESTree } from '@typescript-eslint/utils';
import type { Exchanged } from '../../engine/tree.ts';
import { isFunction, type Node } from './ast.ts';
import {
  isDeclaring,
  isPlainUse,
  type Name,
  type Space,
  spaceOf,
  targetAround,
} from './name-uses.ts';
import type { NodeIndex } from './node-index.ts';
import { startsAt } from './places.ts';
import { References } from './references.ts';
import { type ScopeNode, ScopeNodes } from './scope-nodes.ts';
import { type Declared, type Definition, scopeOf, sees } from './scopes.ts';
import { Spellings } from './spellings.ts';
import type { Reference, Variable } from './variable.ts';

export type { Name, Reference, Variable };

/** Which variable each name of a file means. Nothing is resolved before the first question. */
export interface Names {
  /** undefined for globals and for words that are only spelled like a name. */
  variableOf(name: Name): Variable | undefined;
  /** Records the questions, and what an edit changes. */
  observer: NamesObserver | undefined;
}

export interface NamesObserver {
  dependOnName(name: string): void;
  invalidateName(name: string): void;
  dependOnUses(variable: Variable): void;
}

const kept = new WeakMap<NodeIndex, Names>();

/** The names of an index: the same each time, because they outlast most changes of the tree. */
export function namesOf(nodes: NodeIndex): Names {
  let names = kept.get(nodes);
  if (!names) kept.set(nodes, (names = new NamesOfFile(nodes)));
  return names;
}

class NamesOfFile implements Names {
  observer: NamesObserver | undefined;
  readonly #spellings: Spellings;
  readonly #references: References;
  readonly #scopes = new ScopeNodes();
  readonly #variables = new Map<Declared, Variable>();
  readonly #meant = new Map<Name, Variable | null>();
  #count = 0;

  constructor(nodes: NodeIndex) {
    this.#spellings = new Spellings(nodes);
    this.#references = new References(nodes);
    nodes.onExchange((it) => this.#follow(it));
  }

  variableOf(name: Name): Variable | undefined {
    let variable = this.#meant.get(name);
    if (variable === undefined) this.#meant.set(name, (variable = this.#meaningOf(name) ?? null));
    if (!variable || variable.scope.type === 'Program') this.observer?.dependOnName(name.name);
    return variable ?? undefined;
  }

  #meaningOf(name: Name): Variable | undefined {
    if (!isPlainUse(name) && isDeclaring(name, targetAround(name))) {
      return this.#found(name, ({ identifiers }) =>
        identifiers.includes(name as TSESTree.Identifier),
      );
    }
    const space = spaceOf(name);
    return space === 'none'
      ? undefined
      : this.#found(name, ({ defs }) => defs.some((it) => isIn(it, space)));
  }

  #found(name: Name, fits: (it: Declared) => boolean): Variable | undefined {
    for (let it = this.#scopes.around(name); it; it = it.outer) {
      const declared = it.own.get(name.name);
      if (declared && fits(declared) && sees(name, it.node, declared)) {
        return this.#variableFor(declared, it.node);
      }
      // no veto: what a name means is compared with a scope analysis in test/names.test.ts.
      if (isUnknownBeyond(name, it.node)) return undefined;
    }
    return undefined;
  }

  #variableFor(declared: Declared, scope: Node): Variable {
    let variable = this.#variables.get(declared);
    if (!variable) {
      variable = new VariableOfFile(this, ++this.#count, declared, scope);
      this.#variables.set(declared, variable);
    }
    return variable;
  }

  referencesTo(variable: Variable): readonly Reference[] {
    this.observer?.dependOnUses(variable);
    return this.#references.to(variable, () =>
      this.#spellings.for(variable).filter((it) => this.variableOf(it) === variable),
    );
  }

  writesTo(variable: Variable): readonly Reference[] {
    this.observer?.dependOnUses(variable);
    return this.#references.writesTo(variable);
  }

  /**
   * A function's body declares names for its function alone, members declare none, and statements for the file: what names mean
   * elsewhere stays. Only what happens to those that are spelled there is counted anew.
   */
  #follow({ parent, gone, come, spelled }: Exchanged): void {
    const place = this.#scopes.at(parent);
    for (const nodes of gone.byType.values()) for (const it of nodes) this.#remove(it);
    this.#references.forget(spelled);
    if (place && parent.type === 'Program')
      this.#declareAgain(place, (name) => this.#spellings.of(name));
    else if (place && isFunction(parent)) {
      // What is spelled in the body is gone, and what stands outside of the function sees none of its names.
      const head = [startsAt(parent), startsAt(come.roots[0]!)] as const;
      this.#declareAgain(place, (name) => this.#spellings.between(name, head));
    }
    // Until now the index was that of the tree before.
    this.#spellings.forget();
  }

  #remove(node: Node): void {
    for (const it of this.#scopes.remove(node)) this.#variables.delete(it);
    // no veto: spares the work; other nodes have nothing that is removed here.
    if (node.type !== 'Identifier' && node.type !== 'JSXIdentifier') return;
    this.#meant.delete(node);
    this.#references.remove(node);
  }

  /** What is declared as before stays the same object; other names may mean something else wherever they are `seen`. */
  #declareAgain(place: ScopeNode, seen: (name: string) => readonly Name[]): void {
    const [before, own] = [place.own, new Map(scopeOf(place.node))];
    for (const name of new Set([...before.keys(), ...own.keys()])) {
      const [old, now] = [before.get(name), own.get(name)];
      if (old && now && isSame(old, now)) own.set(name, old);
      else {
        if (old) this.#variables.delete(old);
        const places = seen(name);
        for (const it of places) this.#meant.delete(it);
        this.#references.forget([name]);
        if (places.length > 0 || place.node.type === 'Program') this.observer?.invalidateName(name);
      }
    }
    place.own = own;
  }
}

class VariableOfFile implements Variable {
  readonly id: number;
  readonly name: string;
  readonly scope: Node;
  readonly defs: readonly Definition[];
  readonly identifiers: readonly TSESTree.Identifier[];
  readonly #names: NamesOfFile;

  constructor(names: NamesOfFile, id: number, declared: Declared, scope: Node) {
    this.#names = names;
    this.id = id;
    this.name = declared.name;
    this.scope = scope;
    this.defs = declared.defs;
    this.identifiers = declared.identifiers;
  }

  get references(): readonly Reference[] {
    return this.#names.referencesTo(this);
  }

  get writes(): readonly Reference[] {
    return this.#names.writesTo(this);
  }
}

function isSame({ defs }: Declared, other: Declared): boolean {
  return (
    defs.length === other.defs.length && defs.every((it, i) => it.name === other.defs[i]!.name)
  );
}

/** Each function but an arrow function has its own `arguments`. */
function isUnknownBeyond({ name }: Name, { type }: Node): boolean {
  return name === 'arguments' && (type === 'FunctionDeclaration' || type === 'FunctionExpression');
}

function isIn({ type }: Definition, space: Space): boolean {
  if (space === 'both') return true;
  switch (type) {
    case 'Type':
      return space === 'type';
    case 'ClassName':
    case 'Enum':
    case 'ImportBinding':
    case 'Namespace':
      return true;
    default:
      return space === 'value';
  }
}
