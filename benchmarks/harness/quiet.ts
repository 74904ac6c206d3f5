import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Quiet } from '../result.ts';
import { medianOf } from './statistics.ts';

/** Below this part of the CPU's time the process has shared its core with somebody. */
const LEAST_SHARE = 0.85;

/** A timer on a quiet machine is 0.1 to 0.3 ms late. */
const LATEST_TIMER_MS = 1.5;

/** The benchmark itself keeps up to two processes busy: its own and the server's. */
const OWN_LOAD = 2;

const SPIN_MS = 4;

/** Looks for other work on the machine, by samples in between the measured slices. */
export interface QuietWatch {
  sample(): Promise<void>;
  result(): Quiet;
}

export function createQuietWatch(): QuietWatch {
  const shares: number[] = [];
  const lateMs: number[] = [];
  const load = loadPerCore();
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
          `Other processes took ${Math.round(100 * (1 - cpuShare))} % of the CPU’s time.`,
        timerLateMs > LATEST_TIMER_MS && `Timers fired ${timerLateMs.toFixed(1)} ms late.`,
        load > 1 && 'More processes were ready than the machine has cores.',
      ].filter((it) => it !== false);
      return { isBusy: signs.length > 0, cpuShare, timerLateMs, signs };
    },
  };
}

/** The part of a spin's wall time that counts as this process's CPU time. */
function cpuShare(): number {
  const before = process.cpuUsage();
  const start = performance.now();
  while (performance.now() - start < SPIN_MS);
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return Math.min(1, (user + system) / 1_000 / wallMs);
}

function loadPerCore(): number {
  return (loadavg()[0]! - OWN_LOAD) / availableParallelism();
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, it) => sum + it, 0) / values.length;
}
