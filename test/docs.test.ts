import { deepStrictEqual, ok } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { rules } from '../rules/index.ts';
import type { Profile, Rule } from '../rules/define-rule.ts';
import { scanned } from './fakes/scanned.ts';

const sections = ['Reported', 'Not reported', 'When to leave it', 'What it does not see'];

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

    for (const title of ['Reported', 'Not reported']) {
      it(`has an example under "${title}"`, () => ok(examplesIn(page, title).length > 0));
    }

    for (const [i, { code, path }] of examplesIn(page, 'Reported').entries()) {
      it(`reports example ${i + 1}`, () => {
        deepStrictEqual(reportedBy(rule, code, path, 'strict'), [rule.id]);
      });
    }

    for (const [i, { code, path }] of examplesIn(page, 'Not reported').entries()) {
      it(`leaves example ${i + 1} alone`, () => {
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
    'ARCHITECTURE.md',
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
