import type { DatabaseAccess } from '../case.ts';
import { countersOf } from './counters.ts';
import { loanAt, type LoanTerms } from './lent/loan.ts';
import { openProxy } from './proxy.ts';

/** The address of a server; plain data, for the process that runs a benchmark. */
export interface DatabaseAddress extends Pick<DatabaseAccess, 'kind' | 'url' | 'label' | 'origin'> {
  /** The limits on a server of the user's. */
  readonly terms?: LoanTerms | undefined;
}

/** The interface of the server at an address, for a case. Proxies belong to the process that opens them. */
export function accessTo(address: DatabaseAddress): DatabaseAccess {
  const { kind, url, terms } = address;
  return {
    ...address,
    ...(terms && { loan: loanAt(address, terms) }),
    delayed: (roundTripMs) => openProxy(url, roundTripMs),
    counters: (connections) => countersOf(kind, url, connections),
  };
}
