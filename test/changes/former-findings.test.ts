import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { areUnchanged, recorded } from '../../src/scan/review/recorded-files.ts';
import type { Memory } from '../../src/scan/review/former-findings.ts';
import { review } from '../../src/scan/review/review.ts';
import { workingTreeChanges } from '../../src/scan/review/sources.ts';
import { disk, type Files } from '../../src/project/files.ts';
import type { Json } from '../../src/project/json.ts';
import type { Rule } from '../../rules/define-rule.ts';
import { rules } from '../../rules/index.ts';
import { createClock } from '../../src/scan/clock.ts';
import { configurationsOf } from '../../src/scan/configuration.ts';
import { type GitRepository, repositoryWith } from '../fakes/git-repository.ts';
import { noWait } from '../fakes/no-wait.ts';

describe('findings before a change', () => {
  let texts: Map<string, string>;
  let memory: Memory;
  /** What a rule was asked about, in the order of asking. */
  let asked: string[];
  beforeEach(() => {
    texts = new Map();
    memory = { read: (name) => texts.get(name), keep: (name, text) => texts.set(name, text) };
    asked = [];
  });

  const noted = (rule: Rule): Rule => ({
    ...rule,
    findings(file, options) {
      asked.push(`${rule.id}: ${file.text.trim()}`);
      return rule.findings(file, options);
    },
  });
  /** The lines of the findings that a change brings to a.js. */
  async function broughtTo({ path, write }: GitRepository, text: string, own = [noted(noWait)]) {
    write({ 'a.js': text });
    asked = [];
    const set = workingTreeChanges(path);
    const { problems } = await review(set, {
      ...{ rules: own, clock: createClock(), followsImports: false, memory },
      configurations: configurationsOf(own, {}, set.after),
    });
    return problems.filter((it) => it.path === join(path, 'a.js')).map(({ start }) => start.line);
  }

  it('are computed once while the text before stays the same', async () => {
    const repository = repositoryWith({ 'a.js': 'wait(7);' });
    deepStrictEqual(await broughtTo(repository, 'wait(8);\nwait(7);'), [1]);
    deepStrictEqual(asked, ['no-wait: wait(8);\nwait(7);', 'no-wait: wait(7);']);
    deepStrictEqual(await broughtTo(repository, 'wait(7);\nwait(9);'), [2]);
    deepStrictEqual(asked, ['no-wait: wait(7);\nwait(9);']);
  });

  it('are computed again when that text has changed, or the configuration has', async () => {
    const repository = repositoryWith({ 'a.js': 'wait(7);' });
    await broughtTo(repository, 'wait(7);\nwait(8);');
    repository.commit();
    deepStrictEqual(await broughtTo(repository, 'wait(9);\nwait(8);'), [1]);
    deepStrictEqual(asked, ['no-wait: wait(9);\nwait(8);', 'no-wait: wait(7);\nwait(8);']);
    repository.write({ 'deadtime.config.json': '{ "rules": { "no-wait": "error" } }' });
    deepStrictEqual(await broughtTo(repository, 'wait(9);\nwait(8);'), [1]);
    strictEqual(asked.length, 2);
  });

  it('are computed again when a dependency has changed', async () => {
    const loops = [
      "import { readFile } from 'node:fs/promises';",
      "import { read } from './read.js';",
      'export async function all(ids) {',
      '  for (const id of ids) await readFile(`/etc/${id}`);',
      '  for (const id of ids) await read(id);',
      '}',
    ].join('\n');
    const repository = repositoryWith({ 'a.js': loops, 'read.js': 'export const read = String;' });
    const own = rules.filter(({ id }) => id === 'no-independent-await-in-loop').map(noted);
    deepStrictEqual(await broughtTo(repository, `${loops}\n// edited`, own), []);
    strictEqual(asked.length, 2);
    repository.write({
      'a.js': loops,
      'read.js': "export { readFile as read } from 'fs/promises';",
    });
    repository.commit();
    deepStrictEqual(await broughtTo(repository, `${loops}\n// edited`, own), []);
    strictEqual(asked.length, 2);
  });

  it('depend on a configuration that is run for them', () => {
    const says = (json: Json): Files => ({ ...disk, run: () => ({ json }) });
    const { files, answers } = recorded(says({ profile: 'audit' }));
    files.run!('/deadtime.config.mjs');
    strictEqual(areUnchanged(says({ profile: 'audit' }), answers()), true);
    strictEqual(areUnchanged(says({ profile: 'strict' }), answers()), false);
    strictEqual(areUnchanged(disk, answers()), false);
    strictEqual(recorded(disk).files.run, undefined);
  });

  it('are also computed by the rules of before when a second host asks', async () => {
    const noNap: Rule = {
      ...{ ...noWait, id: 'no-nap', trigger: /nap/ },
      findings: (file, options) =>
        noWait.findings(file, options).map((it) => ({ ...it, ruleId: 'no-nap' })),
    };
    const own = [noWait, noNap].map(noted);
    const repository = repositoryWith({ 'a.js': 'wait(7);' });
    await broughtTo(repository, 'wait(7);\nwait(8);', own);
    deepStrictEqual(await broughtTo(repository, 'wait(7); // nap', own), [1]);
    deepStrictEqual(asked.slice(2), ['no-wait: wait(7);']);
    await broughtTo(repository, 'wait(7); // no nap', own);
    deepStrictEqual(asked.slice(2), []);
  });

  it('are computed again when the cache is damaged', async () => {
    const repository = repositoryWith({ 'a.js': 'wait(7);' });
    await broughtTo(repository, 'wait(7);\nwait(8);');
    for (const [name, text] of texts) texts.set(name, text.slice(0, -9));
    deepStrictEqual(await broughtTo(repository, 'wait(7);\nwait(8);'), [2]);
    strictEqual(asked.length, 2);
    for (const json of ['null', '[]', '{}', '"a"', '{ "ruleIds": 1 }', '{ "ruleIds": [] }']) {
      for (const name of texts.keys()) texts.set(name, json);
      deepStrictEqual(await broughtTo(repository, 'wait(7);\nwait(8);'), [2]);
      strictEqual(asked.length, 2);
    }
  });

  it('are cached next to the entries of the same text', async () => {
    const text = '// deadtime-ignore-next-line no-wait -- paced\n\nwait(7);';
    const repository = repositoryWith({ 'a.js': text });
    await broughtTo(repository, `${text}\nwait(8);`);
    strictEqual(texts.size, 1);
  });

  it('are not kept where a rule has failed', async () => {
    const repository = repositoryWith({ 'a.js': 'wait(7);' });
    const failing: Rule = {
      ...noWait,
      findings(file, options) {
        if (!file.text.includes('wait(8)')) throw new Error('failed');
        return noWait.findings(file, options);
      },
    };
    await broughtTo(repository, 'wait(7);\nwait(8);', [failing]);
    strictEqual(texts.size, 0);
    deepStrictEqual(await broughtTo(repository, 'wait(7);\nwait(8);'), [2]);
  });
});
