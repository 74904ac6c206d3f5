import type { Evidence, Severity } from '../../rules/define-rule.ts';
import type { Context, Problem } from '../../scan/problem.ts';
import type { ScanResult } from '../../scan/scan-files.ts';

/** A finding of `no-wait` in /project/src/queue.ts, with a place in another file and a suggestion. */
export function problemAt(
  line: number,
  severity: Severity,
  more: { evidence?: Evidence; cost?: string; context?: Context } = {},
): Problem {
  const { evidence = {}, cost, context = 'unknown' } = more;
  const path = '/project/src/queue.ts';
  const start = { line, column: 3 };
  return {
    finding: {
      ...{ ruleId: 'no-wait', messageId: 'waits', confidence: 'high', related: [] },
      ...{ range: [line * 100, line * 100 + 5], evidence, severity, suggestions: [] },
    },
    ...{ path, start, end: { line, column: 8 }, message: `Waits on line ${line}.`, cost, context },
    related: [{ path: '/elsewhere/db.ts', start: at(7, 1), end: at(7, 5), message: 'the pool' }],
    suggestions: [{ title: 'Remove it', edits: [{ range: [0, 5], text: '' }], changes: 'load' }],
    ...{ unit: [0, 1_000], switchOffAt: line * 100 - 2 },
    fingerprint: `0000000000000${line}`,
  };
}

function at(line: number, column: number) {
  return { line, column };
}

export function resultOf(
  problems: readonly Problem[],
  notices: ScanResult['notices'] = [],
): ScanResult {
  const stats = { files: 3, parsedFiles: 1, lines: 1_234, spentMs: { parse: 2.26, read: 10 } };
  return { problems, notices, stats };
}
