import type { Context } from '../scan/problem.ts';

/** How often the place of a finding runs, in words. */
export const frequencies: Readonly<Record<Context, string | undefined>> = {
  'per-item': 'Runs for every item',
  'per-job': 'Runs for every job',
  'per-request': 'Runs for every request',
  periodic: 'Runs periodically',
  startup: 'Runs at startup',
  unknown: undefined,
};
