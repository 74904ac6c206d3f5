import { availableParallelism } from 'node:os';
import type { MachineValues, SetUp } from '../case.ts';

/** The starting values of closed forms, by samples in between the measured slices. */
export interface MachineWatch {
  sample(): Promise<void>;
  /** The mean of each value over the samples. */
  values(): MachineValues;
}

export function createMachineWatch({ measure }: SetUp): MachineWatch {
  const samples: Partial<MachineValues>[] = [];
  return {
    async sample() {
      if (!measure) return;
      // The first time connects and compiles.
      if (samples.length === 0) await measure();
      samples.push(await measure());
    },
    values() {
      const names = Object.keys(samples[0] ?? {}) as (keyof MachineValues)[];
      const meanOf = (name: keyof MachineValues) =>
        samples.reduce((sum, it) => sum + it[name]!, 0) / samples.length;
      return {
        cores: availableParallelism(),
        ...Object.fromEntries(names.map((it) => [it, meanOf(it)])),
      };
    },
  };
}
