import type { Trial } from './trials.ts';

/** Why a planted bug is not reported, by the end of its file's path; a mutation's name where it holds for that one only. */
const reasons: readonly {
  readonly at: string;
  readonly mutation?: string;
  readonly why: string;
}[] = [
  {
    at: 'src/legacy-db.js',
    why: 'the connection was handed to a function that the caller has passed: that one may give it back',
  },
  {
    at: 'src/routes/depots.ts',
    mutation: 'opens a connection of its own for a request',
    why: 'the loop goes over pages and not over elements, as one that connects again after an error may',
  },
  {
    at: 'src/activity.service.ts',
    mutation: 'leaves the time limit of the pool out',
    why: 'the address comes from the environment, and may hold the limit',
  },
  {
    at: 'src/cleaner.js',
    why: 'the rows that are taken are worked off by one statement, as a clean-up at its own pace does it',
  },
  {
    at: 'no-sequential-independent-awaits/ignores/lent-what-is-there-already.ts',
    why: 'the connection was handed to a function that the caller has passed: that one may give it back',
  },
  {
    at: 'nothing-lent-under-such-names.ts',
    why: 'the connection was handed to a function that the caller has passed: that one may give it back',
  },
  {
    at: 'no-autocommit-in-loop/ignores/lent-what-is-there-already.ts',
    why: 'the connection was handed to a function that the caller has passed, or is in a variable that others read',
  },
  {
    at: 'given-in-two-steps.ts',
    why: 'the connection was handed to a function that makes another one around it',
  },
  {
    at: 'transaction-in-a-builder.ts',
    why: 'the transaction was handed to an object that keeps it',
  },
  {
    at: 'more-paths-than-are-followed.ts',
    why: 'the function has more paths than are followed',
  },
  {
    at: 'read-by-configuration-on-one-connection.ts',
    why: 'the connection was handed to a package that nobody can read',
  },
];

/** Undefined where the miss has not been examined. */
export function missedBecause({ place, mutation }: Trial): string | undefined {
  const path = place.replace(/:\d+$/, '');
  return reasons.find((it) => path.endsWith(it.at) && (it.mutation ?? mutation) === mutation)?.why;
}
