import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { Log } from 'sarif';
import { sarifReport } from '../../src/report/sarif.ts';
import { rules } from '../../rules/index.ts';
import { context, hostile, problemAt, projectResult, resultOf } from '../fakes/results.ts';

/** The official schema, which is draft 4 only by what its head says. */
function validator() {
  const path = 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json';
  const {
    $schema: _,
    id,
    ...schema
  } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const ajv = new Ajv({ strict: false, unicodeRegExp: false });
  formats.default(ajv);
  return ajv.compile({ ...schema, $id: String(id) });
}

describe('the SARIF report', () => {
  const isValid = validator();

  function logOf(...parameters: Parameters<typeof sarifReport>): Log {
    const log = JSON.parse(sarifReport(...parameters)) as Log;
    ok(isValid(log), JSON.stringify(isValid.errors?.slice(0, 3)));
    return log;
  }

  it('has for every finding what code scanning shows', () => {
    const given = problemAt(2, 'warning', {
      evidence: { costMs: 9 },
      cost: '9 ms',
      context: 'startup',
    });
    const step = {
      ...given.related[0]!,
      path: given.path,
      message: 'lost here',
      isStep: true as const,
    };
    const problem = { ...given, related: [...given.related, step] };
    const [result] = logOf(resultOf([problem]), context).runs[0]!.results!;
    const own = { uri: 'src/queue.ts', uriBaseId: '%SRCROOT%' };
    const region = { startLine: 2, startColumn: 3, endLine: 2, endColumn: 8 };
    const there = { startLine: 7, startColumn: 1, endLine: 7, endColumn: 5 };
    const place = {
      physicalLocation: { artifactLocation: own, region },
      message: { text: 'Waits on line 2.' },
    };
    const lost = {
      physicalLocation: { artifactLocation: own, region: there },
      message: { text: 'lost here' },
    };
    deepStrictEqual(result, {
      ...{ ruleId: 'no-wait', ruleIndex: 0, level: 'warning' },
      message: { text: 'Waits on line 2. Prove it: npx deadtime prove src/queue.ts:2' },
      locations: [place],
      partialFingerprints: { 'deadtime/v1': '00000000000002' },
      relatedLocations: [
        {
          id: 0,
          physicalLocation: { artifactLocation: { uri: 'file:///elsewhere/db.ts' }, region: there },
          message: { text: 'the pool' },
        },
        { id: 1, ...lost },
      ],
      codeFlows: [{ threadFlows: [{ locations: [{ location: place }, { location: lost }] }] }],
      fixes: [
        {
          description: { text: 'Remove it' },
          artifactChanges: [
            {
              artifactLocation: own,
              replacements: [
                { deletedRegion: { charOffset: 0, charLength: 5 }, insertedContent: { text: '' } },
              ],
            },
          ],
        },
      ],
      properties: {
        ...{ severity: 'warning', confidence: 'high', context: 'startup', costMs: 9, cost: '9 ms' },
        proof: 'npx deadtime prove src/queue.ts:2',
        fix: {
          ...{ kind: 'edit', safety: 'load', steps: ['Take the wait out.'] },
          verify: 'npx deadtime check src/queue.ts --rule no-wait --fail-on any',
        },
      },
    });
  });

  it('describes the rules, with their pages and how to prove them', () => {
    const { driver } = logOf(resultOf([]), context).runs[0]!.tool;
    deepStrictEqual([driver.name, driver.semanticVersion], ['deadtime', '1.2.3']);
    deepStrictEqual(driver.rules, [
      {
        id: 'no-wait',
        shortDescription: { text: 'Disallow waiting.' },
        fullDescription: { text: 'Disallow waiting.' },
        help: {
          text: 'Disallow waiting. Prove it: npx deadtime prove no-wait',
          markdown: '# no-wait\n\nWhy.\n\nProve it: `npx deadtime prove no-wait`',
        },
        defaultConfiguration: { level: 'warning' },
        properties: { tags: ['performance', 'nodejs'], precision: 'high' },
      },
    ]);
  });

  it('lists ignored files, and whether a rule failed', () => {
    const notices = [
      { path: '/project/b.js', reason: 'rule-failure', message: 'no-wait failed: x\n at /home' },
      { path: '/project/a.js', reason: 'binary', message: 'is binary' },
    ] as const;
    const [invocation] = logOf(resultOf([], notices), context).runs[0]!.invocations!;
    strictEqual(invocation!.executionSuccessful, false);
    deepStrictEqual(
      invocation!.toolExecutionNotifications!.map((it) => [
        it.descriptor!.id,
        it.level,
        it.message.text,
      ]),
      [
        ['binary', 'warning', 'is binary'],
        ['rule-failure', 'error', 'no-wait failed: x'],
      ],
    );
  });

  it('has URIs and no links, for any file name and code', () => {
    const [result] = logOf(resultOf([hostile]), context).runs[0]!.results!;
    const { uri } = result!.locations![0]!.physicalLocation!.artifactLocation!;
    strictEqual(decodeURIComponent(uri!), hostile.path.slice('/project/'.length));
    ok(!uri!.includes(':') && !uri!.includes('%2F'));
    ok(!/(?<!\\)\[[^\]]*\]\(/.test(result!.message.text!));
  });

  it('is valid over a project, and the same from each of its folders', async () => {
    const root = `${process.cwd()}/fixtures/projects/parcel-tracker`;
    const result = await projectResult(root);
    const whole = { ...context, rules, root, cwd: root };
    ok(logOf(result, whole).runs[0]!.results!.some((it) => it.codeFlows && it.fixes));
    strictEqual(sarifReport(result, { ...whole, cwd: `${root}/src` }), sarifReport(result, whole));
  });

  it('stays within the limits of code scanning', () => {
    const [place] = problemAt(1, 'error').related;
    const related = Array.from({ length: 1_500 }, () => place!);
    const many = Array.from({ length: 25_010 }, (_, i) => problemAt(i + 1, 'warning'));
    const text = sarifReport(resultOf([...many, { ...problemAt(1, 'error'), related }]), context);
    const { results, properties } = (JSON.parse(text) as Log).runs[0]!;
    deepStrictEqual([results!.length, properties], [25_000, { leftOut: 11 }]);
    deepStrictEqual([results![0]!.level, results![0]!.relatedLocations!.length], ['error', 100]);
    ok(gzipSync(text).byteLength < 10_000_000);
  });

  it('omits the least costly where gzip makes it larger than services accept, and counts them', () => {
    const many = Array.from({ length: 40 }, (_, i) => ({
      ...problemAt(i + 1, i === 39 ? 'error' : 'warning'),
      message: randomBytes(150_000).toString('base64'),
    }));
    const told: unknown[] = [];
    const onLeftOut = (...it: readonly unknown[]) => void told.push(it);
    const text = sarifReport(resultOf(many), { ...context, onLeftOut });
    ok(gzipSync(text).byteLength <= 10_000_000);
    const { results, properties } = (JSON.parse(text) as Log).runs[0]!;
    ok(results!.length >= 25 && results!.length < 40, `${results!.length}`);
    strictEqual(results![0]!.level, 'error');
    deepStrictEqual(properties, { leftOut: 40 - results!.length });
    deepStrictEqual(told, [['sarif', 40 - results!.length]]);
  });
});
