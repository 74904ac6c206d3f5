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

/** Pages for users, which are short, and plain to read in a diff. */
const userPages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md', { ignore: 'docs/internals/**' }),
];
const LONGEST_PAGE = 250;
const LONGEST_LINE = 400;

describe('pages', () => {
  const pages = [
    ...userPages,
    'CHANGELOG.md',
    'AGENTS.md',
    'extension/README.md',
    ...globSync(['docs/internals/**/*.md', 'skills/*/SKILL.md', 'rules/*/README.md']),
  ].sort();
  const anchors = new Map<string, ReadonlySet<string>>();
  for (const page of pages) {
    it(`${page} links only to files and headings that exist`, () => {
      const broken = linksOf(page).filter(({ path, heading }) => {
        if (!existsSync(path)) return true;
        return heading !== undefined && !anchorsOf(path).has(heading);
      });
      deepStrictEqual(broken, []);
    });

    it(`${page} names only scripts that there are`, () => {
      const named = readFileSync(page, 'utf8').matchAll(/npm run (-w lab )?([\w:-]+)/g);
      deepStrictEqual(
        [...named].filter(([, isOfLab, name]) => !scriptsOf(isOfLab ? 'lab/' : '').has(name!)),
        [],
      );
    });
  }

  for (const page of userPages) {
    it(`${page} has at most ${LONGEST_PAGE} lines of at most ${LONGEST_LINE} characters`, () => {
      const lines = readFileSync(page, 'utf8').trimEnd().split('\n');
      ok(lines.length <= LONGEST_PAGE, `${lines.length} lines`);
      deepStrictEqual(
        lines.filter((it) => it.length > LONGEST_LINE),
        [],
      );
    });
  }

  it('are reached by links from the README', () => {
    const reached = new Set<string>();
    const follow = (page: string): void => {
      if (reached.has(page) || !pages.includes(page)) return;
      reached.add(page);
      for (const { path } of linksOf(page)) follow(path);
    };
    follow('README.md');
    deepStrictEqual(
      userPages.filter((it) => !reached.has(it)),
      [],
    );
  });

  /** The headings of a page, as GitHub turns them into anchors. */
  function anchorsOf(page: string): ReadonlySet<string> {
    const known = anchors.get(page);
    if (known) return known;
    const titles = [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) => title!);
    const made = titles.map((it) =>
      it
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    );
    anchors.set(page, new Set(made));
    return anchors.get(page)!;
  }
});

function scriptsOf(folder: string): ReadonlySet<string> {
  const { scripts } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as {
    scripts: Record<string, string>;
  };
  return new Set(Object.keys(scripts));
}

interface Link {
  readonly path: string;
  readonly heading: string | undefined;
}

/** Those to files of this repository, and within the page. */
function linksOf(page: string): readonly Link[] {
  const links = proseOf(page)
    .replaceAll(/`[^`\n]*`/g, '')
    .matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/g);
  return [...links].map(([, target, heading]) => ({
    path: target ? join(dirname(page), target).replaceAll('\\', '/') : page,
    heading,
  }));
}

/** Without blocks of code, in which a bracket is no link and a `#` no heading. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^ *```.*?^ *```$/gms, '');
}

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
