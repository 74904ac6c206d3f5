import { ok } from 'node:assert/strict';
import { rules } from '../../rules/index.ts';
import { isFailure, sourceOf } from '../../scan/parse.ts';
import { createModules } from '../../project/modules.ts';
import { createScanner } from '../../scan/scan.ts';
import { copiesOf, type Copied } from '../fakes/copies.ts';
import { filesOf } from '../fakes/files.ts';
import { workIn } from '../fakes/work.ts';
import { fixturesOf } from '../fixtures.ts';

/** How many findings of the rule the text has in a project of its own. */
function findingsIn(text: string, path: string, ruleId: string): number {
  const modules = createModules({
    root: '/project',
    files: filesOf('/project', {}),
    parse(other, at, all) {
      const source = sourceOf(other, at, { modules: () => all });
      return isFailure(source) ? undefined : source;
    },
  });
  const scanner = createScanner({ rules, profile: 'audit', modules });
  const { problems } = scanner.scan(text, path, { isNamed: true });
  return problems.filter((it) => it.finding.ruleId === ruleId).length;
}

const [FEW, MANY] = [40, 80];
/** Of each rule; fixtures whose findings are lost by copying say nothing. */
const SHAPES = 3;

describe('the work for a file with twice as many findings', function () {
  this.timeout(240_000);
  for (const rule of rules) {
    const shapes = fixturesOf(rule.id)
      .filter(
        ({ kind, files, manifests }) =>
          kind === 'reports' && files.length === 1 && Object.keys(manifests).length === 0,
      )
      .flatMap(({ files: [file] }) =>
        (['functions', 'everything'] as const).map((copied) => ({ file: file!, copied })),
      )
      .filter(({ file, copied }) => hasCopies(file.source, file.virtualPath, copied, rule.id))
      .slice(0, SHAPES);
    it(`is at most two and a half times as much: ${rule.id}`, () => {
      ok(shapes.length > 0, 'no fixture of the rule can be copied');
      for (const { file, copied } of shapes) {
        const { source, virtualPath, path } = file;
        const copies = copiesOf(source, virtualPath, copied);
        const [few, many] = [FEW, MANY].map((it) => {
          const text = copies(it);
          return workIn(() => findingsIn(text, virtualPath, rule.id));
        });
        ok(many! < 2.5 * few!, `${path}, ${copied}: ${few}, then ${many}`);
      }
    });
  }
});

function hasCopies(source: string, path: string, copied: Copied, ruleId: string): boolean {
  return findingsIn(copiesOf(source, path, copied)(4), path, ruleId) >= 4;
}
