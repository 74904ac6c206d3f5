import type { Evidence } from './define-rule.ts';

/**
 * Where a number of the evidence comes from when no literal of the code states it. It is in the evidence as `maxFrom` for
 * `max`; any other text names the library and the version whose default it is.
 */
export type Origin = 'assumed' | 'configured' | 'fallback' | (string & {});

/** Has four threads without UV_THREADPOOL_SIZE. */
export const LIBUV = 'libuv 1.46 of Node 20';

/** `{ max: 10, maxFrom: 'pg 8.23.1' }`, or `{ max: 5 }` for a number in the code. */
export function numberFrom(name: string, value: number, from: Origin | undefined): Evidence {
  return { [name]: value, ...(from === undefined ? {} : { [`${name}From`]: from }) };
}

/** Undefined for a number in the code. */
export function originOf(evidence: Evidence, name: string): Origin | undefined {
  const from = evidence[`${name}From`];
  return typeof from === 'string' ? from : undefined;
}
