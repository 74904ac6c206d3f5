import type { NumberSpec, Values, WordSpec } from './case.ts';

/** Node's timers take no more. */
const LONGEST_TIMER_MS = 2_147_483_647;

type More = Partial<Pick<NumberSpec, 'min' | 'max' | 'longest' | 'source'>>;

/** A number that the fix uses and that Deadtime suggests. */
export const suggested = { source: { kind: 'suggested' } } as const;

const assumed = { kind: 'assumed' } as const;

/** Milliseconds; a value of the code above `longest` is reduced to that. */
export function duration(
  name: string,
  ms: number,
  description: string,
  more: More = {},
): NumberSpec {
  const limits = { min: 0, max: LONGEST_TIMER_MS, source: assumed, ...more };
  return { name, unit: 'ms', default: ms, description, ...limits };
}

/** A whole number of things, at least one. */
export function count(
  name: string,
  many: number,
  description: string,
  more: More = {},
): NumberSpec {
  const limits = { min: 1, max: 1_000_000_000, source: assumed, ...more };
  return { name, unit: 'count', default: many, description, ...limits };
}

/** 0 to 1. */
export function share(
  name: string,
  part: number,
  description: string,
  more: More = {},
): NumberSpec {
  return {
    name,
    unit: 'share',
    default: part,
    description,
    min: 0,
    max: 1,
    source: assumed,
    ...more,
  };
}

/** One of `words`, the first unless the code contains a different one. */
export function word(
  name: string,
  words: readonly [string, ...string[]],
  description: string,
): WordSpec {
  return { name, unit: 'word', default: words[0], words, description, source: assumed };
}

/** How long the database works on one query; the driver and the way there come on top. */
export function serverTime(name: string, ms: number, description: string): NumberSpec {
  return duration(name, ms, description, { longest: 50 });
}

/** Within one zone of a cloud. */
const SAME_ZONE_MS = 0.5;

/** The network that a proxy puts between the driver and the server; 0 is this machine's own. */
export function networkDelay(ms = SAME_ZONE_MS): NumberSpec {
  return duration('roundTripMs', ms, NETWORK, { max: 1_000, longest: 20 });
}

const NETWORK = `the network’s round trip to the database: ${SAME_ZONE_MS} ms in the same zone, 0 on one machine`;

/** The pool's size where the code does not show one: the default of `pg` and `mysql2`. */
export function poolSize(more: More = {}): NumberSpec {
  return count('max', 10, 'connections of the pool', {
    source: { kind: 'default', verified: 'pg 8.23.1, mysql2 3.24.5' },
    longest: 50,
    ...more,
  });
}

/** The numbers among the values, by name; the specifications have been checked before. */
export function numbersOf<const Name extends string>(
  values: Values,
  ...names: readonly Name[]
): Readonly<Record<Name, number>> {
  const entries = names.map((name) => [name, Number(values[name])]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** Values without missing evidence: the result of `parametersOf`. */
export function known(values: {
  readonly [name: string]: string | number | boolean | undefined;
}): Partial<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Values>;
}
