import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from './collect-garbage.ts';
import { answerOrders, orderPort, type Cancellation } from './answer-orders.ts';

if (parentPort) {
  answerOrders(orderPort(parentPort), workerData as Cancellation, { afterwards: collectGarbage });
}
