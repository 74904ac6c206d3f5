import type { SetUp, Trace, Values } from '../../src/proof/case.ts';
import { parametersFor } from '../../src/proof/harness/parameters.ts';
import { runBenchmark } from '../../src/proof/harness/run.ts';
import type { Quiet } from '../../src/proof/result.ts';
import { fakeTable } from './benchmark-cases.ts';

const fakeCases = Object.values(fakeTable).flat();

export const quietMachine: Quiet = { isBusy: false, cpuShare: 1, timerLateMs: 0, signs: [] };

/** One of them as `deadtime prove` runs it, in a process of its own. */
export function runFake(
  variant: string,
  {
    maxSeconds = 30,
    set = {},
    ...options
  }: {
    readonly maxSeconds?: number;
    readonly set?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
    onProgress?(share: number): void;
  },
) {
  const found = fakeCases.find((it) => it.variant === variant)!;
  return runBenchmark(found, {
    parameters: parametersFor(found.parameters, { set }, { maxSeconds }),
    arrangement: 'written',
    maxSeconds,
    command: `deadtime prove ${variant}`,
    entry: new URL('./benchmark-process.ts', import.meta.url),
    ...options,
  });
}

/** One of them, ready to be measured in the test's own process. */
export function setUpOf(variant: string, parameters: Values, trace: Trace): Promise<SetUp> {
  const found = fakeCases.find((it) => it.variant === variant)!;
  return found.setUp({
    parameters,
    trace,
    signal: new AbortController().signal,
    database: () => Promise.reject(new Error('no case here asks')),
  });
}
