import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { rules } from '../../rules/index.ts';

const cli = join(resolve(import.meta.dirname, '../..'), 'dist/cli.js');

/** The stages of one scan of `folder` without the cache, and what it spends outside of them, in milliseconds. */
export function causesIn(folder: string): readonly (readonly [cause: string, ms: number])[] {
  const start = performance.now();
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--trace-gc', cli, 'check', '--no-cache', '--timing', '--quiet', '--fail-on', 'off', folder],
    { encoding: 'utf8', maxBuffer: 2 ** 30 },
  );
  if (status !== 0) throw new Error(`deadtime check has failed: ${stderr}`);
  const took = performance.now() - start;
  const spent = [...stderr.matchAll(/^ *([\d.]+) ms {2}(.+)$/gm)].map(
    ([, ms, stage]) => [stage!, Number(ms)] as const,
  );
  const ms = (stage: string) => spent.find(([it]) => it === stage)?.[1] ?? 0;
  const ids = new Set(rules.map((it) => it.id));
  const inStages = ms('all of this');
  return [
    ...spent.filter(([it]) => !ids.has(it) && !it.startsWith('all ')),
    ['rules, and the facts that they ask for', ms('all rules')],
    ['starting Node.js, loading the program, printing', took - inStages],
    ['together', took],
    ['of that, waiting for the garbage collector', collectedMs(stdout)],
  ];
}

/** `[7:0x1] 95 ms: Scavenge 21.0 (30.1) -> 18.2 (30.1) MB, 2.31 / 0.00 ms …`: what the program has waited for each. */
function collectedMs(trace: string): number {
  const pauses = trace.matchAll(
    /^\[\d+:0x.* ms: .* MB, (?:pooled: .*? MB, )?([\d.]+) \/ [\d.]+ ms/gm,
  );
  return [...pauses].reduce((sum, [, ms]) => sum + Number(ms), 0);
}
