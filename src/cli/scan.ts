import type { FoundFiles } from '../scan/files.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { resultOf } from '../scan/scan-result.ts';
import type { FoundOptions } from './scan-found.ts';

/** Scans without the parser and the rules where the cache has all results: loading them would be most of the time. */
export async function scan(
  found: FoundFiles,
  options: Omit<FoundOptions, 'remembered'>,
): Promise<ScanResult> {
  const { memory, clock } = options;
  const remembered = clock.measure('cache', () => memory?.recall(found));
  // Without files it is still to be seen whether there are such rules.
  if (remembered?.size === found.files.length && remembered.size > 0) {
    clock.measure('cache', () => memory?.keepAsIs());
    return resultOf(found, remembered, { clock, remembered });
  }
  const { scanFound } = await import('./scan-found.ts');
  return scanFound(found, { ...options, remembered });
}
