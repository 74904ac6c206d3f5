import type { LiveScope } from '../src/patterns/pools/live-scopes.ts';
import { headOf } from '../src/analysis/ownership/witness.ts';
import { rangeOf } from '../src/analysis/syntax/places.ts';
import { placeOf, type ReachedWait } from '../src/patterns/pools/reached-waits.ts';
import { nameOfCall } from '../src/patterns/pauses/work.ts';
import type { Related } from './define-rule.ts';

/** What happens while a connection is held, and where, in a rule's words. */
interface HeldPlaces {
  readonly scope: LiveScope;
  readonly waits: readonly ReachedWait[];
  readonly taken: string;
  readonly reached: string;
  readonly further: string;
}

/** Where the code acquires the connection, the calls that lead to the first wait, and the further waits. */
export function heldPlaces({ scope, waits, ...words }: HeldPlaces): readonly Related[] {
  const [first, ...others] = waits;
  const { path } = scope.file;
  const steps = first!.chain.slice(1).map(({ file, node }, i, all) => ({
    path: file.path,
    range: rangeOf(node),
    message: i === all.length - 1 ? words.reached : 'through this call',
    isStep: true as const,
  }));
  return [
    { path, range: headOf(scope.file, scope.call), message: words.taken },
    ...steps,
    ...others.map((it) => ({ path, range: rangeOf(placeOf(it)), message: words.further })),
  ];
}

/** As the code around calls it; a promise made on the spot by what it waits for. */
export function nameOfWait(wait: ReachedWait): string {
  const name = nameOfCall(placeOf(wait));
  if (name !== 'the call') return name;
  return wait.effect ? `${wait.effect.library}.${wait.effect.method}()` : 'setTimeout()';
}
