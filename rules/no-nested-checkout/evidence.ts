import type { NestedCheckouts } from '../../src/patterns/pools/nested-checkouts.ts';
import { lineOf } from '../../src/analysis/ownership/witness.ts';
import { limitOf } from '../../src/analysis/values/pool-limits.ts';
import type { Evidence, Related } from '../define-rule.ts';
import { heldPlaces, nameOfWait } from '../held-places.ts';

/** What the messages quote, and what the benchmark of a pool that waits for itself needs. */
export function evidenceOf({ scope, pool, waits }: NestedCheckouts): Evidence {
  const max = limitOf(pool);
  return {
    driver: pool.library.name,
    call: nameOfWait(waits[0]!),
    handle: scope.names[0]!.name,
    line: lineOf(scope.file, scope.call),
    ...(max === undefined ? {} : { max }),
    cost:
      max === undefined
        ? 'as many of these at once as the pool has connections wait for each other'
        : max === 1
          ? 'it waits for itself'
          : `${max} of these at once wait for each other`,
  };
}

/** Where the first connection is taken, the calls that lead to the second, and further ones. */
export function placesOf({ scope, waits }: NestedCheckouts): readonly Related[] {
  return heldPlaces({
    ...{ scope, waits },
    taken: 'the first connection is taken here',
    reached: 'another is taken here',
    further: 'another is taken here, too',
  });
}
