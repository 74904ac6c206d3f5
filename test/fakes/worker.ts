/** A worker that sleeps after each job: one finding, in the line of its sleep. */
export const worker = `import Redis from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';

const redis = new Redis();

export async function work() {
  while (true) {
    const order = await redis.lpop('orders');
    if (order) await redis.publish('shipped', order);
    await sleep(20);
  }
}
`;
