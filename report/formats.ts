import { compactReport } from './compact.ts';
import type { Format } from './format.ts';
import { jsonReport } from './json.ts';
import { jsonLinesReport } from './json-lines.ts';
import { textReport } from './text.ts';

/** Every format, by the name that a user types. */
export const formats = {
  text: textReport,
  compact: compactReport,
  json: jsonReport,
  jsonl: jsonLinesReport,
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;
