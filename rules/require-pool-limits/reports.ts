import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { MadePool } from '../../src/patterns/pools/made-pools.ts';
import type { Opening } from '../../src/patterns/pools/openings.ts';
import { firstLine, rangeOf } from '../../src/analysis/syntax/places.ts';
import { isWaitBounded } from '../../src/analysis/values/pool-limits.ts';
import {
  idleChurnOf,
  isDeafToErrors,
  poolShareOf,
  validationOf,
} from '../../src/patterns/pools/settings.ts';
import type { Report } from '../define-rule.ts';
import { openedPlaces } from '../opened-text.ts';
import {
  churnEvidence,
  deafEvidence,
  overLimitEvidence,
  perCallEvidence,
  serverLimit,
  unsizedEvidence,
  validationEvidence,
  waitEvidence,
} from './evidence.ts';
import type { messages } from './messages.ts';
import { listenerSuggestion, timeoutSuggestion } from './suggestions.ts';

type PoolReport = Report<keyof typeof messages & string>;

export interface PoolOptions {
  readonly timeoutMs: number;
  readonly serverMaxConnections: number;
}

export function perCallReport(file: FileFacts, opening: Opening): PoolReport {
  return {
    messageId: 'perCall',
    at: firstLine(file, opening.at),
    evidence: perCallEvidence(opening),
    related: openedPlaces(opening, 'the pool is created here'),
  };
}

/** The report about one pool, by variant; undefined where the pool is correct or unresolved. */
export const reportsOf: Readonly<
  Record<string, (file: FileFacts, made: MadePool, options: PoolOptions) => PoolReport | undefined>
> = {
  'no-timeout': waitReport,
  unsized: unsizedReport,
  'over-limit': overLimitReport,
  'idle-churn': churnReport,
  'validate-on-borrow': validationReport,
  'no-error-listener': deafReport,
};

function waitReport(file: FileFacts, made: MadePool, { timeoutMs }: PoolOptions) {
  // The wait ends by default, by its options, or is unresolved.
  if (isWaitBounded(made.handle)) return undefined;
  return {
    messageId: made.pool.waitOption ? ('waitsForEver' as const) : ('cannotLimit' as const),
    at: firstLine(file, made.call),
    evidence: waitEvidence(made, timeoutMs),
    suggestions: timeoutSuggestion(file, made, timeoutMs),
  };
}

function unsizedReport(file: FileFacts, made: MadePool, options: PoolOptions) {
  const share = poolShareOf(file, made);
  // One process has the whole server, and an explicit size is a decision about all processes.
  if (!share || share.processes < 2 || share.isSized) return undefined;
  // The rule reports the total of all processes instead.
  if (overLimitReport(file, made, options)) return undefined;
  return {
    messageId: 'unsized' as const,
    at: firstLine(file, made.call),
    evidence: unsizedEvidence(made, share),
  };
}

function overLimitReport(file: FileFacts, made: MadePool, { serverMaxConnections }: PoolOptions) {
  const share = poolShareOf(file, made);
  const limit = share && serverLimit(share, serverMaxConnections);
  if (!share || !limit || share.max * share.processes <= limit.serverMax) return undefined;
  return {
    messageId: 'overLimit' as const,
    at: firstLine(file, made.call),
    evidence: overLimitEvidence(made, share, limit),
    // The server may be configured elsewhere.
    ...(limit.isAssumed ? { confidence: 'medium' as const } : {}),
  };
}

function churnReport(file: FileFacts, made: MadePool) {
  const churn = idleChurnOf(file, made);
  if (!churn) return undefined;
  return {
    messageId: 'idleChurn' as const,
    at: firstLine(file, made.call),
    evidence: churnEvidence(made, churn),
    related: [{ path: file.path, range: rangeOf(churn.poll.node), message: 'the poll' }],
  };
}

function validationReport(file: FileFacts, made: MadePool) {
  const validation = validationOf(made);
  if (!validation) return undefined;
  return {
    messageId: 'validates' as const,
    at: firstLine(file, made.call),
    evidence: validationEvidence(made, validation),
    // Behaviour by default is the price of that driver, which most of its users accept.
    ...(validation.isConfigured ? {} : { severity: 'hint' as const }),
  };
}

function deafReport(file: FileFacts, made: MadePool) {
  if (!isDeafToErrors(file, made)) return undefined;
  return {
    messageId: 'deaf' as const,
    at: firstLine(file, made.call),
    evidence: deafEvidence(made),
    suggestions: listenerSuggestion(file, made),
  };
}
