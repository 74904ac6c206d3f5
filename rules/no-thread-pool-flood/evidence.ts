import { type Flood, nameOfWork } from '../../src/patterns/load/floods.ts';
import { libraryNamed } from '../../src/analysis/model/index.ts';
import type { Evidence } from '../define-rule.ts';
import { LIBUV, numberFrom } from '../origins.ts';

export function messageFor({ effect, limit, readsWhole }: Flood) {
  if (limit) return 'queries';
  if (readsWhole) return 'contents';
  return effect.threadPool === 'cpu'
    ? 'computes'
    : effect.threadPool === 'dns'
      ? 'lookups'
      : 'files';
}

/** The concurrency that leaves threads or connections for other work. */
export function roomFor({ effect, limit, threads }: Flood): number {
  if (limit) return Math.max(1, Math.floor(limit.max / 2));
  if (effect.threadPool === 'fs') return threads;
  return Math.max(1, effect.threadPool === 'dns' ? Math.floor(threads / 2) : threads - 1);
}

export function floodEvidence(flood: Flood, isThreadsOption: boolean): Evidence {
  const { fanOut, effect, context, threads, areThreadsDefault, limit } = flood;
  const { count, over } = fanOut;
  const threadsFrom = areThreadsDefault ? LIBUV : isThreadsOption ? 'configured' : undefined;
  return {
    ...(limit
      ? {
          variant: 'connections',
          driver: effect.library,
          ...numberFrom('max', limit.max, limit.defaultOf),
        }
      : {
          variant: 'threads',
          job: jobOf(flood),
          ...numberFrom('threads', threads, threadsFrom),
        }),
    call: nameOfWork(flood),
    ...(count === undefined ? {} : { count }),
    many: count === undefined ? manyOf(over) : `${count} times`,
    atOnce: roomFor(flood),
    context,
  };
}

function manyOf(over: string | undefined): string {
  return over === undefined ? 'for each element' : `for each of \`${over}\``;
}

/** What of the benchmark's jobs comes nearest to it. */
function jobOf({ effect: { library, method, threadPool } }: Flood): string {
  if (threadPool === 'fs' || threadPool === 'dns') return threadPool;
  return method === 'scrypt' ? method : (libraryNamed(library)?.job ?? 'zlib');
}
