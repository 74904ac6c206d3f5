import { createModules } from '../../src/project/modules.ts';
import { rules } from '../../rules/index.ts';
import { isFailure, sourceOf } from '../../src/scan/parse.ts';
import { createScanner } from '../../src/scan/scan.ts';
import { filesOf } from './files.ts';

/** How many findings of the rule the text has in a project of its own. */
export function findingsIn(text: string, path: string, ruleId: string): number {
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
