// The analysis in a thread, as the server starts it, but for texts that say `// endless` or `// huge`: it does not end over the
// former, and needs more memory than there is for the latter.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { createAnalyst } from '../../server/analysis/analyst.ts';
import { answerOrders, type Cancellation, orderPort } from '../../server/analysis/answer-orders.ts';
import { progressIn } from '../../src/watch/progress.ts';
import type { ThreadData } from '../../src/watch/thread.ts';
import { endless } from './endless.ts';

const { data, progress } = workerData as ThreadData<Cancellation>;
const { begin } = progressIn(progress);
const analyst = createAnalyst();
const texts = new Map<string, string | undefined>();

function analyse(path: string): void {
  const text = /\.ts$/.test(path) ? (texts.get(path) ?? readFileSync(path, 'utf8')) : '';
  if (text.includes('// endless')) endless();
  const all: string[][] = [];
  while (text.includes('// huge')) all.push(new Array<string>(100_000).fill(path));
}

answerOrders(orderPort(parentPort!), data, {
  analyst: {
    ...analyst,
    setTexts(changes) {
      for (const [path, text] of changes) texts.set(path, text);
      return analyst.setTexts(changes);
    },
    analyse(path, isCancelled) {
      analyse(path);
      return analyst.analyse(path, isCancelled);
    },
    scan: (options) =>
      analyst.scan({
        ...options,
        begin(path) {
          options.begin(path);
          analyse(path);
        },
      }),
  },
  begin,
});
