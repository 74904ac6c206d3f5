import type { RuleMutations } from '../seed.ts';
import { blocks } from './no-blocking-sleep.ts';
import { checkouts } from './no-checkout-per-query.ts';
import { floods } from './no-thread-pool-flood.ts';
import { leaks } from './no-leaked-connection.ts';
import { limits } from './require-pool-limits.ts';
import { loops } from './no-independent-await-in-loop.ts';
import { nested } from './no-nested-checkout.ts';
import { parallels } from './no-false-parallelism.ts';
import { sequences } from './no-sequential-independent-awaits.ts';
import { sleeps } from './no-hot-path-sleep.ts';
import { waits } from './no-connection-held-across-io.ts';
import { writes } from './no-autocommit-in-loop.ts';
import { yields } from './no-yield-per-iteration.ts';

/** What is planted for each rule. */
export const mutationsByRule: Readonly<Record<string, RuleMutations>> = {
  'no-autocommit-in-loop': { mutations: writes },
  'no-blocking-sleep': { mutations: blocks },
  'no-checkout-per-query': { mutations: checkouts },
  'no-connection-held-across-io': { mutations: waits },
  'no-false-parallelism': { mutations: parallels },
  'no-hot-path-sleep': { mutations: sleeps },
  'no-independent-await-in-loop': { mutations: loops },
  'no-leaked-connection': {
    mutations: leaks,
    options: { unconsumedBody: true },
    inFixtures: true,
  },
  'no-nested-checkout': { mutations: nested },
  'no-sequential-independent-awaits': { mutations: sequences },
  'no-thread-pool-flood': { mutations: floods },
  'no-yield-per-iteration': { mutations: yields },
  'require-pool-limits': { mutations: limits },
};
