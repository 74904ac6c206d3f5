import { createScanner, type FileResult, type ScanOptions } from '../../src/scan/scan.ts';

/** What a scanner finds in one text that its user has named. */
export function scanned(text: string, path: string, options: ScanOptions): FileResult {
  return createScanner(options).scan(text, path, { isNamed: true });
}
