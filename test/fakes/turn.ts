import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/**
 * Waits until no other process of tests uses the folder of the repository that `name` stands for: .ci/run has them on
 * several Nodes at once. Call what it returns when the folder is free again.
 */
export async function turnAt(name: string): Promise<() => void> {
  mkdirSync('node_modules/.cache', { recursive: true });
  const path = `node_modules/.cache/${name}.pid`;
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!isRunning(ownerOf(path))) rmSync(path, { force: true });
    else await setTimeout(100);
  }
}

function ownerOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    // It has just been given back.
    return 0;
  }
}

function isRunning(pid: number): boolean {
  if (pid === 0) return true;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
