import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';

/** One run of a command as a whole process. */
export interface Measurement {
  /** User and system time of the process and all that it started, seconds. */
  readonly cpu: number;
  /** Seconds. */
  readonly wall: number;
  /** The most that all its processes held at once, in megabytes; undefined where there is no /proc. */
  readonly peakMb: number | undefined;
  /** 128 and the signal's number for a process that was killed. */
  readonly status: number;
}

const EVERY_MS = 20;

/** bash knows the CPU time of a process and all that it started; Node does not. */
export async function measure(command: readonly string[], cwd: string): Promise<Measurement> {
  const script = `TIMEFORMAT='deadtime-time %U %S %R'; time "$@" >/dev/null 2>/dev/null`;
  const child = spawn('bash', ['-c', script, 'bash', ...command], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  let peakKb = 0;
  const sampler = setInterval(() => (peakKb = Math.max(peakKb, heldKb(child.pid!))), EVERY_MS);
  const [status] = (await once(child, 'close')) as [number | null];
  clearInterval(sampler);
  const [, user, system, wall] = /deadtime-time (\S+) (\S+) (\S+)/.exec(said) ?? [];
  return {
    ...{ cpu: Number(user) + Number(system), wall: Number(wall), status: status ?? 1 },
    peakMb: peakKb > 0 ? peakKb / 1024 : undefined,
  };
}

/** Of all processes together now, or of one of them at its own peak, which sampling may have missed. */
function heldKb(root: number): number {
  let sum = 0;
  let most = 0;
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const status = textOf(`/proc/${pid}/status`);
    sum += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    most = Math.max(most, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    open.push(...childrenOf(pid));
  }
  return Math.max(sum, most);
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      textOf(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** A process may have ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
