import type { NestedCheckouts, NestedWait } from '../../facts/nested-checkouts.ts';
import { headOf, lineOf } from '../../facts/ownership-witness.ts';
import { limitOf } from '../../facts/pool-limits.ts';
import { placeOf } from '../../facts/reached-waits.ts';
import { nameOfCall } from '../../facts/work.ts';
import type { Evidence, Related } from '../define-rule.ts';

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

function nameOfWait(wait: NestedWait): string {
  const name = nameOfCall(placeOf(wait));
  return name === 'the call' ? `${wait.effect.library}.${wait.effect.method}()` : name;
}

/** Where the first connection is taken, the calls that lead to the second, and further ones. */
export function placesOf({ scope, waits }: NestedCheckouts): readonly Related[] {
  const [first, ...others] = waits;
  const { path } = scope.file;
  const steps = first!.chain.slice(1).map(({ file, node }, i, all) => ({
    path: file.path,
    range: node.range,
    message: i === all.length - 1 ? 'another is taken here' : 'by way of this call',
    isStep: true as const,
  }));
  return [
    { path, range: headOf(scope.file, scope.call), message: 'the first connection is taken here' },
    ...steps,
    ...others.map((it) => ({
      path,
      range: placeOf(it).range,
      message: 'another is taken here, too',
    })),
  ];
}
