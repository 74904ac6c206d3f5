import { InvalidArgumentError, Option } from 'commander';
import { type Rank, rankOf } from '../report/order.ts';
import { severities } from '../../rules/define-rule.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { exitCodes } from './failure.ts';

/** The lowest severity that fails the command; `error` without both options. */
export interface Thresholds {
  readonly failOn?: 'error' | 'warn' | 'any' | 'off';
  /** Milliseconds. */
  readonly failOnCost?: number;
}

export function failOnOption(): Option {
  return new Option(
    '--fail-on <severity>',
    'exit with 1 from this severity on (default: error)',
  ).choices(['error', 'warn', 'any', 'off']);
}

export function failOnCostOption(): Option {
  return new Option(
    '--fail-on-cost <time>',
    'exit with 1 when one pass costs as much according to the code: 50ms, 2s',
  ).argParser(costMs);
}

/** `50ms`, `2s`. */
export function costMs(value: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(value) ?? [];
  if (number === undefined) throw new InvalidArgumentError('It is a time, as 50ms or 2s.');
  return Number(number) * (unit === 's' ? 1_000 : 1);
}

export function exitCodeOf({ problems, notices }: ScanResult, thresholds: Thresholds): number {
  const hasFailure = notices.some((it) => it.reason === 'rule-failure');
  return exitCodeFor(problems.map(rankOf), { ...thresholds, hasFailure });
}

export function exitCodeFor(
  ranks: readonly Rank[],
  { hasFailure, ...thresholds }: Thresholds & { readonly hasFailure: boolean },
): number {
  if (ranks.some((it) => isFailing(it, thresholds))) return exitCodes.findings;
  // "Clean" would be a lie about a file on which a rule failed.
  return hasFailure ? exitCodes.internal : exitCodes.clean;
}

function isFailing({ severity, costMs }: Rank, { failOn, failOnCost }: Thresholds): boolean {
  if (failOnCost !== undefined && costMs >= failOnCost) return true;
  const least = failOn ?? (failOnCost === undefined ? 'error' : 'off');
  return severities.indexOf(severity) <= gravestAllowed[least];
}

/** Positions in `severities`. */
const gravestAllowed = { off: -1, error: 0, warn: 1, any: severities.length };
