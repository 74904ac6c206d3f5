import type { TSESTree } from '@typescript-eslint/utils';
import { isClass, isFunction, type Node } from './ast.ts';
import {
  isDeclaring,
  isPlainUse,
  type Name,
  type Space,
  spaceOf,
  targetAround,
  type Write,
  writesAt,
  writtenNames,
} from './name-uses.ts';
import type { Exchanged } from '../../engine/tree.ts';
import { byNameOf, type NodeIndex } from './node-index.ts';
import { rangeOf, startsAt } from './places.ts';
import {
  type Declared,
  type Definition,
  isScope,
  nameScopeOf,
  type Scope,
  scopeOf,
  sees,
} from './scopes.ts';

export type { Name };

/** The meaning of one name in one scope. Two variables are the same when they are the same object. */
export interface Variable {
  /** A number that no other variable of the file has: where it is declared an edit may change. */
  readonly id: number;
  readonly name: string;
  /** The function, block or file of its scope. */
  readonly scope: Node;
  /** In source order; several where declarations merge: overloads, a class and its interface. */
  readonly defs: readonly Definition[];
  readonly identifiers: readonly TSESTree.Identifier[];
  /** Every place that means it, looked for when it is first asked for. */
  readonly references: readonly Reference[];
  /** Those of them that write it after its declaration. Most names are never written, and then nothing is searched. */
  readonly writes: readonly Reference[];
}

/** One thing that happens to a variable at one place: `count = count + 1` are two, `let count;` is none. */
export interface Reference {
  readonly identifier: Name;
  /** Written with the declaration, or as a default. */
  readonly init: boolean;
  /** Null where no expression is the written value, and where nothing is written. */
  readonly writeExpr: Node | null;
  isRead(): boolean;
  isWrite(): boolean;
}

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

/** A node's own names, and the nodes around it. */
interface ScopeNode {
  readonly node: Node;
  own: Scope;
  readonly outer: ScopeNode | undefined;
}

const kept = new WeakMap<NodeIndex, Names>();

/** The names of an index: the same each time, because they outlast most changes of the tree. */
export function namesOf(nodes: NodeIndex): Names {
  let names = kept.get(nodes);
  if (!names) kept.set(nodes, (names = namesFrom(nodes)));
  return names;
}

