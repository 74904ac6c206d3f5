import type { MadePool } from '../../src/patterns/pools/made-pools.ts';
import { verifiedName } from '../../src/analysis/model/index.ts';
import type { Opening } from '../../src/patterns/pools/openings.ts';
import { isWaitLeftToEnvironment, poolLimitOf } from '../../src/analysis/values/pool-limits.ts';
import type { IdleChurn, PoolShare, Validation } from '../../src/patterns/pools/settings.ts';
import type { Evidence } from '../define-rule.ts';
import { openedText } from '../opened-text.ts';
import { numberFrom, type Origin } from '../origins.ts';

export function perCallEvidence(opening: Opening): Evidence {
  return {
    variant: 'per-call',
    driver: opening.handle.library.name,
    ...openedText(opening),
    context: opening.context,
  };
}

export function waitEvidence({ handle, pool }: MadePool, timeoutMs: number): Evidence {
  const limit = poolLimitOf(handle);
  return {
    variant: 'no-timeout',
    driver: handle.library.name,
    connections: counted(limit?.max, pool.lends ?? 'connection'),
    ...(limit ? numberFrom('max', limit.max, limit.defaultOf) : {}),
    ...(pool.waitOption
      ? {
          option: pool.waitOption,
          timeoutMs,
          byDefault: isWaitLeftToEnvironment(handle) ? ' by default' : '',
        }
      : { remedy: pool.queueOption ? queueRemedy(pool.queueOption) : RACE }),
  };
}

function counted(max: number | undefined, noun: string): string {
  return max === undefined ? `${noun}s` : `${max} ${noun}${max === 1 ? '' : 's'}`;
}

const RACE = 'Let each query race with a time-out';

function queueRemedy(option: string): string {
  return `Bound the queue with \`${option}\`, or let each checkout race with a time-out`;
}

/** How many connections the server accepts: as configured by the user or the project, else the default of such a server. */
export interface ServerLimit {
  readonly serverMax: number;
  readonly isAssumed: boolean;
  readonly from: Origin | undefined;
}

export function serverLimit({ said, assumed }: PoolShare, byUser: number): ServerLimit | undefined {
  const known = byUser || said;
  const serverMax = known ?? assumed;
  if (serverMax === undefined) return undefined;
  const from = byUser
    ? 'configured'
    : said === undefined
      ? 'a server without configuration'
      : undefined;
  return { serverMax, isAssumed: known === undefined, from };
}

export function overLimitEvidence(
  { handle, pool }: MadePool,
  { max, isSized, processes, areProcessesKnown }: PoolShare,
  { serverMax, isAssumed, from }: ServerLimit,
): Evidence {
  const total = max * processes;
  return {
    variant: 'over-limit',
    driver: handle.library.name,
    ...numberFrom('max', max, isSized ? undefined : verifiedName(handle.library)),
    ...numberFrom('workers', processes, areProcessesKnown ? undefined : 'assumed'),
    total,
    ...numberFrom('serverMax', serverMax, from),
    each: processes > 1 ? ` in each of ${processes} processes, ${total} in total` : '',
    limit: isAssumed
      ? `a server accepts ${serverMax} by default`
      : `the server accepts ${serverMax}`,
    option: pool.maxOption ?? 'max',
  };
}

export function unsizedEvidence({ handle, pool }: MadePool, share: PoolShare): Evidence {
  const { max, isSized, processes } = share;
  return {
    variant: 'unsized',
    driver: handle.library.name,
    ...numberFrom('max', max, isSized ? undefined : verifiedName(handle.library)),
    workers: processes,
    total: max * processes,
    option: pool.maxOption ?? 'max',
  };
}

export function churnEvidence({ handle, pool }: MadePool, { idleMs, poll }: IdleChurn): Evidence {
  return {
    variant: 'idle-churn',
    driver: handle.library.name,
    idle: timeText(idleMs),
    every: timeText(poll.everyMs),
    option: pool.idle!.option,
  };
}

function timeText(ms: number): string {
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}

export function validationEvidence({ handle, pool }: MadePool, { request }: Validation): Evidence {
  return {
    variant: 'validate-on-borrow',
    driver: handle.library.name,
    request,
    remedy: pool.checkoutRemedy ?? 'Handle the error of a failing query instead',
  };
}

export function deafEvidence({ call, handle }: MadePool): Evidence {
  const { parent } = call;
  const name = parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier';
  return {
    variant: 'no-error-listener',
    driver: handle.library.name,
    pool: name ? (parent.id as { readonly name: string }).name : 'pool',
  };
}
