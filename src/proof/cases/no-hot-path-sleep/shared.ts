export const ruleId = 'no-hot-path-sleep';

export interface SleepEvidence {
  readonly [name: string]: string | number | boolean;
  readonly sleepMs: number;
  readonly variant:
    'after-work' | 'full-batch' | 'skip-branch' | 'idle-poll' | 'state-poll' | 'in-request';
}

/** The moments of a sleep at which something happens, as parts of it: evenly spread, so that their mean is a half. */
export const ARRIVALS = [0.1, 0.3, 0.5, 0.7, 0.9];
