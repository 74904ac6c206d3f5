import type { Rule } from '../../rules/define-rule.ts';
import type { Problem } from '../scan/problem.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import type { Beside } from './proof/beside.ts';
import type { Shard } from './shard.ts';

/** What a format may say beside the findings. */
export interface ReportContext {
  /** Absolute: people and agents read paths from here. */
  readonly cwd: string;
  /** Absolute, the repository's top: services that show findings beside the code read paths from here. */
  readonly root: string;
  readonly hasColors: boolean;
  /** Of Deadtime. */
  readonly version: string;
  /** Those that were run. */
  readonly rules: readonly Rule[];
  /** Which part of the files was looked at; all of them without it. */
  readonly shard?: Shard;
  /** What findings came to when they were measured; Markdown and JSON show it. */
  readonly proofs?: ReadonlyMap<Problem, Beside>;
  /** Told how many findings a report in this format leaves out, because a service would refuse it whole. */
  readonly onLeftOut?: (format: 'sarif', count: number) => void;
  /** A rule's page, in Markdown. */
  pageOf(ruleId: string): string | undefined;
}

/** Findings as text: the same text for the same findings, whatever the time and the machine. */
export type Format = (result: ScanResult, context: ReportContext) => string;
