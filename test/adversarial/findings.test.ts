import { ok } from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rules } from '../../rules/index.ts';
import { copiesOf, type Copied } from '../fakes/copies.ts';
import { findingsIn } from '../fakes/findings-in.ts';
import type { Scans, ScansWork } from '../fakes/work-of-scans.ts';
import { type FixtureFile, fixturesOf } from '../fixtures.ts';
import { isFull } from '../lanes.ts';

const COPIES = [20, 40, 80] as const;
/** The part of the last text's work that may grow with the square of the findings: sorting takes more than in proportion. */
const MOST_SQUARE = 0.05;
/** Of each rule; a fixture whose findings do not grow with its copies says nothing. */
const SHAPES = isFull ? 3 : 1;

describe('the work for a file with many findings', function () {
  this.timeout(240_000);
  let child: ChildProcess;
  before(() => {
    const execArgv = [...process.execArgv, '--no-opt'];
    child = fork('test/fakes/work-of-scans.ts', { execArgv, stdio: 'inherit' });
  });
  after(() => child.disconnect());

  for (const rule of rules) {
    it(`grows with their number and not with its square: ${rule.id}`, async () => {
      let tried = 0;
      for (const { file, copied } of shapesOf(rule.id)) {
        const { source, virtualPath, path } = file;
        const texts = COPIES.map(copiesOf(source, virtualPath, copied));
        const { work, findings } = await workOf({ texts, path: virtualPath, ruleId: rule.id });
        const figures = `${path}, ${copied}: ${findings.join(', ')} findings, work of ${work.join(', ')}`;
        ok(findings[0]! >= COPIES[0], figures);
        ok(squareIn(work) < MOST_SQUARE, figures);
        if (++tried === SHAPES) break;
      }
      ok(tried > 0, 'no fixture of the rule can be copied');
    });
  }

  async function workOf(scans: Scans): Promise<ScansWork> {
    const answer = once(child, 'message');
    child.send(scans);
    return ((await answer) as [ScansWork])[0];
  }
});

/** Found one at a time: whether a fixture can be copied takes two scans. */
function* shapesOf(ruleId: string): Generator<{ file: FixtureFile; copied: Copied }> {
  for (const { kind, files, manifests } of fixturesOf(ruleId)) {
    if (kind !== 'reports' || files.length > 1 || Object.keys(manifests).length > 0) continue;
    const file = files[0]!;
    for (const copied of ['functions', 'everything'] as const) {
      if (hasCopies(file.source, file.virtualPath, copied, ruleId)) yield { file, copied };
    }
  }
}

function hasCopies(source: string, path: string, copied: Copied, ruleId: string): boolean {
  const copies = copiesOf(source, path, copied);
  const [few, many] = [4, 8].map((it) => findingsIn(copies(it), path, ruleId));
  return few! >= 4 && many === 2 * few!;
}

/**
 * The part of the last figure that grows with the square, where the figures are `a + b·n + c·n²` for n, 2n and 4n:
 * `f(4n) − 3·f(2n) + 2·f(n) = 6·c·n²`, and the part is `16·c·n²`.
 */
function squareIn([one, two, four]: readonly number[]): number {
  return ((four! - 3 * two! + 2 * one!) * 16) / 6 / four!;
}
