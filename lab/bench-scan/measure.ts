import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';

/** One run of a command as a whole process. */
export interface Measurement {
  /** User and system time of the process and all that it started, seconds. */
  readonly cpu: number;
  /** Seconds. */
  readonly wall: number;
  /** The peak memory of all its processes together, in megabytes; undefined where there is no /proc. */
  readonly peakMb: number | undefined;
  /** 128 and the signal's number for a process that was killed. */
  readonly status: number;
}

const EVERY_MS = 20;
/** What /proc counts in, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** bash measures the CPU time of a process and of all its children; Node.js does not. */
export async function measure(command: readonly string[], cwd: string): Promise<Measurement> {
  const script = `TIMEFORMAT='deadtime-time %U %S %R'; time "$@" >/dev/null 2>/dev/null`;
  const child = spawn('bash', ['-c', script, 'bash', ...command], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  let peakKb = 0;
  const ticks = new Map<number, number>();
  const sampler = setInterval(() => {
    const pids = descendantsOf(child.pid!);
    peakKb = Math.max(peakKb, heldKb(pids));
    for (const pid of pids) ticks.set(pid, ticksOf(pid) ?? ticks.get(pid) ?? 0);
  }, EVERY_MS);
  const [status] = (await once(child, 'close')) as [number | null];
  clearInterval(sampler);
  const [, user, system, wall] = /deadtime-time (\S+) (\S+) (\S+)/.exec(said) ?? [];
  // A process that is killed together with its parent has no waiting parent: its time is sampled only while it runs.
  const seen = [...ticks.values()].reduce((sum, it) => sum + it, 0) / TICKS_PER_SECOND;
  return {
    ...{
      cpu: Math.max(Number(user) + Number(system), seen),
      wall: Number(wall),
      status: status ?? 1,
    },
    peakMb: peakKb > 0 ? peakKb / 1024 : undefined,
  };
}

/** Of all processes together now, or of one of them at its own peak, which sampling may have missed. */
function heldKb(pids: readonly number[]): number {
  let sum = 0;
  let most = 0;
  for (const pid of pids) {
    const status = textOf(`/proc/${pid}/status`);
    sum += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    most = Math.max(most, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
  }
  return Math.max(sum, most);
}

/** User and system time of the process alone; undefined once it has ended. */
function ticksOf(pid: number): number | undefined {
  // The name of the program, in parentheses, may hold anything.
  const [, fields] = /^.*\) (.*)$/s.exec(textOf(`/proc/${pid}/stat`)) ?? [];
  // The 14th and 15th, counted from 1; the first here is the third.
  const [user, system] = fields?.split(' ').slice(11, 13).map(Number) ?? [];
  return user === undefined || system === undefined ? undefined : user + system;
}

function descendantsOf(root: number): readonly number[] {
  const found = [root];
  for (const pid of found) found.push(...childrenOf(pid));
  return found;
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
