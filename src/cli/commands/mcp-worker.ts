import { parentPort, workerData } from 'node:worker_threads';
import { answerCalls, type CallScope } from '../../mcp/answer-calls.ts';
import type { Silence } from '../../mcp/explain-finding.ts';
import { unwatched } from '../../scan/watch.ts';
import { progressIn } from '../../watch/progress.ts';
import type { ThreadData } from '../../watch/thread.ts';
import { NoFinding } from '../finding-at.ts';
import { explanationOf } from './explain.ts';
import { why } from './why.ts';

/** Of a place without a finding, why there is none. */
function silenceAt(name: string, trustConfig: boolean): (error: unknown) => Promise<Silence> {
  return async (error) => {
    if (!(error instanceof NoFinding)) throw error;
    const silence = await why(name, { trustConfig, hasColors: false });
    return { silence: `${error.message}\n\n${silence}` };
  };
}

if (parentPort) {
  const { data, progress } = workerData as ThreadData<CallScope>;
  const watch = { ...unwatched, begin: progressIn(progress).begin };
  const trustConfig = data.trustsConfiguration;
  answerCalls(parentPort, {
    ...{ ...data, watch },
    explain: (name, cwd) =>
      explanationOf(name, cwd, { trustConfig, watch }).catch(silenceAt(name, trustConfig)),
  });
}
