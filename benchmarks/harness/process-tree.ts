import { spawnSync, type ChildProcess } from 'node:child_process';

/** How a child is started so that `killTree` reaches all of its descendants: in a process group of its own. */
export const ownGroup = { detached: process.platform !== 'win32' };

/** Ends the process and everything that it started, at once; what has ended already is no error. */
export function killTree({ pid }: Pick<ChildProcess, 'pid'>): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
