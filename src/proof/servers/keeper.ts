// The process between Deadtime and a server that it started: it lives as long as its parent, however that ends.
import type { Job, KeeperReport, Ready } from './keeper-messages.ts';
import { borrow } from './lent/borrow.ts';
import { startMysql } from './start-mysql.ts';
import { startPostgres } from './start-postgres.ts';
import { startSimulated } from './start-simulated.ts';

process.once('message', (job: Job) => {
  const started = start(job);
  const end = () => void started.then((it) => it.stop()).finally(() => process.exit());
  // Also when the parent is gone in the middle of a start: then that is over first.
  process.once('disconnect', end);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
  void started.then(reportOf, failureOf).then((report) => {
    if (process.connected) process.send?.(report);
  });
});

function start(job: Job): Promise<Ready> {
  switch (job.server) {
    case 'postgres':
      return startPostgres(job.binaries);
    case 'mysql':
      return startMysql(job.binaries);
    case 'simulated':
      return startSimulated();
    case 'lent':
      return borrow(job);
  }
}

function reportOf({ stop: _, ...facts }: Ready): KeeperReport {
  return { state: 'ready', ...facts };
}

function failureOf(error: unknown): KeeperReport {
  return { state: 'failed', message: error instanceof Error ? error.message : String(error) };
}
