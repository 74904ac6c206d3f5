import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import type { Log } from 'sarif';
import { filesOfShard } from '../src/cli/shard.ts';
import type { ReportContext } from '../src/report/format.ts';
import { jsonReport } from '../src/report/json.ts';
import { mergedReport } from '../src/report/merge.ts';
import { sarifReport } from '../src/report/sarif.ts';
import type { Problem } from '../src/scan/problem.ts';
import type { ScanResult } from '../src/scan/scan-files.ts';
import { context, problemAt } from './fakes/results.ts';

const paths = Array.from({ length: 40 }, (_, i) => `/project/src/job ${i}.ts`);
const problems: readonly Problem[] = paths.flatMap((path, i) => [
  { ...problemAt(i + 1, i % 3 ? 'warning' : 'error', { evidence: { costMs: i % 5 } }), path },
  { ...problemAt(i + 1, 'hint', { context: 'per-item' }), path },
]);

/** As the scan of these files comes to. */
function resultFor(files: readonly string[]): ScanResult {
  return {
    problems: problems.filter((it) => files.includes(it.path)),
    // What the search found out, every part does.
    notices: [
      { path: '/project/locked', reason: 'unreadable', message: 'cannot be read' },
      ...files
        .slice(0, 2)
        .map((path) => ({ path, reason: 'binary' as const, message: 'is binary' })),
    ],
    stats: { files: files.length, parsedFiles: 1, lines: 10, spentMs: {} },
  };
}

describe('shards', () => {
  const shards = [1, 2, 3].map((index) => ({ index, count: 3 }));
  const parts = shards.map((shard) => filesOfShard(paths, shard, '/project'));

  it('have each file once, and keep it when others come and go', () => {
    deepStrictEqual(parts.flat().sort(), [...paths].sort());
    deepStrictEqual(
      shards.map((shard) => filesOfShard(paths.slice(20), shard, '/project')),
      parts.map((part) => part.filter((it) => paths.indexOf(it) >= 20)),
    );
  });

  for (const [name, format] of [
    ['JSON', jsonReport],
    ['SARIF', sarifReport],
  ] as const) {
    describe(`in ${name}`, () => {
      const textOf = (files: readonly string[], more: Partial<ReportContext> = {}) =>
        format(resultFor(files), { ...context, ...more });
      const reports = shards.map((shard, i) => ({
        name: `${i}`,
        text: textOf(parts[i]!, { shard }),
      }));

      it('merge into the same report in any order', () => {
        const merged = mergedReport(reports);
        deepStrictEqual(mergedReport(reports.toReversed()), merged);
        strictEqual('text' in merged && merged.ranks.length, problems.length);
      });

      it('merge into what the whole run says', () => {
        const merged = mergedReport(reports) as { text: string };
        const whole = JSON.parse(textOf(paths)) as Record<string, unknown>;
        const found = JSON.parse(merged.text) as Record<string, unknown>;
        // The fake scan counts these by part.
        for (const it of [whole, found]) (delete it['notices'], delete it['stats'], forget(it));
        deepStrictEqual(found, whole);
      });

      it('say which is missing or there twice', () => {
        deepStrictEqual(mergedReport(reports.slice(1)), { mistake: 'shard 1 of 3 is missing' });
        deepStrictEqual(mergedReport([...reports, reports[0]!]), {
          mistake: 'shard 1 is there twice',
        });
        deepStrictEqual(mergedReport([...reports, { name: 'x', text: textOf(paths) }]), {
          mistake: 'the reports are parts of different runs',
        });
      });

      it('merge with reports of packages that are no shards', () => {
        const merged = mergedReport(parts.map((part, i) => ({ name: `${i}`, text: textOf(part) })));
        strictEqual('ranks' in merged && merged.ranks.length, problems.length);
      });
    });
  }

  it('say in SARIF what a finding costs only where that is known', () => {
    const log = JSON.parse(sarifReport(resultFor(paths.slice(0, 2)), context)) as Log;
    const costs = log.runs[0]!.results!.map((it) => it.properties!['costMs'] as unknown);
    deepStrictEqual(costs.sort(), [1, undefined, undefined, undefined]);
  });

  it('keep count of what their SARIF leaves out', () => {
    const texts = [7, 0, 3].map((leftOut, i) => {
      const log = JSON.parse(sarifReport(resultFor([paths[i]!]), context)) as Log;
      if (leftOut > 0) log.runs[0]!.properties = { leftOut };
      return { name: `${i}`, text: JSON.stringify(log) };
    });
    const merged = mergedReport(texts);
    ok('text' in merged);
    strictEqual(merged.leftOut, 10);
    const [run] = (JSON.parse(merged.text) as Log).runs;
    deepStrictEqual([run!.results!.length, run!.properties], [6, { leftOut: 10 }]);
  });

  it('do not mix with other texts', () => {
    const json = { name: 'a.json', text: jsonReport(resultFor(paths), context) };
    const sarif = { name: 'a.sarif', text: sarifReport(resultFor(paths), context) };
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"version":1,"findings":[]}',
      '{"version":"2.1.0"}',
    ]) {
      const merged = mergedReport([json, { name: 'other', text }]);
      match(
        'mistake' in merged ? merged.mistake : '',
        /^other is no JSON or SARIF of this deadtime$/,
      );
    }
    deepStrictEqual(mergedReport([json, sarif]), { mistake: 'JSON and SARIF do not mix' });
    const older = { name: 'b', text: sarifReport(resultFor([]), { ...context, version: '0.1.0' }) };
    match(JSON.stringify(mergedReport([sarif, older])), /different versions/);
  });
});

function forget(log: Record<string, unknown>): void {
  const [run] = (log['runs'] as Record<string, unknown>[] | undefined) ?? [];
  if (run) delete run['invocations'];
}
