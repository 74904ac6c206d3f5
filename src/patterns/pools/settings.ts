import type { TSESTree } from '@typescript-eslint/utils';
import { propertyName } from '../../analysis/syntax/ast.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { MadePool } from './made-pools.ts';
import { optionOf, sizeIn } from '../../analysis/values/pool-limits.ts';
import { asks, ownUsesOf, type Poll, pollsOf } from './uses.ts';

/** How many connections the processes that run the code may open together. */
export interface PoolShare {
  readonly max: number;
  readonly processes: number;
  /** Whether a file of the project states how many processes run. */
  readonly areProcessesKnown: boolean;
  /** Whether the options of the pool contain its size. */
  readonly isSized: boolean;
  /** How many connections the server accepts, where the project declares it. */
  readonly said: number | undefined;
  /** What such a server takes unless it is configured. */
  readonly assumed: number | undefined;
}

/** `max_connections` of servers that nobody has configured. */
const SERVER_DEFAULTS = { postgres: 100, mysql: 151 } as const;

/** Undefined where the size is only resolved at run time. */
export function poolShareOf(file: FileFacts, { handle, pool }: MadePool): PoolShare | undefined {
  if (pool.maxOption === undefined || pool.lends) return undefined;
  const configured = optionOf(handle, pool.maxOption);
  const max = configured ? sizeIn(pool, configured) : pool.max;
  // veto: the code does not state the size of the pool, which is only resolved at run time
  if (max === undefined) return undefined;
  const deployment = file.source.modules?.deploymentOf(file.path);
  const { server } = pool;
  return {
    max,
    processes: deployment?.processes ?? 1,
    areProcessesKnown: deployment?.processes !== undefined,
    isSized: configured !== undefined,
    said: server && deployment?.connections[server],
    assumed: server && SERVER_DEFAULTS[server],
  };
}

/** Polls that come less often than the pool keeps a connection without work. */
export interface IdleChurn {
  readonly idleMs: number;
  readonly poll: Poll;
}

export function idleChurnOf(file: FileFacts, made: MadePool): IdleChurn | undefined {
  const { handle, pool } = made;
  if (!pool.idle) return undefined;
  const configured = optionOf(handle, pool.idle.option);
  const idleMs = configured ? configured.value : pool.idle.ms;
  // veto: the pool never closes idle connections, or its idle time is only resolved at run time
  if (typeof idleMs !== 'number' || idleMs === 0) return undefined;
  // veto: an option of the pool sets how many idle connections stay open
  if (optionOf(handle, pool.idle.keepOption)) return undefined;
  const polls = pollsOf(file, made) ?? [];
  const [first] = polls;
  // veto: polls are not the only use of the pool, or a poll runs before the idle time ends
  if (!first || polls.some(({ everyMs }) => everyMs <= idleMs)) return undefined;
  return { idleMs, poll: first };
}

/** What every checkout asks the server before its query. */
export interface Validation {
  readonly request: string;
  /** Whether the code sets it, and not only the driver. */
  readonly isConfigured: boolean;
}

export function validationOf({ handle, pool }: MadePool): Validation | undefined {
  for (const { option, values, roundTrips, request } of pool.checkoutOptions ?? []) {
    const configured = optionOf(handle, option);
    if (!configured) continue;
    // veto: an option decides whether checkouts validate, and its value is only resolved at run time
    if (configured.value === undefined) return undefined;
    if (!values.includes(configured.value)) continue;
    return roundTrips > 0 && request ? { request, isConfigured: true } : undefined;
  }
  return pool.checkoutRoundTrips > 0 && pool.checkoutRequest
    ? { request: pool.checkoutRequest, isConfigured: false }
    : undefined;
}

/** `pool.on('error', …)`, or for an event that only run time knows. */
function listens(use: TSESTree.MemberExpression): boolean {
  if (!/^(?:on|once|addListener|prependListener)$/.test(propertyName(use) ?? '')) return false;
  const [event] = use.parent.type === 'CallExpression' ? use.parent.arguments : [];
  return event?.type !== 'Literal' || event.value === 'error';
}

const UNCAUGHT = /['"]uncaughtException['"]/;

/** Whether the error of an idle connection is an uncaught exception. */
export function isDeafToErrors(file: FileFacts, made: MadePool): boolean {
  // veto: the pool of this driver does not emit errors of idle connections
  if (!made.pool.emitsErrors) return false;
  const uses = ownUsesOf(file, made);
  // veto: other code can reach the pool and listen for its errors, or this file never queries the pool
  if (!uses?.some(asks)) return false;
  // veto: the pool has a listener for errors, or for an event whose name is no literal
  if (uses.some(listens)) return false;
  // veto: the file handles uncaughtException, which also covers errors of idle connections
  return !file.says(UNCAUGHT);
}
