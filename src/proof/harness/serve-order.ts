import { setTimeout as delay } from 'node:timers/promises';
import { killTree } from '../../system/processes.ts';
import { type BenchmarkCase, type DatabaseAccess, MissingComponent } from '../case.ts';
import { replayCase } from '../replay/replay-case.ts';
import { accessTo } from '../servers/access.ts';
import { createMachineWatch } from './machine-watch.ts';
import { measure } from './measure.ts';
import type { CaseTable, Order, Report } from './messages.ts';
import { deadlineIn, type Instruments, SLICE_MS, TooLong } from './plan.ts';
import { createQuietWatch } from './quiet.ts';
import { createTrace } from './trace.ts';

const CLOSING_MS = 200;

/** Runs the one order that the parent sends, reports, and ends; also when the parent ends first, however it does. */
export function serveOrder(table: CaseTable): void {
  process.once('disconnect', () => killTree(process));
  process.once('message', (order: Order) => {
    send({ kind: 'started' });
    void reportOf(order, table).then((report) => send(report, () => process.exit()));
  });
}

function send(report: Report, done?: () => void): void {
  // The channel closes with the parent: then no receiver is left for the message.
  process.send?.(report, undefined, undefined, done);
}

async function reportOf(order: Order, table: CaseTable): Promise<Report> {
  const deadline = deadlineIn(order.limitMs);
  const found = table[order.ruleId]?.find((it) => it.variant === order.variant);
  if (!found)
    return { kind: 'failed', message: `there is no case ${order.ruleId} ${order.variant}` };
  const quiet = createQuietWatch();
  try {
    await quiet.sample();
    const benchmark = order.replay ? replayCase(found, order.replay) : found;
    return await withinLoan(order, (access) =>
      measured(benchmark, order, access, { quiet, deadline }),
    );
  } catch (error) {
    if (error instanceof MissingComponent) return { kind: 'missing', needs: error.needs };
    if (error instanceof TooLong) {
      const { message, neededSeconds } = error;
      return { kind: 'too-long', message, neededSeconds, quiet: quiet.result() };
    }
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/** A case may mistake a rejected connection for an answer: then it has none. */
async function withinLoan(
  { database }: Order,
  run: (access: DatabaseAccess | undefined) => Promise<Report>,
): Promise<Report> {
  const access = database && accessTo(database);
  try {
    return await run(access);
  } finally {
    access?.loan?.assertKept();
  }
}

async function measured(
  benchmark: BenchmarkCase,
  { parameters, arrangement, isBrief }: Order,
  access: DatabaseAccess | undefined,
  { quiet, deadline }: Pick<Instruments, 'quiet' | 'deadline'>,
): Promise<Report> {
  const over = new AbortController();
  const trace = createTrace();
  const set = await benchmark.setUp({
    parameters,
    trace,
    signal: over.signal,
    async database() {
      if (access) return access;
      throw new MissingComponent([{ what: 'a database' }]);
    },
  });
  try {
    const machine = createMachineWatch(set);
    const measurement = await measure(
      set,
      arrangement,
      {
        deadline,
        quiet,
        machine,
        trace,
        sliceMs: SLICE_MS,
        isBrief,
        onProgress: (share) => send({ kind: 'progress', share }),
      },
      benchmark.counts,
    );
    return { kind: 'measured', measurement, machine: machine.values(), quiet: quiet.result() };
  } finally {
    over.abort();
    // A pool that does not close must not cost the result.
    await Promise.race([set.close(), delay(CLOSING_MS)]);
  }
}
