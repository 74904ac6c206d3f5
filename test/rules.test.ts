import { deepStrictEqual, doesNotMatch, ok, strictEqual } from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { globSync } from 'tinyglobby';
import { type Finding, type Rule, render } from '../rules/define-rule.ts';
import { rules } from '../rules/index.ts';
import { isTriggered } from '../rules/trigger.ts';
import {
  annotate,
  findingsOf,
  type Fixture,
  type FixtureFile,
  fixturesOf,
  projectOf,
  suggestedSource,
} from './fixtures.ts';
import { syntaxErrorsOf } from './syntax.ts';

/** `UPDATE_FIXTURES=1 npx mocha test/rules.test.ts` rewrites the marks and the suggested code; read the diff. */
const updates = process.env['UPDATE_FIXTURES'] === '1' && !process.env['CI'];

for (const ruleId of ruleIds()) {
  describe(ruleId, () => {
    const rule: Rule = rules.find((it) => it.id === ruleId)!;

    it('has a report for every suggested code', () => {
      const orphans = globSync(`fixtures/${ruleId}/suggested/**/*.{ts,js,tsx,mjs,cjs}`).filter(
        (path) => !existsSync(path.replace('suggested', 'reports')),
      );
      deepStrictEqual(orphans, []);
    });

    for (const fixture of fixturesOf(ruleId)) {
      it(`${fixture.path} is valid code`, () => {
        for (const { path, source } of fixture.files) {
          deepStrictEqual(syntaxErrorsOf(path, source), []);
        }
      });

      it(fixture.path, () => {
        const factsAt = projectOf(fixture.files, fixture.manifests);
        const all = fixture.files.map((file) => {
          const findings = findingsOf(rule, factsAt(file.virtualPath), file.settings);
          for (const finding of findings) assertWhole(rule, finding, file);
          const annotated = annotate(file, rule, findings);
          if (updates) writeFileSync(file.path, annotated);
          else strictEqual(annotated, file.expected);
          return findings;
        });
        const count = all.flat().length;
        if (fixture.kind === 'reports') ok(count > 0, 'a fixture in reports/ reports nothing');
        if (fixture.kind === 'ignores') strictEqual(count, 0);
        if (fixture.kind === 'reports') assertSuggested(rule, fixture, all);
      });
    }
  });
}

function ruleIds(): readonly string[] {
  return readdirSync('rules').filter((name) => existsSync(`rules/${name}/rule.ts`));
}

/** A headline fits a line of a terminal or a hover: what happens, and what it costs. */
const LONGEST_HEADLINE = 160;

/** The first sentence, which ends before a capital letter or a name in backquotes. */
function headlineOf(text: string): string {
  return text.split(/(?<=\.) (?=[A-Z`])/)[0]!;
}

/** What holds for every finding of every rule. */
function assertWhole(rule: Rule, finding: Finding, file: FixtureFile): void {
  ok(isTriggered(rule.trigger, file.source), 'the trigger would skip this file');
  const message = rule.messages[finding.messageId];
  ok(message, `no message ${finding.messageId}`);
  for (const text of [message.text, message.cost ?? '', ...message.fix.steps]) {
    doesNotMatch(render(text, finding.evidence), /\{\{|undefined|NaN|\[object/);
  }
  const headline = headlineOf(render(message.text, finding.evidence));
  ok(headline.length <= LONGEST_HEADLINE, `${headline.length} characters: ${headline}`);
  const [start, end] = finding.range;
  ok(start >= 0 && start < end && end <= file.source.length, `range ${start}..${end}`);
  for (const related of finding.related) doesNotMatch(related.message, /\{\{|undefined|NaN/);
  for (const { messageId, edits } of finding.suggestions) {
    const title = rule.suggestions[messageId];
    ok(title, `no title for the suggestion ${messageId}`);
    doesNotMatch(render(title, finding.evidence), /\{\{|undefined|NaN/);
    ok(edits.length > 0, `${messageId} edits nothing`);
  }
}

/** Compares the code after the suggestions with fixtures/<rule-id>/suggested/, in which marks show what is still reported. */
function assertSuggested(
  rule: Rule,
  fixture: Fixture,
  findings: readonly (readonly Finding[])[],
): void {
  for (const [i, file] of fixture.files.entries()) {
    const source = suggestedSource(file, findings[i]!);
    const path = file.path.replace(/([/\\])reports([/\\])/, '$1suggested$2');
    if (source === undefined) {
      ok(!existsSync(path), `nothing suggests ${path}`);
      continue;
    }
    const after = { ...file, source, expected: source };
    const others = fixture.files.filter((it) => it !== file);
    const facts = projectOf([...others, after], fixture.manifests)(file.virtualPath);
    deepStrictEqual(syntaxErrorsOf(file.path, source), []);
    const annotated = annotate(after, rule, findingsOf(rule, facts, file.settings));
    if (updates) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, annotated);
    } else {
      ok(existsSync(path), `${path} is missing: UPDATE_FIXTURES=1 writes it`);
      strictEqual(annotated, readFileSync(path, 'utf8'));
    }
  }
}
