import { agentReport } from './agent.ts';
import { compactReport } from './compact.ts';
import type { Format } from './format.ts';
import { githubReport } from './github.ts';
import { gitlabReport } from './gitlab.ts';
import { htmlReport } from './html.ts';
import { jsonReport } from './json.ts';
import { jsonLinesReport } from './json-lines.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { sarifReport } from './sarif.ts';
import { textReport } from './text.ts';

/** Every format, by the name that a user types. */
export const formats = {
  text: textReport,
  compact: compactReport,
  agent: agentReport,
  json: jsonReport,
  jsonl: jsonLinesReport,
  sarif: sarifReport,
  github: githubReport,
  gitlab: gitlabReport,
  junit: junitReport,
  markdown: markdownReport,
  html: htmlReport,
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;