function namesFrom(nodes: NodeIndex): Names {
  const places = new Map<Node, ScopeNode>();
  const variables = new Map<Declared, Variable>();
  const meant = new Map<Name, Variable | null>();
  /** What happens at a name, whatever it means. */
  const uses = new Map<Name, readonly Reference[]>();
  /** By name first: what is spelled so in an edit may mean any of its variables. */
  const references = new Map<string, Map<Variable, readonly Reference[]>>();
  /** Those of a variable's references that write it. */
  const writes = new WeakMap<readonly Reference[], readonly Reference[]>();
  let written: ReadonlySet<string> | undefined;
  let elements: ReadonlyMap<string, readonly Name[]> | undefined;
  let count = 0;

  nodes.onExchange(follow);
  const names: Names = { variableOf, observer: undefined };
  return names;

  /**
   * A function's body declares names for its function alone, members declare none, and statements for the file: what names mean
   * elsewhere stays. Only what happens to those that are spelled there is counted anew.
   */
  function follow({ parent, gone, come, spelled }: Exchanged): void {
    written = undefined;
    const place = places.get(parent);
    for (const nodes of gone.byType.values()) for (const it of nodes) forget(it);
    for (const name of spelled) references.delete(name);
    if (place && parent.type === 'Program') declareAgain(place, namesSpelled);
    else if (place && isFunction(parent)) {
      // What is spelled in the body is gone, and what stands outside of the function sees none of its names.
      const head = [startsAt(parent), startsAt(come.roots[0]!)] as const;
      declareAgain(place, (name) => namesBetween(name, head));
    }
    // Until now the index was that of the tree before.
    elements = undefined;
  }

  /** What is declared as before stays the same object; other names may mean something else wherever they are `seen`. */
  function declareAgain(place: ScopeNode, seen: (name: string) => readonly Name[]): void {
    const [before, own] = [place.own, new Map(scopeOf(place.node))];
    for (const name of new Set([...before.keys(), ...own.keys()])) {
      const [old, now] = [before.get(name), own.get(name)];
      if (old && now && isSame(old, now)) own.set(name, old);
      else {
        if (old) variables.delete(old);
        const places = seen(name);
        for (const it of places) meant.delete(it);
        references.delete(name);
        if (places.length > 0 || place.node.type === 'Program')
          names.observer?.invalidateName(name);
      }
    }
    place.own = own;
  }

  function forget(node: Node): void {
    for (let it = places.get(node); it?.node === node; it = it.outer) {
      for (const declared of it.own.values()) variables.delete(declared);
    }
    places.delete(node);
    if (node.type !== 'Identifier' && node.type !== 'JSXIdentifier') return;
    meant.delete(node);
    uses.delete(node);
  }

  function variableOf(name: Name): Variable | undefined {
    let variable = meant.get(name);
    if (variable === undefined) meant.set(name, (variable = meaningOf(name) ?? null));
    if (!variable || variable.scope.type === 'Program') names.observer?.dependOnName(name.name);
    return variable ?? undefined;
  }

  function meaningOf(name: Name): Variable | undefined {
    if (!isPlainUse(name) && isDeclaring(name, targetAround(name))) {
      return found(name, ({ identifiers }) => identifiers.includes(name as TSESTree.Identifier));
    }
    const space = spaceOf(name);
    return space === 'none'
      ? undefined
      : found(name, ({ defs }) => defs.some((it) => isIn(it, space)));
  }

  function found(name: Name, fits: (it: Declared) => boolean): Variable | undefined {
    for (let it = placeAround(name); it; it = it.outer) {
      const declared = it.own.get(name.name);
      if (declared && fits(declared) && sees(name, it.node, declared)) {
        return variableFor(declared, it.node);
      }
      // no veto: what a name means is compared with a scope analysis in test/names.test.ts.
      if (isUnknownBeyond(name, it.node)) return undefined;
    }
    return undefined;
  }

  /** Without recursion: source nested thousands of levels deep is normal input. */
  function placeAround(name: Name): ScopeNode | undefined {
    const fresh: Node[] = [];
    let place: ScopeNode | undefined;
    for (let it = name.parent as Node | undefined; it && !place; it = it.parent) {
      // no veto: spares a table for what declares nothing.
      if (!isScope(it)) continue;
      place = places.get(it);
      if (!place) fresh.push(it);
    }
    for (const node of fresh.reverse()) {
      const name = nameScopeOf(node);
      if (name) place = { node, own: name, outer: place };
      place = { node, own: scopeOf(node), outer: place };
      places.set(node, place);
    }
    return place;
  }

  function variableFor(declared: Declared, scope: Node): Variable {
    let variable = variables.get(declared);
    if (!variable) {
      variable = {
        id: ++count,
        name: declared.name,
        scope,
        defs: declared.defs,
        identifiers: declared.identifiers,
        get references() {
          names.observer?.dependOnUses(variable!);
          return referencesTo(variable!);
        },
        get writes() {
          names.observer?.dependOnUses(variable!);
          return writesTo(variable!);
        },
      };
      variables.set(declared, variable);
    }
    return variable;
  }

  function referencesTo(variable: Variable): readonly Reference[] {
    let ofName = references.get(variable.name);
    if (!ofName) references.set(variable.name, (ofName = new Map()));
    let known = ofName.get(variable);
    if (!known) {
      const meaning = namesIn(variable).filter((it) => variableOf(it) === variable);
      ofName.set(variable, (known = meaning.flatMap(usesOf)));
    }
    return known;
  }

  function writesTo(variable: Variable): readonly Reference[] {
    written ??= writtenNames(nodes);
    if (!written.has(variable.name)) return NO_REFERENCES;
    const all = variable.references;
    let found = writes.get(all);
    if (!found) writes.set(all, (found = all.filter((it) => it.isWrite() && !it.init)));
    return found;
  }

  function usesOf(name: Name): readonly Reference[] {
    let here = uses.get(name);
    if (!here) uses.set(name, (here = usesAt(name)));
    return here;
  }

  /** Where a name is spelled that may mean a variable: of many functions' parameters of one name, each is known in its own. */
  function namesIn({ name, scope }: Variable): readonly Name[] {
    // Decorators of a class may stand before it.
    if (scope.type === 'Program' || isClass(scope)) return namesSpelled(name);
    return namesBetween(name, rangeOf(scope));
  }

  /** More of JSX than stand there. */
  function namesBetween(name: string, [start, end]: readonly [number, number]): readonly Name[] {
    return [...nodes.namedBetween(name, start, end), ...elementsNamed(name)];
  }

  function namesSpelled(name: string): readonly Name[] {
    return [...nodes.named(name), ...elementsNamed(name)];
  }

  function elementsNamed(name: string): readonly Name[] {
    elements ??= byNameOf(nodes.all('JSXIdentifier'));
    return elements.get(name) ?? [];
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

function readOf(identifier: Name): Reference {
  return { identifier, init: false, writeExpr: null, isRead: yes, isWrite: no };
}

function writeOf(identifier: Name, { value, isInitial, isRead }: Write): Reference {
  const reads = isRead ? yes : no;
  return { identifier, init: isInitial, writeExpr: value, isRead: reads, isWrite: yes };
}

const yes = () => true;
const no = () => false;
