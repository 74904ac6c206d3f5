// Written by `npm run docs` from the folders of the rules.
import type { Rule } from './define-rule.ts';
import noAutocommitInLoop from './no-autocommit-in-loop/rule.ts';
import noBlockingCall from './no-blocking-call/rule.ts';
import noBlockingSleep from './no-blocking-sleep/rule.ts';
import noCheckoutPerQuery from './no-checkout-per-query/rule.ts';
import noConnectionHeldAcrossIo from './no-connection-held-across-io/rule.ts';
import noFalseParallelism from './no-false-parallelism/rule.ts';
import noHotPathSleep from './no-hot-path-sleep/rule.ts';
import noIndependentAwaitInLoop from './no-independent-await-in-loop/rule.ts';
import noLeakedConnection from './no-leaked-connection/rule.ts';
import noNestedCheckout from './no-nested-checkout/rule.ts';
import noQueryPerItem from './no-query-per-item/rule.ts';
import noSequentialIndependentAwaits from './no-sequential-independent-awaits/rule.ts';
import noThreadPoolFlood from './no-thread-pool-flood/rule.ts';
import noYieldPerIteration from './no-yield-per-iteration/rule.ts';
import requirePoolLimits from './require-pool-limits/rule.ts';

export type RuleId =
  | 'no-autocommit-in-loop'
  | 'no-blocking-call'
  | 'no-blocking-sleep'
  | 'no-checkout-per-query'
  | 'no-connection-held-across-io'
  | 'no-false-parallelism'
  | 'no-hot-path-sleep'
  | 'no-independent-await-in-loop'
  | 'no-leaked-connection'
  | 'no-nested-checkout'
  | 'no-query-per-item'
  | 'no-sequential-independent-awaits'
  | 'no-thread-pool-flood'
  | 'no-yield-per-iteration'
  | 'require-pool-limits';

/** Every rule, in alphabetical order. */
export const rules: readonly Rule[] = [
  noAutocommitInLoop,
  noBlockingCall,
  noBlockingSleep,
  noCheckoutPerQuery,
  noConnectionHeldAcrossIo,
  noFalseParallelism,
  noHotPathSleep,
  noIndependentAwaitInLoop,
  noLeakedConnection,
  noNestedCheckout,
  noQueryPerItem,
  noSequentialIndependentAwaits,
  noThreadPoolFlood,
  noYieldPerIteration,
  requirePoolLimits,
];
