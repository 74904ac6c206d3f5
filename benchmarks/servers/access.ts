import type { DatabaseAccess } from '../case.ts';
import { countersOf } from './counters.ts';
import { openProxy } from './proxy.ts';

/** Where a server listens; plain data, for the process that runs a benchmark. */
export type DatabaseAddress = Pick<DatabaseAccess, 'kind' | 'url' | 'label' | 'origin'>;

/** What a case sees of the server at an address. Proxies belong to the process that opens them. */
export function accessTo(address: DatabaseAddress): DatabaseAccess {
  const { kind, url } = address;
  return {
    ...address,
    delayed: (roundTripMs) => openProxy(url, roundTripMs),
    counters: (connections) => countersOf(kind, url, connections),
  };
}
