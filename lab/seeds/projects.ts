import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import type { Rule } from '../../rules/define-rule.ts';
import { withoutMarks } from '../../test/fixtures.ts';
import type { RuleMutations } from './seed.ts';
import type { Project } from './trials.ts';

const code = '**/*.{ts,tsx,js,mjs,cjs}';

/** Where a rule's bugs are planted. */
export function projectsFor(rule: Rule, { inFixtures }: RuleMutations): readonly Project[] {
  return inFixtures ? [...applications(), ...neighboursOf(rule)] : applications();
}

/** The small applications of fixtures/projects: whole programs, all but one of them without a bug. */
export function applications(): readonly Project[] {
  return globSync('fixtures/projects/*/package.json')
    .sort()
    .map((manifest) => {
      const root = manifest.slice(0, -'/package.json'.length);
      return projectOf(root, globSync(`${root}/src/${code}`));
    });
}

/** Fixtures that other rules ignore: correct code for this rule. A folder is a project, and so is a file. */
function neighboursOf({ id }: Rule): readonly Project[] {
  const projects = new Map<string, string[]>();
  for (const path of globSync(`fixtures/*/{ignores,suggested}/${code}`).sort()) {
    const [, ruleId, kind, entry] = path.split('/');
    if (ruleId === id) continue;
    const root = `fixtures/${ruleId}/${kind}/${entry}`;
    projects.set(root, [...(projects.get(root) ?? []), path]);
  }
  return [...projects].map(([root, paths]) => projectOf(root, paths));
}

function projectOf(root: string, paths: readonly string[]): Project {
  return {
    files: [...paths].sort().map((path) => ({
      path,
      virtualPath: resolve('/project', relative(root, path) || path),
      source: withoutMarks(readFileSync(path, 'utf8')),
    })),
  };
}
