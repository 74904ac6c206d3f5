import { parentPort, workerData } from 'node:worker_threads';
import { answerCalls, type CallScope } from '../../mcp/answer-calls.ts';
import { unwatched } from '../../scan/watch.ts';
import { progressIn } from '../../watch/progress.ts';
import type { ThreadData } from '../../watch/thread.ts';
import { explanationOf } from './explain.ts';

if (parentPort) {
  const { data, progress } = workerData as ThreadData<CallScope>;
  const watch = { ...unwatched, begin: progressIn(progress).begin };
  const trustConfig = data.trustsConfiguration;
  answerCalls(parentPort, {
    ...{ ...data, watch },
    explain: (name, cwd) => explanationOf(name, cwd, { trustConfig, watch }),
  });
}
