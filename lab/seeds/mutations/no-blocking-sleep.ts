import type { FileFacts } from '../../../src/analysis/file/file.ts';
import { imported, type Mutations, type RuleMutations, replaced, seedAt } from '../seed.ts';
import { callsOf, statementAround } from '../syntax.ts';

const mutations: Mutations = {
  *'waits in a busy loop'(file) {
    for (const { statement, ms } of sleepsIn(file)) {
      const busy = `{ const until = Date.now() + ${ms}; while (Date.now() < until); }`;
      yield seedAt(statement, replaced(statement, busy));
    }
  },

  *'stops the thread'(file) {
    for (const { statement, ms } of sleepsIn(file)) {
      const stopped = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});`;
      yield seedAt(statement, replaced(statement, stopped));
    }
  },

  *'waits for a process that sleeps'(file) {
    for (const { statement } of sleepsIn(file)) {
      const load = imported(file, "import { execSync } from 'node:child_process';");
      yield seedAt(statement, load, replaced(statement, "execSync('sleep 1');"));
    }
  },
};

export default { mutations } satisfies RuleMutations;

/** `await sleep(ms)` as a statement of its own. */
function* sleepsIn(file: FileFacts) {
  // It may run in its own thread, which may block.
  if (/worker/.test(file.path)) return;
  for (const call of callsOf(file, 'sleep')) {
    const statement = call.parent.type === 'AwaitExpression' ? call.parent.parent : undefined;
    const [ms] = call.arguments;
    if (statement?.type === 'ExpressionStatement' && ms && statementAround(statement)) {
      yield { statement, ms: file.textOf(ms) };
    }
  }
}
