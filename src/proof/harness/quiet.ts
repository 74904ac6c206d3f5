import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Quiet } from '../result.ts';
import { medianOf } from './statistics.ts';

/** Below this share of the CPU's time, other processes have used the core of this one. */
const LEAST_SHARE = 0.85;

/** A timer on a quiet machine is 0.1 to 0.3 ms late. */
const LATEST_TIMER_MS = 1.5;

/** The benchmark itself keeps up to two processes busy: its own and the server's. */
const OWN_LOAD = 2;

/**
 * Threads that may run next to this one before it starts: its parent, which has just started it, and processes with their own
 * cores.
 */
const MOST_OTHERS = Math.max(1.5, availableParallelism() - OWN_LOAD);

/** How long a calm moment is waited for, and how often the machine is probed meanwhile. */
const PATIENCE_MS = 3_000;
const PROBE_EVERY_MS = 250;

const SPIN_MS = 4;
const LOOKS = 5;

/** Looks for other work on the machine, by samples in between the measured slices. */
export interface QuietWatch {
  sample(): Promise<void>;
  result(): Quiet;
}

export function createQuietWatch(): QuietWatch {
  const shares: number[] = [];
  const lateMs: number[] = [];
  // Immediately: later the benchmark's own server is among them.
  const others = otherThreads();
  return {
    async sample() {
      shares.push(cpuShare());
      const start = performance.now();
      await delay(1);
      lateMs.push(performance.now() - start - 1);
    },
    result() {
      const cpuShare = shares.length > 0 ? Math.min(1, mean(shares)) : 1;
      const timerLateMs = lateMs.length > 0 ? medianOf(lateMs) : 0;
      const signs = [
        cpuShare < LEAST_SHARE &&
          `Other processes used ${Math.round(100 * (1 - cpuShare))} % of the CPU’s time.`,
        timerLateMs > LATEST_TIMER_MS && `Timers fired ${timerLateMs.toFixed(1)} ms late.`,
        others > MOST_OTHERS &&
          `${others.toFixed(1)} other threads were running before it started.`,
      ].filter((it) => it !== false);
      return { isBusy: signs.length > 0, cpuShare, timerLateMs, signs };
    },
  };
}

/** Resolves to whether a moment without other work has come, soon enough to be worth a second run. */
export async function calmMoment(signal: AbortSignal | undefined): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end && !signal?.aborted) {
    if (otherThreads() <= MOST_OTHERS && cpuShare() >= LEAST_SHARE) return true;
    await delay(PROBE_EVERY_MS);
  }
  return false;
}

/** The part of a spin's wall time that counts as this process's CPU time. */
function cpuShare(): number {
  const before = process.cpuUsage();
  const start = performance.now();
  spin();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return Math.min(1, (user + system) / 1_000 / wallMs);
}

function spin(): void {
  const start = performance.now();
  while (performance.now() - start < SPIN_MS);
}

/**
 * How many other threads run or are ready: on a machine with a free core they take nothing from a spin, but they do from a
 * server. By Linux; elsewhere by the load of the last minute, which is slow to notice that it is quiet again.
 */
function otherThreads(): number {
  if (process.platform !== 'linux') return Math.max(0, loadavg()[0]! - OWN_LOAD);
  return mean(Array.from({ length: LOOKS }, runningNow)) - 1;
}

function runningNow(): number {
  spin();
  const [, running = '1'] = /^procs_running (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? [];
  return Number(running);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, it) => sum + it, 0) / values.length;
}
