import { deepStrictEqual, ok } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { rules } from '../rules/index.ts';
import type { Profile, Rule } from '../rules/define-rule.ts';
import { scanned } from './fakes/scanned.ts';

const sections = [
  'Why',
  'Reported',
  'Not reported',
  'When to disable it',
  'What it does not see',
  'Reference',
];
/** No page for users is longer. */
const MOST_LINES = 250;

for (const rule of rules) {
  describe(`rules/${rule.id}/README.md`, () => {
    const page = readFileSync(`rules/${rule.id}/README.md`, 'utf8');

    it('has the sections that every page has', () => {
      deepStrictEqual(
        [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title),
        sections,
      );
    });

    it('has text in every section', () => {
      for (const title of sections) ok(sectionOf(page, title).trim().length > 20, title);
    });

    it('is no longer than a page for users', () => ok(page.split('\n').length <= MOST_LINES));

    for (const title of ['Why', 'Reported', 'Not reported']) {
      it(`has an example under "${title}"`, () => ok(examplesIn(page, title).length > 0));
    }

    for (const title of ['Why', 'Reported']) {
      for (const [i, { code, path }] of examplesIn(page, title).entries()) {
        it(`reports example ${i + 1} of "${title}"`, () => {
          deepStrictEqual(reportedBy(rule, code, path, 'strict'), [rule.id]);
        });
      }
    }

    for (const [i, { code, path }] of examplesIn(page, 'Not reported').entries()) {
      it(`does not report example ${i + 1} of "Not reported"`, () => {
        deepStrictEqual(reportedBy(rule, code, path, 'audit'), []);
      });
    }
  });
}

describe('pages', () => {
  const pages = ['README.md', 'ARCHITECTURE.md', 'AGENTS.md', ...globSync('rules/*/README.md')];
  for (const page of pages) {
    it(`${page} links only to what there is`, () => {
      const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)];
      deepStrictEqual(
        links.map(([, target]) => target!).filter((it) => !existsSync(join(dirname(page), it))),
        [],
      );
    });

    it(`${page} names only scripts that there are`, () => {
      const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
        scripts: Record<string, string>;
      };
      const named = readFileSync(page, 'utf8').matchAll(/npm run ([\w:-]+)/g);
      deepStrictEqual(
        [...named].map(([, name]) => name!).filter((name) => !(name in scripts)),
        [],
      );
    });
  }
});

function sectionOf(page: string, title: string): string {
  return (page.split(/^## /m).find((it) => it.startsWith(`${title}\n`)) ?? '').slice(title.length);
}

function examplesIn(page: string, title: string): readonly { code: string; path: string }[] {
  const fences = sectionOf(page, title).matchAll(/^```([jt]s)\n(.*?)^```/gms);
  return [...fences].map(([, extension, code]) => ({
    code: code!,
    path: `/project/example.${extension}`,
  }));
}

/** Each example shows one finding, or none. */
function reportedBy(rule: Rule, code: string, path: string, profile: Profile): readonly string[] {
  const { problems, notices } = scanned(code, path, { rules: [rule], profile });
  deepStrictEqual(notices, []);
  return problems.map(({ finding }) => finding.ruleId);
}
