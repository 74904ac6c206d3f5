import { resolve } from 'node:path';
import { diskOfScan } from '../../project/files.ts';
import { byCost } from '../../report/order.ts';
import { shownPath } from '../../report/path.ts';
import { noticeLines, timingReport } from '../../report/text.ts';
import type { Shard } from '../../report/shard.ts';
import type { Profile } from '../../../rules/define-rule.ts';
import { createClock } from '../../scan/clock.ts';
import { rootAround } from '../../scan/repository.ts';
import type { ScanResult } from '../../scan/scan-files.ts';
import { type CacheOptions, memoryFor } from '../cache.ts';
import { exitCodes } from '../failure.ts';
import { namedFiles } from '../named-files.ts';
import { contextOf, type Output, outputsFor, writeOutputs } from '../outputs.ts';
import { tellBaselined, withoutKnown } from '../known-baseline.ts';
import { withRecording } from '../measured.ts';
import { scan } from '../scan.ts';
import { filesOfShard } from '../shard.ts';
import { exitCodeOf, type Thresholds } from '../thresholds.ts';
import { diskFor, type TrustOption } from '../trust.ts';
import type { TypesOption } from '../types.ts';

export interface CheckOptions extends Thresholds, TypesOption, TrustOption, CacheOptions {
  readonly format?: readonly Output[];
  readonly shard?: Shard;
  readonly profile?: Profile;
  readonly rule?: readonly string[];
  readonly ignorePattern?: readonly string[];
  readonly quiet?: boolean;
  readonly timing?: boolean;
  /** Text only: the proof follows the findings. */
  readonly prove?: boolean;
  readonly printConfig?: string;
  /** Whether findings in the baseline are hidden. */
  readonly baseline: boolean;
  readonly hasColors: boolean;
  /** The first words of other command lines: a slip in one reads as the name of a file. */
  readonly words?: readonly string[];
}

/** Scans, prints, and returns the exit code. */
export async function check(paths: readonly string[], options: CheckOptions): Promise<number> {
  const cwd = process.cwd();
  if (options.printConfig !== undefined) return printConfiguration(options.printConfig, options);
  const outputs = outputsFor(options.format, options.prove ? ['text', 'compact'] : undefined);
  const clock = createClock();
  const root = rootAround(cwd);
  const disk = diskOfScan(await diskFor(options));
  const memory = clock.measure('cache', () => memoryFor(root, options, disk));
  const whole = clock.measure('search', () =>
    namedFiles(
      paths,
      { cwd, ignorePatterns: options.ignorePattern ?? [] },
      { ...(memory && { memory }), disk: { list: disk.listing }, words: options.words ?? [] },
    ),
  );
  const { shard } = options;
  const found = shard ? { ...whole, files: filesOfShard(whole.files, shard, root) } : whole;
  const all = await scan(found, { ...options, root, clock, disk, memory });
  const fresh = options.baseline ? withoutKnown(all, { root, files: found.files }) : all;
  const result = withRecording(fresh, cwd, options);

  if (!options.quiet) {
    for (const it of noticeLines(result.notices, cwd)) process.stderr.write(it);
    tellBaselined(result, outputs);
  }
  const { hasColors } = options;
  writeOutputs(
    outputs,
    result,
    contextOf({
      cwd,
      root,
      hasColors,
      rules: await shownRules(outputs, options),
      ...(shard && { shard }),
    }),
  );
  if (options.timing) {
    const ids = (await askedRules(options)).map((it) => it.id);
    process.stderr.write(timingReport(result.stats, ids));
  }
  if (options.prove) await proveCostliest(result, cwd, options);
  // One part of a run may be empty.
  if (result.stats.files > 0 || shard) return exitCodeOf(result, options);
  if (found.files.length === 0) await tellNothingScanned(paths, cwd, options);
  return exitCodes.usage;
}

async function tellNothingScanned(
  paths: readonly string[],
  cwd: string,
  { ignorePattern: ignorePatterns = [] }: CheckOptions,
): Promise<void> {
  const { nothingScanned } = await import('../nothing-scanned.ts');
  process.stderr.write(`deadtime: ${nothingScanned(paths, { cwd, ignorePatterns })}\n`);
}

/** Two formats list them. */
async function shownRules(outputs: readonly Output[], options: CheckOptions) {
  const isListed = outputs.some(({ format }) => format === 'sarif' || format === 'html');
  return isListed ? askedRules(options) : [];
}

async function askedRules({ rule }: CheckOptions) {
  const { rulesNamed } = await import('../rule-names.ts');
  return rulesNamed(rule);
}

/** Benchmarks are loaded only here: a scan is over before they would be. */
async function proveCostliest(
  { problems }: ScanResult,
  cwd: string,
  { hasColors, trustConfig = false }: CheckOptions,
): Promise<void> {
  const [costliest] = problems.toSorted(byCost);
  if (!costliest) return;
  const { prove } = await import('./prove.ts');
  process.stdout.write('\n');
  const { path, names } = costliest;
  await prove(`${shownPath(path, cwd)}:${names.short}`, {
    ...{ maxSeconds: 5, hasColors, trustConfig },
    ...(names.rule !== undefined && { rule: names.rule }),
  });
}

async function printConfiguration(file: string, options: CheckOptions): Promise<number> {
  const { profile } = options;
  const { configurationText } = await import('../../report/configuration.ts');
  const { configurationsOf } = await import('../../scan/configuration.ts');
  const { rules } = await import('../../../rules/index.ts');
  const path = resolve(file);
  const files = await diskFor(options);
  const configurations = configurationsOf(rules, profile ? { profile } : {}, files, process.cwd());
  process.stdout.write(configurationText(path, configurations.for(path), rules));
  return exitCodes.clean;
}
