import type { PoolDemand, PoolPrediction, PoolSize } from './results.ts';

/** `superuser_reserved_connections`, the default of PostgreSQL 18.4: what administrators need when all others are taken. */
const RESERVED_CONNECTIONS = 3;

/** `max_connections`, the default of PostgreSQL 18.4. */
export const DEFAULT_SERVER_MAX = 100;

/** What the published rule of thumb adds for peaks. */
const PUBLISHED_FACTOR = 1.2;

/** From impatient programs to people who read. */
const OTHER_THINK_TIMES_MS = [0, 100, 1_000, 10_000];

/** How long users think by default: each then sends one request per second, as in the published formula. */
export function assumedThinkMs(queryMs: number): number {
  return Math.max(0, 1_000 - queryMs);
}

/** The pool's size by Little's law (L = λ · W) and by the published formula, within the server's limit. */
export function poolSize(demand: PoolDemand): PoolSize {
  const { users, queryMs, thinkMs, workers, serverMax } = demand;
  const wantedFor = (thinkMs: number) =>
    Math.max(1, ceil(connectionsFor(demand, thinkMs) / workers));
  const wanted = wantedFor(thinkMs);
  const published = ceil(((users * queryMs) / 1_000) * PUBLISHED_FACTOR);
  const allowed = Math.max(0, Math.floor((serverMax - RESERVED_CONNECTIONS) / workers));
  return {
    demand,
    requestsPerSecond: (1_000 * users) / (thinkMs + queryMs),
    connections: connectionsFor(demand, thinkMs),
    wanted,
    published: Math.max(1, ceil(published / workers)),
    allowed,
    size: Math.min(wanted, allowed),
    others: OTHER_THINK_TIMES_MS.map((it) => ({ thinkMs: it, wanted: wantedFor(it) })),
  };
}

/** λ · S with λ = users / (think + query): the running queries while no request waits for a connection. */
export function connectionsFor(
  { users, queryMs }: Pick<PoolDemand, 'users' | 'queryMs'>,
  thinkMs: number,
): number {
  return (users * queryMs) / (thinkMs + queryMs);
}

/** 27.000000000000004 is 27. */
function ceil(value: number): number {
  return Math.ceil(value - 1e-9);
}

/**
 * A closed loop of users on one pool: X = min(N / (Z + S), m / S), and by Little's law again the time per request N / X − Z and
 * the queue N − m − X · Z.
 */
export function predictionFor(
  size: number,
  { users, queryMs, thinkMs }: Pick<PoolDemand, 'users' | 'queryMs' | 'thinkMs'>,
): PoolPrediction {
  const perMs = Math.min(users / (thinkMs + queryMs), size / queryMs);
  return {
    requestsPerSecond: 1_000 * perMs,
    averageMs: users / perMs - thinkMs,
    queue: Math.max(0, users - size - perMs * thinkMs),
  };
}

/** Four sizes around the answer that the server allows: the answer, the published one, and fractions and multiples. */
export function testedSizes(
  { size, published, allowed }: Pick<PoolSize, 'size' | 'published' | 'allowed'>,
  most: number,
): readonly number[] {
  const around = [0.5, 1.5, 0.75, 2, 0.25, 3, 4, 5].map((it) => Math.max(1, Math.round(it * size)));
  const possible = [size, published, ...around].filter((it) => it <= Math.min(allowed, most));
  return [...new Set(possible)].slice(0, 4).sort((a, b) => a - b);
}
