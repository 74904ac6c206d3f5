import type { NestedCheckouts } from '../../src/patterns/pools/nested-checkouts.ts';
import { lineOf } from '../../src/analysis/ownership/witness.ts';
import { poolLimitOf } from '../../src/analysis/values/pool-limits.ts';
import type { Evidence, Related } from '../define-rule.ts';
import { heldPlaces, nameOfWait } from '../held-places.ts';
import { numberFrom } from '../origins.ts';

/** The placeholders of the messages, and the parameters of the benchmark of a pool that waits for itself. */
export function evidenceOf({ scope, pool, waits }: NestedCheckouts): Evidence {
  const limit = poolLimitOf(pool);
  const max = limit?.max;
  return {
    driver: pool.library.name,
    call: nameOfWait(waits[0]!),
    handle: scope.names[0]!.name,
    line: lineOf(scope.file, scope.call),
    ...(limit ? numberFrom('max', limit.max, limit.defaultOf) : {}),
    cost:
      max === undefined
        ? 'concurrent calls can deadlock'
        : max === 1
          ? 'it deadlocks'
          : `${max} concurrent calls deadlock`,
  };
}

/** Where the code acquires the first connection, the calls that lead to the second, and further ones. */
export function placesOf({ scope, waits }: NestedCheckouts): readonly Related[] {
  return heldPlaces({
    ...{ scope, waits },
    taken: 'the first connection is acquired here',
    reached: 'a second one is acquired here',
    further: 'a further one is acquired here',
  });
}
