import type { Profile } from '../rules/define-rule.ts';
import type { Clock } from '../scan/clock.ts';
import type { FoundFiles } from '../scan/files.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { resultOf } from '../scan/scan-result.ts';
import { type CacheOptions, memoryFor } from './cache.ts';
import type { TypesOption } from './types.ts';

export interface ScanOptions extends TypesOption, CacheOptions {
  /** The repository's, absolute. */
  readonly root: string;
  readonly profile?: Profile | undefined;
  /** Names of those that are run; all of them without it. */
  readonly rule?: readonly string[] | undefined;
  readonly clock: Clock;
}

/** Scans without the parser and the rules where an earlier run has said all: loading them would be most of the time. */
export async function scan(found: FoundFiles, options: ScanOptions): Promise<ScanResult> {
  const { root, profile, rule, clock } = options;
  const kind = [root, profile ?? '', ...(rule ? [...new Set(rule)].sort() : [])];
  const { memory, remembered } = clock.measure('cache', () => {
    // What TypeScript says may rest on any file of any package.
    const memory = options.types ? undefined : memoryFor(options, kind);
    return { memory, remembered: memory?.recall(found) };
  });
  // Without files it is still to be seen whether there are such rules.
  if (remembered?.size === found.files.length && remembered.size > 0) {
    clock.measure('cache', () => memory?.keepAsIs());
    return resultOf(found, remembered, { clock, remembered: remembered.size });
  }
  const { scanFound } = await import('./scan-found.ts');
  return scanFound(found, { ...options, memory, remembered });
}
