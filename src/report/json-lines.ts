import type { ScanResult } from '../scan/scan-files.ts';
import type { ReportContext } from './format.ts';
import { jsonFindings } from './json.ts';

/** One JSON object a line, each a finding as in the JSON report. */
export function jsonLinesReport(result: ScanResult, context: Pick<ReportContext, 'cwd'>): string {
  return jsonFindings(result, context)
    .map((it) => `${JSON.stringify(it)}\n`)
    .join('');
}
