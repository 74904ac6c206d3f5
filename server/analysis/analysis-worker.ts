import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from './collect-garbage.ts';
import { progressIn } from '../../src/watch/progress.ts';
import type { ThreadData } from '../../src/watch/thread.ts';
import { answerOrders, orderPort, type Cancellation } from './answer-orders.ts';

if (parentPort) {
  // V8 looks for what is dead among all that lives, over several keystrokes, once that has grown by this much, in %. By itself
  // it lets a heap grow by less than half while somebody types, which is after every hundredth keystroke.
  setFlagsFromString('--heap-growing-percent=100');
  const { data, progress } = workerData as ThreadData<Cancellation>;
  const { begin } = progressIn(progress);
  answerOrders(orderPort(parentPort), data, { afterwards: collectGarbage, begin });
}
