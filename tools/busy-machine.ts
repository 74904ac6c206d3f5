import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Two for each core: a laptop with a browser and containers open. */
export const BUSY_PROCESSES = 2 * availableParallelism();

/** Runs `work` while as many processes of ours keep the CPU busy. */
export function onBusyMachine<T>(processes: number, work: () => T): T {
  const burners: ChildProcess[] = Array.from({ length: processes }, () =>
    // It ends with its parent, however that does.
    spawn(process.execPath, ['-e', 'const { ppid } = process; while (process.ppid === ppid);'], {
      stdio: 'ignore',
    }),
  );
  try {
    return work();
  } finally {
    for (const it of burners) it.kill('SIGKILL');
  }
}
