import { functionAround, type Node } from '../../src/analysis/syntax/ast.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import { endsAt, rangeOf, startsAt } from '../../src/analysis/syntax/places.ts';
import type { Edit, OptionValue } from '../../rules/define-rule.ts';

/** One bug that can be planted: what to change, and the smallest piece of code in which it must be reported. */
export interface Seed {
  readonly edits: readonly Edit[];
  readonly within: Node;
}

/** Every place of a file where one kind of bug can be planted, found by syntax alone: the facts are what is on trial. */
export type Mutation = (file: FileFacts) => Iterable<Seed>;

/** A rule's mutations, by what they do to the code. */
export type Mutations = Readonly<Record<string, Mutation>>;

/** What is planted for one rule, and the options with which all of it can be found. */
export interface RuleMutations {
  readonly mutations: Mutations;
  readonly options?: Readonly<Record<string, OptionValue>>;
  /** Also planted in the fixtures that other rules ignore: the bug would be one in any of them. */
  readonly inFixtures?: true;
}

/** A bug inside one function, where that function is what has to be reported. */
export function seedAt(node: Node, ...edits: readonly Edit[]): Seed {
  return { edits, within: functionAround(node) ?? programOf(node) };
}

/** A bug of the file as a whole: a pool, for one. */
export function seedOf(file: FileFacts, ...edits: readonly Edit[]): Seed {
  return { edits, within: file.ast };
}

function programOf(node: Node): Node {
  return node.parent ? programOf(node.parent) : node;
}

type EditPlace = Node | { readonly range: readonly [number, number] };

export function replaced(place: EditPlace, text: string): Edit {
  return { range: 'type' in place ? rangeOf(place) : place.range, text };
}

export function removed(place: EditPlace): Edit {
  return replaced(place, '');
}

export function insertedBefore(node: Node, text: string): Edit {
  return { range: [startsAt(node), startsAt(node)], text };
}

export function insertedAfter(node: Node, text: string): Edit {
  return { range: [endsAt(node), endsAt(node)], text };
}

/** After the opening brace, or before the closing one. */
export function insertedIn(block: Node, where: 'start' | 'end', text: string): Edit {
  const at = where === 'start' ? startsAt(block) + 1 : endsAt(block) - 1;
  return { range: [at, at], text };
}

export function imported(file: FileFacts, statement: string): Edit {
  return insertedBefore(file.ast.body[0] ?? file.ast, `${statement}\n`);
}
