import { readFileSync } from 'node:fs';
import { type ChangeSet, changeSetOf } from '../../scan/review/change-set.ts';
import { GitError } from '../../scan/review/git.ts';
import { PatchError } from '../../scan/review/patch.ts';
import { review as reviewed } from '../../scan/review/review.ts';
import { commitChanges, stagedChanges, workingTreeChanges } from '../../scan/review/sources.ts';
import type { ReportContext } from '../../report/format.ts';
import { besideText } from '../../report/proof/beside.ts';
import { noticeLines } from '../../report/text.ts';
import { visible } from '../../report/visible.ts';
import type { Profile } from '../../../rules/define-rule.ts';
import { rules } from '../../../rules/index.ts';
import { createClock } from '../../scan/clock.ts';
import type { ScanResult } from '../../scan/scan-files.ts';
import { UsageError } from '../failure.ts';
import { contextOf, isText, type Output, outputsFor, writeOutputs } from '../outputs.ts';
import { tellBaselined, withoutKnown } from '../known-baseline.ts';
import { withRecording } from '../measured.ts';
import type { ProofBudget } from '../prove-findings.ts';
import { ruleNamed } from '../rule-names.ts';
import type { Files } from '../../project/files.ts';
import { exitCodeOf, type Thresholds } from '../thresholds.ts';
import { timeLimit } from '../time-limit.ts';
import { diskFor, type TrustOption } from '../trust.ts';
import { understood } from '../understood.ts';

export interface ReviewOptions extends Thresholds, TrustOption {
  readonly base?: string;
  readonly staged?: boolean;
  readonly commit?: string;
  /** A file, or `-` for standard input. */
  readonly patch?: string;
  readonly format?: readonly Output[];
  readonly profile?: Profile;
  readonly rule?: readonly string[];
  readonly ignorePattern?: readonly string[];
  readonly quiet?: boolean;
  /** Whether findings in the baseline are hidden. */
  readonly baseline: boolean;
  /** Seconds for all proofs together. */
  readonly prove?: number;
  readonly hasColors: boolean;
}

/** Prints what a change brings, and returns the exit code. */
export async function review(options: ReviewOptions): Promise<number> {
  const cwd = process.cwd();
  const provable = ['text', 'compact', 'markdown', 'json'] as const;
  const isProving = options.prove !== undefined;
  const outputs = outputsFor(options.format, isProving ? provable : undefined);
  const selected = options.rule ? [...new Set(options.rule.map(ruleNamed))] : rules;
  const set = changesFor(options, cwd, await diskFor(options));
  const paths = set.changes.flatMap((it) => it.to ?? []);
  const whole = await reviewed(set, {
    rules: selected,
    isOfSomeRules: options.rule !== undefined,
    configurations: understood(paths, options.profile, set.after),
    clock: createClock(),
    ignorePatterns: options.ignorePattern ?? [],
    followsImports: true,
    watch: timeLimit(cwd),
  });
  const { root } = set;
  const files = set.changes.flatMap((it) => [it.from ?? [], it.to ?? []].flat());
  const fresh = options.baseline ? withoutKnown(whole, { root, files }) : whole;
  const { quiet } = options;
  const result = withRecording(fresh, cwd, { quiet, textOf: (path) => set.after.read(path) });
  if (!options.quiet) {
    for (const remark of set.remarks) process.stderr.write(`deadtime: ${visible(remark)}\n`);
    for (const it of noticeLines(result.notices, cwd)) process.stderr.write(it);
    tellBaselined(result, outputs);
  }
  const { hasColors, trustConfig = false, prove: seconds } = options;
  const context = contextOf({ cwd, root, hasColors, rules: selected });
  if (seconds === undefined) writeOutputs(outputs, result, context);
  else await writeWithProofs(outputs, result, { ...context, seconds, trustConfig });
  return exitCodeOf(result, options);
}

/** Text first, and each proof below it as it comes; the other reports hold them all. */
async function writeWithProofs(
  outputs: readonly Output[],
  result: ScanResult,
  { seconds, trustConfig, ...context }: ReportContext & Omit<ProofBudget, 'cwd'>,
): Promise<void> {
  writeOutputs(outputs.filter(isText), result, context);
  const others = outputs.filter((it) => !isText(it));
  const isPrinted = others.every(({ path }) => path !== undefined);
  const { proveFindings } = await import('../prove-findings.ts');
  const budget = { cwd: context.cwd, seconds, trustConfig };
  const proofs = await proveFindings(result.problems, budget, (problem, place, proof) => {
    if (isPrinted) process.stdout.write(`\n${besideText(problem, place, proof)}`);
  });
  writeOutputs(others, result, { ...context, proofs });
}

/** Throws a `UsageError` where git, the patch or the options do not allow an answer. */
function changesFor(options: ReviewOptions, cwd: string, disk: Files): ChangeSet {
  const { base, staged, commit, patch } = options;
  const named = [base, staged, commit, patch].filter((it) => it !== undefined);
  if (named.length > 1) {
    throw new UsageError(
      'Use only one of --base, --staged, --commit and --patch: each names a different change.',
    );
  }
  try {
    if (patch !== undefined) return changeSetOf(textOf(patch), cwd, disk);
    if (commit !== undefined) return commitChanges(cwd, commit, disk);
    return staged ? stagedChanges(cwd, disk) : workingTreeChanges(cwd, base, disk);
  } catch (error) {
    if (error instanceof PatchError)
      throw new UsageError(`The patch cannot be read: ${error.message}`);
    if (error instanceof GitError) throw new UsageError(error.message);
    throw error;
  }
}

function textOf(patch: string): string {
  try {
    return readFileSync(patch === '-' ? 0 : patch, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The patch cannot be read: ${reason}`);
  }
}
