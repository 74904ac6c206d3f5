import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build, type PluginBuild } from 'esbuild';
import type { Baseline, Question, Verdict } from './judge.ts';
import { type Mutant, switchedSource } from './mutants.ts';

/** A worker that runs fixtures against mutants. */
export interface Judge {
  baseline(): Promise<Baseline>;
  /** `ended` where it threw outside of a fixture, or was still at it after `limitMs`: the worker is no more. */
  verdictOn(question: Question, limitMs: number): Promise<Verdict | 'ended'>;
  end(): void;
}

/** Bundles judge.ts with all it judges, every veto behind a switch. */
export async function bundleJudge(mutants: readonly Mutant[], outfile: string): Promise<void> {
  const byPath = new Map<string, Map<number, Mutant>>();
  for (const [index, mutant] of mutants.entries()) {
    const path = resolve(mutant.path);
    byPath.set(path, (byPath.get(path) ?? new Map<number, Mutant>()).set(index, mutant));
  }
  const switches = JSON.stringify(resolve('tools/mutants/switch.ts'));
  const setup = ({ onLoad }: PluginBuild): void => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const own = byPath.get(path);
      if (!own) return undefined;
      const switched = switchedSource(readFileSync(path, 'utf8'), own);
      return {
        contents: `${switched}\nimport { isOut, reachedBy } from ${switches};\n`,
        loader: 'ts',
      };
    });
  };
  await build({
    entryPoints: ['tools/mutants/judge.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
    plugins: [{ name: 'mutants', setup }],
  });
}

/** Starts a bundled judge, where `mutant` is given with its veto taken out from the beginning. */
export function judgeIn(bundle: string, mutant?: number): Judge {
  const worker = new Worker(bundle, { workerData: { mutant }, execArgv: [] });
  const ask = <T>(question: Question | 'baseline', limitMs: number) =>
    new Promise<T | 'ended'>((done) => {
      const onMessage = (answer: T): void => finish(answer);
      const onError = (): void => finish('ended');
      const timer = setTimeout(onError, limitMs);
      worker.once('message', onMessage);
      worker.once('error', onError);
      worker.postMessage(question);
      function finish(answer: T | 'ended'): void {
        clearTimeout(timer);
        worker.off('message', onMessage);
        worker.off('error', onError);
        if (answer === 'ended') void worker.terminate();
        done(answer);
      }
    });
  return {
    async baseline() {
      const answer = await ask<Baseline>('baseline', 600_000);
      if (answer === 'ended') throw new Error('The fixtures do not end without a mutation.');
      return answer;
    },
    verdictOn: (question, limitMs) => ask<Verdict>(question, limitMs),
    end: () => void worker.terminate(),
  };
}
