import type { HeldWaits } from '../../facts/held-waits.ts';
import { limitOf } from '../../facts/pool-limits.ts';
import { headOf, lineOf } from '../../facts/ownership-witness.ts';
import { placeOf, type ReachedWait } from '../../facts/reached-waits.ts';
import { nameOfCall } from '../../facts/work.ts';
import type { Evidence, Related } from '../define-rule.ts';

/** What the messages quote, and what the benchmark of a pool whose connections wait needs. */
export function evidenceOf({ scope, variant, waits }: HeldWaits): Evidence {
  const { file, handle, pool, call } = scope;
  const [first] = waits;
  const max = pool && limitOf(pool);
  const externalMs = first!.pause?.duration.value;
  return {
    variant,
    driver: handle.library.name,
    call: nameOfWait(first!),
    line: lineOf(file, call),
    ...(max === undefined ? {} : { max }),
    ...(externalMs === undefined ? {} : { externalMs }),
    cost:
      max === undefined
        ? 'the pool has one fewer meanwhile'
        : `${max} of these at once leave none for anybody else`,
  };
}

/** As the code around calls it; a promise made on the spot by what it waits for. */
function nameOfWait(wait: ReachedWait): string {
  const name = nameOfCall(placeOf(wait));
  if (name !== 'the call') return name;
  return wait.effect ? `${wait.effect.library}.${wait.effect.method}()` : 'setTimeout()';
}

/** Where the connection comes from, the calls that lead to the wait, and what else it waits for. */
export function placesOf({ scope, waits }: HeldWaits): readonly Related[] {
  const [first, ...others] = waits;
  const steps = first!.chain.slice(1).map(({ file, node }, i, all) => ({
    path: file.path,
    range: node.range,
    message: i === all.length - 1 ? 'this is what it waits for' : 'by way of this call',
    isStep: true as const,
  }));
  return [
    {
      path: scope.file.path,
      range: headOf(scope.file, scope.call),
      message: 'the connection is taken here',
    },
    ...steps,
    ...others.map((it) => ({
      path: scope.file.path,
      range: placeOf(it).range,
      message: 'it is held here, too',
    })),
  ];
}
