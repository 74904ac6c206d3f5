import { readFileSync } from 'node:fs';
import { textReport } from '../../../src/report/text.ts';
import type { Rule } from '../../../rules/define-rule.ts';
import { createScanner } from '../../../src/scan/scan.ts';

/** The output of `npx deadtime` for the first TypeScript on a page, as `src/worker.ts` of a project. */
export function printedFor(page: string, rules: readonly Rule[]): string {
  const [, code = ''] = /^```ts\n(.*?)^```/ms.exec(readFileSync(page, 'utf8'))!;
  const scanner = createScanner({ rules, profile: 'recommended', sampleStep: 1 });
  const result = scanner.scan(code, '/shop/src/worker.ts', { isNamed: true });
  const lines = code.split('\n').length - 1;
  const { awaits } = result;
  const stats = { files: 1, parsedFiles: 1, lines, awaits, spentMs: {} };
  const text = textReport({ ...result, stats }, { cwd: '/shop', hasColors: false });
  return `\n\`\`\`text\n$ npx deadtime\n${text}\`\`\`\n`;
}
