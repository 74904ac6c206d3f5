import type { ReportContext } from '../../src/report/format.ts';
import type { Evidence, Severity } from '../../rules/define-rule.ts';
import { rules } from '../../rules/index.ts';
import { configurationsOf } from '../../src/scan/configuration.ts';
import type { Context, Problem } from '../../src/scan/problem.ts';
import { createClock } from '../../src/scan/clock.ts';
import { filesOf } from '../../src/scan/files.ts';
import { projectModules } from '../../src/scan/project.ts';
import { scanFiles, type ScanResult } from '../../src/scan/scan-files.ts';
import { noWait } from './no-wait.ts';

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
    names: { short: String(line), exact: `${line}:3` },
    related: [{ path: '/elsewhere/db.ts', start: at(7, 1), end: at(7, 5), message: 'the pool' }],
    suggestions: [{ title: 'Remove it', edits: [{ range: [0, 5], text: '' }], changes: 'load' }],
    fix: { steps: ['Take the wait out.'], changes: 'order' },
    ...{ unit: [0, 1_000], switchOffAt: line * 100 - 2 },
    fingerprint: `0000000000000${line}`,
  };
}

function at(line: number, column: number) {
  return { line, column };
}

/** In a file whose name, and on code that, tries to be more than text. */
export const hostile: Problem = {
  ...problemAt(2, 'warning'),
  path: '/project/src/\x1b[2J\u202e%,:|`"<b>@all\n](x).ts',
  message: 'Waits for `\x07\r\n"</b>`` | ![x](http://x.example) @all ]]> %0A::error::`.',
  related: [],
};

export function resultOf(
  problems: readonly Problem[],
  notices: ScanResult['notices'] = [],
): ScanResult {
  const stats = { files: 3, parsedFiles: 1, lines: 1_234, spentMs: { parse: 2.26, read: 10 } };
  return { problems, notices, stats };
}

/** Its second and third line are reported. */
const queue = `export async function drain() {
  await wait();
  await wait();
}
`;

/** Of /project, the top of a repository. */
export const context: ReportContext = {
  ...{ cwd: '/project', root: '/project', hasColors: false, version: '1.2.3', rules: [noWait] },
  date: '2026-11-21',
  textOf: (path) => (path === '/project/src/queue.ts' ? queue : undefined),
  pageOf: (id) => `<!-- generated -->\n# ${id}\n\nWhy.\n`,
};

/** What all rules find in a folder. */
export async function projectResult(folder: string): Promise<ScanResult> {
  const clock = createClock();
  return scanFiles(filesOf(['.'], { cwd: folder }), {
    ...{ rules, clock, root: folder, modules: projectModules(folder, clock) },
    configurations: configurationsOf(rules, { profile: 'strict' }),
  });
}
