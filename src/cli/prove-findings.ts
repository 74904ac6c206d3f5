import { estimateOf } from '../proof/estimate.ts';
import { openDatabases } from '../proof/harness/databases.ts';
import { byCost } from '../report/order.ts';
import { shownPath } from '../report/path.ts';
import { type Beside, besideOf } from '../report/proof/beside.ts';
import { verdictSentence } from '../report/proof/verdict.ts';
import type { Problem } from '../scan/problem.ts';
import { type PlaceRun, proofAt } from './commands/prove.ts';
import { UsageError } from './failure.ts';
import { interruption } from './interruption.ts';

/** What one proof gets at most, and the least that is worth a start, in seconds. */
const MOST_SECONDS = 5;
const LEAST_SECONDS = 2;

export interface ProofBudget {
  readonly cwd: string;
  /** The time for all of them. */
  readonly seconds: number;
  readonly trustConfig: boolean;
}

/** Measures findings, the costliest first, until the time is used up; calls `onProof` with each as soon as it is done. */
export async function proveFindings(
  problems: readonly Problem[],
  { cwd, seconds, trustConfig }: ProofBudget,
  onProof: (problem: Problem, place: string, proof: Beside) => void,
): Promise<ReadonlyMap<Problem, Beside>> {
  const proofs = new Map<Problem, Beside>();
  const signal = interruption();
  const databases = openDatabases({ url: undefined, signal });
  const end = performance.now() + seconds * 1_000;
  try {
    for (const problem of problems.toSorted(byCost)) {
      if (signal.aborted) break;
      const { path, names, finding } = problem;
      const file = shownPath(path, cwd);
      const place = `${file}:${names.short}`;
      const leftSeconds = (end - performance.now()) / 1_000;
      const measured =
        leftSeconds < LEAST_SECONDS
          ? `not within ${seconds} s; run deadtime prove ${place}`
          : await measuredAt(`${file}:${names.exact}`, problem, {
              ...{ databases, signal, cwd, trustConfig },
              maxSeconds: Math.min(MOST_SECONDS, leftSeconds),
            });
      const estimate = estimateOf(finding.ruleId, finding.evidence);
      const proof = besideOf(estimate, measured);
      proofs.set(problem, proof);
      onProof(problem, place, proof);
    }
  } finally {
    await databases.close();
  }
  return proofs;
}

/** The place on disk, where the text may differ from the reviewed one. */
async function measuredAt(name: string, { message }: Problem, run: PlaceRun): Promise<string> {
  try {
    const { result, finding } = await proofAt(name, run);
    return finding?.message === message
      ? verdictSentence(result)
      : 'not at all: the file on disk has changed there';
  } catch (error) {
    if (error instanceof UsageError) return `not at all: ${error.message.split('\n')[0]}`;
    throw error;
  }
}
