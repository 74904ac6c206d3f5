import type { Job, KeeperReport } from './keeper-messages.ts';
import { startOwnProcess } from './own-process.ts';

export interface KeptServer extends Extract<KeeperReport, { state: 'ready' }> {
  /** Settles when the server has ended and its folder is released. */
  stop(): Promise<void>;
}

/**
 * Starts a server that ends with this process, also when this process is killed: the keeper sees its channel close. It is in
 * no group of ours, so that neither Ctrl-C nor the end of a benchmark's group leaves the server without it.
 */
export async function keep(
  job: Job,
  signal?: AbortSignal,
): Promise<KeptServer | Extract<KeeperReport, { state: 'failed' }>> {
  const keeper = startOwnProcess<Job, KeeperReport>('keeper', { detached: true });
  const stop = () => keeper.end();
  const abort = () => void stop();
  signal?.addEventListener('abort', abort, { once: true });
  const report = await keeper.ask(job);
  signal?.removeEventListener('abort', abort);
  if (report?.state !== 'ready') {
    await stop();
    return report ?? { state: 'failed', message: 'it was stopped' };
  }
  // Who forgets to stop it must not wait for it.
  keeper.release();
  return { ...report, stop };
}
