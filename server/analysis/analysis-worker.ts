import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from './collect-garbage.ts';
import { progressIn } from '../../src/watch/progress.ts';
import type { ThreadData } from '../../src/watch/thread.ts';
import { answerOrders, orderPort, type Cancellation } from './answer-orders.ts';

if (parentPort) {
  // V8 collects garbage among all live objects, over several keystrokes, once the heap has grown by this share, in %. By
  // default it lets the heap grow by less than half between keystrokes, which is a collection after every hundredth one.
  setFlagsFromString('--heap-growing-percent=100');
  const { data, progress } = workerData as ThreadData<Cancellation>;
  const { begin } = progressIn(progress);
  answerOrders(orderPort(parentPort), data, { afterwards: collectGarbage, begin });
}
