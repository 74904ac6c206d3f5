import type { Rule } from '../../rules/define-rule.ts';
import type { Problem } from '../scan/problem.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import type { Beside } from './proof/beside.ts';
import type { Shard } from './shard.ts';

/** What a format may contain besides the findings. */
export interface ReportContext {
  /** Absolute: people and agents read paths from here. */
  readonly cwd: string;
  /** Absolute, the repository's top: services that show findings next to the code read paths from here. */
  readonly root: string;
  readonly hasColors: boolean;
  /** The day of the run, "2026-11-21": HTML shows it. */
  readonly date: string;
  /** The version of Deadtime. */
  readonly version: string;
  /** The rules that were run. */
  readonly rules: readonly Rule[];
  /** Which part of the files was scanned; all of them without it. */
  readonly shard?: Shard;
  /** The results of findings that were measured; Markdown, HTML and JSON show them. */
  readonly proofs?: ReadonlyMap<Problem, Beside>;
  /** Called with the number of findings that a report in this format omits, because a service would reject a larger report. */
  readonly onLeftOut?: (format: 'sarif', count: number) => void;
  /** The text of a scanned file, for a quote from it; undefined where it cannot be read any more. */
  textOf(path: string): string | undefined;
  /** A rule's page, in Markdown. */
  pageOf(ruleId: string): string | undefined;
}

/** Findings as text: the same text for the same findings, at any time and on any machine; HTML also has its day and folder. */
export type Format = (result: ScanResult, context: ReportContext) => string;
