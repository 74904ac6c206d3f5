import { deepStrictEqual, ok } from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rules } from '../rules/index.ts';
import { buildCli } from '../tools/build/build.ts';
import { generatedFiles } from '../tools/generate/generated-files.ts';
import { fixturesOf } from './fixtures.ts';

describe('completeness', () => {
  it('rules/index.ts lists the rule folders', () => {
    const folders = readdirSync('rules', { withFileTypes: true }).filter((it) => it.isDirectory());
    deepStrictEqual(
      rules.map(({ id }) => id),
      folders.map(({ name }) => name).sort(),
    );
  });

  it('fixtures/ holds no reports of rules that are gone', () => {
    const ids = rules.map(({ id }) => id);
    const folders = readdirSync('fixtures').filter((it) => existsSync(`fixtures/${it}/reports`));
    deepStrictEqual(
      folders.filter((name) => !ids.includes(name)),
      [],
    );
  });

  it('tools/start.mjs rebuilds after a change of any bundled file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deadtime-build-'));
    const builds = await buildCli(folder).finally(() => rmSync(folder, { recursive: true }));
    const inputs = builds.flatMap((it) => Object.keys(it.inputs)).filter((it) => it !== '<stdin>');
    const own = new Set(inputs.map((it) => it.split('/')[0]!));
    const script = readFileSync('tools/start.mjs', 'utf8');
    deepStrictEqual(
      [...own].filter((it) => it !== 'node_modules' && !script.includes(`'${it}'`)),
      [],
    );
  });

  it('package-lock.json holds what other platforms install', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    // npm leaves out what its registry does not have, and refuses such a lockfile elsewhere.
    const optional = Object.values(packages).flatMap((it) =>
      Object.keys(it.optionalDependencies ?? {}),
    );
    deepStrictEqual(
      optional.filter((name) => !Object.keys(packages).some((it) => it.endsWith(`/${name}`))),
      [],
    );
  });

  it('generated files are what `npm run docs` writes', async () => {
    for (const [path, text] of await generatedFiles()) {
      deepStrictEqual(readFileSync(path, 'utf8'), text, `${path} is stale: npm run docs`);
    }
  });

  for (const rule of rules) {
    describe(rule.id, () => {
      for (const part of ['rule.ts', 'README.md']) {
        it(`has ${part}`, () => ok(existsSync(`rules/${rule.id}/${part}`)));
      }

      for (const kind of ['reports', 'ignores']) {
        it(`has fixtures that it ${kind}`, () => {
          ok(fixturesOf(rule.id).some((it) => it.kind === kind));
        });
      }

      it('is 120 lines or less', () => {
        ok(readFileSync(`rules/${rule.id}/rule.ts`, 'utf8').trimEnd().split('\n').length <= 120);
      });

      it('names messages and suggestions apart', () => {
        const suggestions = Object.keys(rule.suggestions);
        deepStrictEqual(
          suggestions.filter((id) => id in rule.messages),
          [],
        );
      });

      it('states what happens and what to do', () => {
        for (const { text } of Object.values(rule.messages)) {
          ok(/\.$/.test(text) && !text.includes('!') && !/\bshould\b/.test(text), text);
        }
      });

      it('states how to fix it, in sentences with the placeholders of the message', () => {
        for (const { text, fix } of Object.values(rule.messages)) {
          ok(fix.steps.length > 0, text);
          for (const step of fix.steps) ok(/^[A-Z{].*\.$/.test(step), step);
        }
      });
    });
  }
});
