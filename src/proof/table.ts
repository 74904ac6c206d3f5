// Written by `npm run docs` from the folders of the rules.
import type { RuleId } from '../../rules/index.ts';
import type { BenchmarkCase } from './case.ts';
import { cases as noAutocommitInLoop } from './cases/no-autocommit-in-loop.ts';
import { cases as noBlockingCall } from './cases/no-blocking-call.ts';
import { cases as noBlockingSleep } from './cases/no-blocking-sleep.ts';
import { cases as noCheckoutPerQuery } from './cases/no-checkout-per-query.ts';
import { cases as noConnectionHeldAcrossIo } from './cases/no-connection-held-across-io.ts';
import { cases as noFalseParallelism } from './cases/no-false-parallelism.ts';
import { cases as noHotPathSleep } from './cases/no-hot-path-sleep.ts';
import { cases as noIndependentAwaitInLoop } from './cases/no-independent-await-in-loop.ts';
import { cases as noLeakedConnection } from './cases/no-leaked-connection.ts';
import { cases as noNestedCheckout } from './cases/no-nested-checkout.ts';
import { cases as noQueryPerItem } from './cases/no-query-per-item.ts';
import { cases as noSequentialIndependentAwaits } from './cases/no-sequential-independent-awaits.ts';
import { cases as noThreadPoolFlood } from './cases/no-thread-pool-flood.ts';
import { cases as noYieldPerIteration } from './cases/no-yield-per-iteration.ts';
import { cases as requirePoolLimits } from './cases/require-pool-limits.ts';

/** The only link from a rule to its proof: a rule without a case does not compile. A finding's case is the first that accepts its evidence. */
export const table = {
  'no-autocommit-in-loop': noAutocommitInLoop,
  'no-blocking-call': noBlockingCall,
  'no-blocking-sleep': noBlockingSleep,
  'no-checkout-per-query': noCheckoutPerQuery,
  'no-connection-held-across-io': noConnectionHeldAcrossIo,
  'no-false-parallelism': noFalseParallelism,
  'no-hot-path-sleep': noHotPathSleep,
  'no-independent-await-in-loop': noIndependentAwaitInLoop,
  'no-leaked-connection': noLeakedConnection,
  'no-nested-checkout': noNestedCheckout,
  'no-query-per-item': noQueryPerItem,
  'no-sequential-independent-awaits': noSequentialIndependentAwaits,
  'no-thread-pool-flood': noThreadPoolFlood,
  'no-yield-per-iteration': noYieldPerIteration,
  'require-pool-limits': requirePoolLimits,
} as const satisfies Record<RuleId, readonly BenchmarkCase[]>;
