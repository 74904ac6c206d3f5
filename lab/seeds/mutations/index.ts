// Written by `npm run docs` from the folders of the rules.
import type { RuleMutations } from '../seed.ts';
import noAutocommitInLoop from './no-autocommit-in-loop.ts';
import noBlockingCall from './no-blocking-call.ts';
import noBlockingSleep from './no-blocking-sleep.ts';
import noCheckoutPerQuery from './no-checkout-per-query.ts';
import noConnectionHeldAcrossIo from './no-connection-held-across-io.ts';
import noFalseParallelism from './no-false-parallelism.ts';
import noHotPathSleep from './no-hot-path-sleep.ts';
import noIndependentAwaitInLoop from './no-independent-await-in-loop.ts';
import noLeakedConnection from './no-leaked-connection.ts';
import noNestedCheckout from './no-nested-checkout.ts';
import noQueryPerItem from './no-query-per-item.ts';
import noSequentialIndependentAwaits from './no-sequential-independent-awaits.ts';
import noThreadPoolFlood from './no-thread-pool-flood.ts';
import noYieldPerIteration from './no-yield-per-iteration.ts';
import requirePoolLimits from './require-pool-limits.ts';

/** What is planted for each rule. */
export const mutationsByRule: Readonly<Record<string, RuleMutations>> = {
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
};
