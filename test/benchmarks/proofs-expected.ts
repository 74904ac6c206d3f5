/** Values under which a case shows its effect, where the defaults are those of the usual, harmless situation. */
const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // A pool with a free connection costs microseconds: the wait in line is what can be lost.
  'no-checkout-per-query/pooled': { others: '20' },
  // A turn of an idle event loop costs a microsecond beside a query.
  'no-yield-per-iteration/query': { how: 'setTimeout 0' },
};

export function settingsOf(name: string): Readonly<Record<string, string>> {
  return settings[name] ?? {};
}

/** Files in the page cache: whether there is anything to wait for is the machine's matter. */
export const mayShowNothing: ReadonlySet<string> = new Set([
  'no-sequential-independent-awaits/files',
  'no-independent-await-in-loop/fan-out-files',
]);

type Counts = readonly [flagged: unknown, mended: unknown];

/** Per iteration, or what the case counts. */
const counts: Readonly<Record<string, Counts>> = {
  'no-autocommit-in-loop/insert': [
    { 'round trips': 20, fsyncs: 20 },
    { 'round trips': 1, fsyncs: 1 },
  ],
  'no-autocommit-in-loop/transaction': [
    { 'round trips': 20, fsyncs: 20 },
    { 'round trips': 22, fsyncs: 1 },
  ],
  'no-autocommit-in-loop/row-in-transaction': [
    { 'round trips': 22, fsyncs: 1 },
    { 'round trips': 3, fsyncs: 1 },
  ],
  'no-autocommit-in-loop/enqueue': [{ 'round trips': 20 }, { 'round trips': 1 }],
  'no-checkout-per-query/validated': [{ 'round trips': 2 }, { 'round trips': 1 }],
  'no-checkout-per-query/opened': [{ connections: 1 }, { connections: 0 }],
  'no-checkout-per-query/duplicates': [{ connections: 0.2 }, { connections: 0 }],
  'no-hot-path-sleep/after-work': [
    { sleeps: 1, 'round trips': 2 },
    { sleeps: 0, 'round trips': 2 },
  ],
  'no-hot-path-sleep/full-batch': [
    { sleeps: 1, 'round trips': 2 },
    { sleeps: 0, 'round trips': 2 },
  ],
  'no-hot-path-sleep/skip-branch': [
    { sleeps: 0.2, 'round trips': 0.8 },
    { sleeps: 0, 'round trips': 0.8 },
  ],
  'no-independent-await-in-loop/batch': [{ 'round trips': 20 }, { 'round trips': 1 }],
  'no-independent-await-in-loop/drain': [{ 'round trips': 20 }, { 'round trips': 1 }],
  'no-independent-await-in-loop/writes': [{ 'round trips': 20 }, { 'round trips': 1 }],
  'no-leaked-connection/lost': [50, 100],
  'no-leaked-connection/unclosed': [4, 0],
  'no-leaked-connection/released-twice': [20, 0],
  'no-leaked-connection/used-after-release': [20, 0],
  'no-leaked-connection/hidden-error': [20, 0],
  'no-nested-checkout/deadlock': [10, 0],
  'no-sequential-independent-awaits/pool': [{ waits: 3 }, { waits: 1 }],
  'no-sequential-independent-awaits/http': [{ waits: 3 }, { waits: 1 }],
  'no-sequential-independent-awaits/files': [{ waits: 3 }, { waits: 1 }],
  'no-sequential-independent-awaits/thread-pool': [{ waits: 6 }, { waits: 1 }],
  'no-yield-per-iteration/query': [{ yields: 1 }, { yields: 1 / 64 }],
  'no-yield-per-iteration/in-memory': [{ 'loop turns': 1 }, { 'loop turns': 1 / 64 }],
  'no-yield-per-iteration/tick': [0, 10],
  'require-pool-limits/per-call': [{ connections: 1 }, { connections: 0 }],
  'require-pool-limits/validate-on-borrow': [{ 'round trips': 2 }, { 'round trips': 1 }],
  'require-pool-limits/no-timeout': [20, 0],
  'require-pool-limits/over-limit': [10, 0],
  'require-pool-limits/idle-churn': [8, 1],
  'require-pool-limits/no-error-listener': [1, 0],
};

export function countersOf(name: string): Counts | undefined {
  return counts[name];
}
