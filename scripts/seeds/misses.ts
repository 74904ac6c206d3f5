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
    at: 'read-by-configuration-on-one-connection.ts',
    why: 'the connection was handed to a package that nobody can read',
  },
];

/** Undefined where nobody has looked into it. */
export function missedBecause({ place, mutation }: Trial): string | undefined {
  const path = place.replace(/:\d+$/, '');
  return reasons.find((it) => path.endsWith(it.at) && (it.mutation ?? mutation) === mutation)?.why;
}
