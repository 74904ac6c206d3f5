import { isClass } from './ast.ts';
import type { Name } from './name-uses.ts';
import { byNameOf, type NodeIndex } from './node-index.ts';
import { rangeOf } from './places.ts';
import type { Variable } from './variable.ts';

/** Where names are spelled in a file, with any meaning. */
export class Spellings {
  readonly #nodes: NodeIndex;
  #elements: ReadonlyMap<string, readonly Name[]> | undefined;

  constructor(nodes: NodeIndex) {
    this.#nodes = nodes;
  }

  of(name: string): readonly Name[] {
    return [...this.#nodes.named(name), ...this.#elementsNamed(name)];
  }

  /** Of JSX also those that are located elsewhere. */
  between(name: string, [start, end]: readonly [number, number]): readonly Name[] {
    return [...this.#nodes.namedBetween(name, start, end), ...this.#elementsNamed(name)];
  }

  /** Those that may mean a variable: of many functions' parameters of one name, each is resolved in its own. */
  for({ name, scope }: Variable): readonly Name[] {
    // Decorators of a class may stand before it.
    if (scope.type === 'Program' || isClass(scope)) return this.of(name);
    return this.between(name, rangeOf(scope));
  }

  /** The index has followed an edit. */
  forget(): void {
    this.#elements = undefined;
  }

  #elementsNamed(name: string): readonly Name[] {
    this.#elements ??= byNameOf(this.#nodes.all('JSXIdentifier'));
    return this.#elements.get(name) ?? [];
  }
}
