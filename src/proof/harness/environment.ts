import { availableParallelism, cpus, loadavg, release, type } from 'node:os';
import type { Environment } from '../result.ts';

/** The facts about the machine that a reader needs to believe a number, and to compare it. */
export function environmentOf(database: string | undefined): Environment {
  return {
    date: new Date().toISOString(),
    node: process.version,
    platform: `${type()} ${release()} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    load: loadavg()[0]!,
    ...(database === undefined ? {} : { database }),
  };
}
