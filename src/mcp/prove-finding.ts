import type { BenchmarkResult } from '../proof/result.ts';
import { boundOf } from '../report/proof/bound.ts';
import { proofBrief } from '../report/proof/brief.ts';
import { verdictSentence } from '../report/proof/verdict.ts';
import { runProof } from '../../server/proofs/run-proof.ts';
import type { ToolAnswer } from './answer.ts';
import { placeInside, Refusal, type Workspace } from './workspace.ts';

export interface ProveInput {
  readonly id: string;
  readonly maxSeconds: number;
}

export type Prove = (input: ProveInput, signal: AbortSignal) => Promise<ToolAnswer>;

export interface ProverOptions {
  /** Starts the command line. */
  readonly program: readonly string[];
  readonly trustsConfiguration: boolean;
}

/** One proof runs at a time: two would measure each other. */
export function prover(
  workspace: Workspace,
  { program, trustsConfiguration }: ProverOptions,
): Prove {
  let queue: Promise<unknown> = Promise.resolve();
  return ({ id, maxSeconds }, signal) => {
    const place = placeInside(workspace, id);
    if (place === undefined) throw new Refusal(`${id} is no place: use file:line.`);
    const turn = queue.then(() =>
      runProof({
        ...{ command: program, cwd: workspace.cwd, environment: {}, place, maxSeconds, signal },
        ...{ databaseUrl: undefined, html: undefined, hasTypes: false },
        trustsConfiguration,
      }),
    );
    queue = turn;
    return turn.then((end) => {
      if (end.kind === 'result') return answerFrom(end.result);
      throw new Refusal(
        end.kind === 'failed' ? end.message : 'Cancelled before there was a result.',
      );
    });
  };
}

/** The text of a proof for an agent. */
export function answerFrom(result: BenchmarkResult): ToolAnswer {
  const { state, ruleId, command } = result;
  const summary = verdictSentence(result);
  return {
    text: proofBrief(result),
    data: { rule: ruleId, state, summary, ...figuresOf(result), command },
  };
}

function figuresOf(result: BenchmarkResult): ToolAnswer['data'] {
  if (result.state === 'unavailable') return { needs: result.needs };
  if (result.state !== 'completed') return {};
  const { verdict, status, environment, measurement, isNoisy, doesNotShow } = result;
  const common = { verdict, status, environment, doesNotShow };
  if (measurement.kind === 'counted') {
    return { ...common, flagged: measurement.flagged.text, mended: measurement.mended.text };
  }
  // A number that is wrong is worse than none.
  if (verdict === 'machine-busy') return common;
  const { flagged, mended, deadMs, ratio } = measurement;
  const { value, low, high } = ratio;
  const bound = boundOf(result);
  return {
    ...common,
    flaggedMs: flagged.msPerIteration,
    mendedMs: mended.msPerIteration,
    deadMs,
    ...(!isNoisy && { ratio: { value, low, high } }),
    ...(bound && { [bound.isAtMost ? 'ratioAtMost' : 'ratioAtLeast']: bound.times }),
  };
}
