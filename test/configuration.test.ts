import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { disk } from '../src/project/files.ts';
import { jsonOf } from '../src/project/json.ts';
import { configurationText } from '../src/report/configuration.ts';
import { defineRule } from '../rules/define-rule.ts';
import { rules as shippedRules } from '../rules/index.ts';
import { configurationsOf, type Overrides } from '../src/scan/configuration.ts';
import { scanned } from './fakes/scanned.ts';
import { folderWith } from './fakes/folder.ts';
import { noWait } from './fakes/no-wait.ts';

const paced = defineRule({
  ...{ id: 'paced', description: '', messages: {}, trigger: /./ },
  options: {
    minMs: { default: 1, description: 'Shorter ones are not reported.' },
    words: { default: [], description: 'Further words.' },
    costs: { default: {}, description: 'Costs by name.' },
  },
  *check() {},
});
const rules = [noWait, paced];

/** What holds for `file` of a project; places are told without its root. */
function configured(
  files: Readonly<Record<string, string>>,
  file: string,
  overrides: Overrides = {},
) {
  const { path: root } = folderWith(files);
  const found = configurationsOf(rules, overrides, disk, root).for(join(root, file));
  const inside = (text: string) => text.replaceAll(`${root}/`, '');
  const { path, profile, settings, mistakes } = found;
  return {
    path: path === undefined ? path : inside(path),
    ...{ profile, settings },
    mistakes: mistakes.map(inside),
  };
}

const defaults = { path: undefined, profile: 'recommended', settings: {}, mistakes: [] };

describe('configuration', () => {
  it('is the default without a file', () => {
    deepStrictEqual(configured({ 'src/a.ts': '' }, 'src/a.ts'), defaults);
  });

  it('is the nearest from the file upwards', () => {
    const files = {
      'deadtime.config.json': '{ "profile": "audit" }',
      'packages/api/deadtime.config.jsonc': '{ "profile": "strict", /* why */ }',
    };
    strictEqual(configured(files, 'src/a.ts').profile, 'audit');
    const api = configured(files, 'packages/api/src/a.ts');
    deepStrictEqual([api.path, api.profile], ['packages/api/deadtime.config.jsonc', 'strict']);
  });

  it('is a field of package.json, too', () => {
    const files = {
      'package.json': '{ "deadtime": { "rules": { "deadtime/no-wait": "off" } } }',
      'inner/package.json': '{ "name": "inner" }',
    };
    const { path, settings } = configured(files, 'inner/a.ts');
    deepStrictEqual([path, settings], ['package.json', { 'no-wait': { severity: 'off' } }]);
  });

  it('is not looked for above the repository', () => {
    const files = { 'deadtime.config.json': '{ "profile": "audit" }', 'app/.git/HEAD': '' };
    strictEqual(configured(files, 'app/a.ts').profile, 'recommended');
  });

  it('is not looked for above a project that is in no repository', () => {
    const files = {
      'deadtime.config.json': '{ "profile": "audit" }',
      'app/package.json': '{}',
      'app/inner/package.json': '{}',
      'app/deadtime.config.json': '{ "profile": "strict" }',
      'lone/a.ts': '',
    };
    strictEqual(configured(files, 'app/inner/a.ts').profile, 'strict');
    const { path } = folderWith(files);
    const profileOf = (file: string, root?: string) =>
      configurationsOf(rules, {}, disk, root).for(join(path, file)).profile;
    strictEqual(profileOf('app/inner/a.ts', path), 'strict');
    strictEqual(profileOf('lone/a.ts'), 'recommended');
    strictEqual(profileOf('lone/a.ts', join(path, 'lone')), 'recommended');
    strictEqual(profileOf('lone/a.ts', path), 'audit');
  });

  it('is not read, nor quoted, where a link leads out of the project', () => {
    const outside = folderWith({ 'secret.json': '{ "token": "hunter2" }' });
    for (const name of ['deadtime.config.json', 'deadtime.config.mjs']) {
      const { path } = folderWith({ 'package.json': '{}' });
      symlinkSync(join(outside.path, 'secret.json'), join(path, name));
      const { profile, mistakes } = configurationsOf(rules).for(join(path, 'a.ts'));
      deepStrictEqual(
        [profile, mistakes],
        [
          'recommended',
          [
            `${join(path, name)} is a link that leads out of the project. Replace it with the configuration file.`,
          ],
        ],
      );
    }
  });

  it('yields to the options of a command or an editor', () => {
    const files = {
      'deadtime.config.json':
        '{ "profile": "audit", "rules": { "paced": ["error", { "minMs": 5 }], "no-wait": "off" } }',
    };
    const { profile, settings } = configured(files, 'a.ts', {
      profile: 'strict',
      settings: { paced: { severity: 'hint', options: { words: ['slow'] } } },
    });
    deepStrictEqual(
      { profile, settings },
      {
        profile: 'strict',
        settings: {
          paced: { severity: 'hint', options: { minMs: 5, words: ['slow'] } },
          'no-wait': { severity: 'off' },
        },
      },
    );
  });

  it('takes numbers by name, and nothing else in their place', () => {
    const costs = (value: unknown) =>
      configured(
        {
          'deadtime.config.json': JSON.stringify({ rules: { paced: ['error', { costs: value }] } }),
        },
        'a.ts',
      );
    deepStrictEqual(costs({ pg: { rtt: 1 } }).settings, {
      paced: { severity: 'error', options: { costs: { pg: { rtt: 1 } } } },
    });
    for (const broken of [null, [], 'pg', { pg: 1 }, { pg: null }, { pg: { rtt: '1' } }]) {
      deepStrictEqual(costs(broken).mistakes, [
        'deadtime.config.json:1:29: "costs" of "paced" takes a value like {}. Costs by name.',
      ]);
    }
  });

  it('reports invalid parts, and applies the rest', () => {
    const files = {
      'deadtime.config.json': JSON.stringify({
        ...{ profile: 'relaxed', extends: 'other' },
        rules: {
          'no-wiat': 'off',
          'no-wait': 'warn',
          paced: ['error', { minMs: '5', constructor: 1, words: ['slow'] }],
        },
      }),
    };
    const { settings, mistakes } = configured(files, 'a.ts');
    deepStrictEqual(settings, {
      'no-wait': {},
      paced: { severity: 'error', options: { words: ['slow'] } },
    });
    deepStrictEqual(mistakes, [
      'deadtime.config.json:1:22: there is no key "extends". The keys are "profile", "rules", "packages", "types".',
      'deadtime.config.json:1:2: "profile" is one of "recommended", "strict", "audit".',
      'deadtime.config.json:1:49: there is no rule "no-wiat". The rules are "no-wait", "paced".',
      'deadtime.config.json:1:65: "no-wait" is one of "off", "error", "warning", "information", "hint", "default", or [one of them, { options }].',
      'deadtime.config.json:1:100: "minMs" of "paced" takes a value like 1. Shorter ones are not reported.',
      'deadtime.config.json:1:112: "paced" has no option "constructor". It has "minMs", "words", "costs".',
    ]);
  });

  for (const [name, text, expected] of [
    [
      'a comma that is missing',
      '{\n  "profile": "strict"\n  "rules": {}\n}\n',
      '3:3: comma expected',
    ],
    ['a word without quotes', '{\n  "profile": strict\n}\n', '2:14: invalid symbol'],
    ['a brace that is not closed', '{\n  "rules": {\n', '3:1: close brace expected'],
    ['a file without content', '', '1:1: value expected'],
  ] as const) {
    it(`names line and column of ${name}`, () => {
      deepStrictEqual(configured({ 'deadtime.config.json': text }, 'a.ts').mistakes, [
        `deadtime.config.json:${expected}. Fix the syntax of its JSON.`,
      ]);
    });
  }

  it('names line and column of a mistake in a package.json', () => {
    const text = '{\n  "name": "a",\n  "deadtime": {\n    "profile": "strikt"\n  }\n}\n';
    deepStrictEqual(configured({ 'package.json': text }, 'a.ts').mistakes, [
      'package.json:4:5: "profile" is one of "recommended", "strict", "audit".',
    ]);
  });

  it('names the file alone where its brackets go deeper than a stack', () => {
    const text = '['.repeat(200_000);
    deepStrictEqual(configured({ 'deadtime.config.json': text }, 'a.ts').mistakes, [
      'deadtime.config.json is no JSON. Fix its syntax.',
    ]);
  });

  for (const text of ['', '{', '[]', 'null', '7']) {
    it(`goes on with the defaults when a file holds ${text || 'nothing'}`, () => {
      const { mistakes, ...rest } = configured({ 'deadtime.config.json': text }, 'a.ts');
      strictEqual(mistakes.length, 1);
      deepStrictEqual({ ...rest, mistakes: [] }, { ...defaults, path: 'deadtime.config.json' });
    });
  }

  it('reports values that are no objects, and continues', () => {
    const saidOf = (json: object) =>
      configured({ 'deadtime.config.json': JSON.stringify(json) }, 'a.ts').mistakes.map((it) =>
        it.replace(/:\d+:\d+:/, ':'),
      );
    const cases: readonly (readonly [json: object, name: string])[] = [
      [{ rules: ['no-wait'] }, '"rules"'],
      [{ rules: null }, '"rules"'],
      [{ rules: { paced: ['error', 5] } }, 'The value after the severity of "paced"'],
      [{ packages: 'pg' }, '"packages"'],
      [{ packages: { treatAs: ['pg'] } }, '"treatAs"'],
      [{ types: [] }, '"types"'],
      [{ types: { 'src/db.ts#query': 'db.read' } }, '"src/db.ts#query"'],
    ];
    for (const [json, name] of cases) {
      deepStrictEqual(saidOf(json), [`deadtime.config.json: ${name} is an object: { … }.`]);
    }
    deepStrictEqual(saidOf({ packages: { ignore: 1 } }), [
      'deadtime.config.json: "packages" has no key "ignore". It has "treatAs".',
    ]);
  });

  it('reports an unreadable file, and searches no further', () => {
    const files = { 'deadtime.config.json': '{ "profile": "audit" }' };
    // In place of a file that is forbidden: the superuser may read those.
    const { profile, mistakes } = configured(
      { ...files, 'api/deadtime.config.json/a.md': '' },
      'api/a.ts',
    );
    deepStrictEqual(
      [profile, mistakes],
      [
        'recommended',
        ['api/deadtime.config.json cannot be read. Make it a file that you may read.'],
      ],
    );
  });

  it('reports invalid declarations', () => {
    const json = {
      packages: { treatAs: { '@acme/db': 'pg', '@acme/cache': 'postgress' } },
      types: {
        'src/db.ts': {},
        'src/db.ts#query': { effect: 'db.reads', acquires: 'PoolClient', releases: true, reads: 1 },
        'src/db.ts#take': { acquires: false },
      },
    };
    const { mistakes } = configured({ 'deadtime.config.json': JSON.stringify(json) }, 'a.ts');
    deepStrictEqual(
      mistakes.map((it) => it.replace(/("@acme\/cache" is one of ).*/, '$1…')),
      [
        'deadtime.config.json:1:41: "treatAs" of "@acme/cache" is one of …',
        'deadtime.config.json:1:78: "types" has names like "src/db.ts#query", not "src/db.ts".',
        'deadtime.config.json:1:172: "src/db.ts#query": there is no key "reads". The keys are "effect", "acquires" and "releases".',
        'deadtime.config.json:1:112: "src/db.ts#query": "effect" is "none", or one of db, redis, http, dns, fs, queue, email, proc, cpu, timer, lock, console, a dot and one of read, write, sync.',
        'deadtime.config.json:1:132: "src/db.ts#query": "acquires" is a type of a library, such as "pg.PoolClient", or false.',
        'deadtime.config.json:1:156: "src/db.ts#query": "releases" is the index or the name of a parameter.',
      ],
    );
  });

  it('is one object for the files of a folder, until it is forgotten', () => {
    const folder = folderWith({ 'deadtime.config.json': '{}' });
    const configurations = configurationsOf(rules, {}, disk, folder.path);
    const [a, b] = ['a.ts', 'src/b.ts'].map((it) => join(folder.path, it));
    strictEqual(configurations.for(a!), configurations.for(b!));
    folder.write({ 'deadtime.config.json': '{ "profile": "strict" }' });
    strictEqual(configurations.for(a!).profile, 'recommended');
    configurations.forget();
    strictEqual(configurations.for(a!).profile, 'strict');
  });

  it('is shown whole, with the defaults of every option', () => {
    const folder = folderWith({ 'deadtime.config.json': '{ "rules": { "no-wait": "error" } }' });
    const path = join(folder.path, 'a.ts');
    deepStrictEqual(JSON.parse(configurationText(path, configurationsOf(rules).for(path), rules)), {
      file: path,
      from: join(folder.path, 'deadtime.config.json'),
      profile: 'recommended',
      rules: {
        'no-wait': ['error', {}],
        paced: ['default', { minMs: 1, words: [], costs: {} }],
      },
    });
  });
});

describe('the schema of the configuration', () => {
  const validate = new Ajv({ strict: false }).compile(
    JSON.parse(readFileSync('deadtime.schema.json', 'utf8')) as object,
  );
  it('accepts the examples of docs/reference/configuration.md', () => {
    const page = readFileSync('docs/reference/configuration.md', 'utf8');
    const examples = [...page.matchAll(/^```jsonc\n([^`]*)```/gm)].map(([, text]) => jsonOf(text!));
    strictEqual(examples.length, 3);
    for (const json of examples) {
      ok(validate(json), JSON.stringify(validate.errors));
      deepStrictEqual(mistakesIn(JSON.stringify(json)), []);
    }
  });

  it('refuses what the reader of configurations would', () => {
    for (const json of [
      { profil: 'strict' },
      { rules: { 'no-hot-path-sleep': 'warn' } },
      { rules: { 'no-hot-path-sleep': ['error', { minMs: '5' }] } },
      { packages: { treatAs: { '@acme/db': 'postgress' } } },
      { types: { 'src/db.ts': {} } },
      { types: { 'src/db.ts#query': { effect: 'db.reads' } } },
    ]) {
      strictEqual(validate(json), false);
      strictEqual(mistakesIn(JSON.stringify(json)).length, 1);
    }
  });

  function mistakesIn(text: string): readonly string[] {
    const { path } = folderWith({ 'deadtime.config.json': text });
    return configurationsOf(shippedRules).for(join(path, 'a.ts')).mistakes;
  }
});

describe('a configured scan', () => {
  const severitiesIn = (settings: Overrides['settings']) =>
    scanned('wait(1); wait(9);', '/project/a.js', {
      ...{ rules, profile: 'strict' },
      ...(settings ? { settings } : {}),
    }).problems.map(({ finding }) => finding.severity);

  it('gives a rule’s findings one severity', () => {
    deepStrictEqual(severitiesIn({}), ['hint', 'warning']);
    deepStrictEqual(severitiesIn({ 'no-wait': { severity: 'error' } }), ['error', 'error']);
    deepStrictEqual(severitiesIn({ 'no-wait': { severity: 'default' } }), ['hint', 'warning']);
  });

  it('does not run a rule that is off, nor parse for it', () => {
    deepStrictEqual(severitiesIn({ 'no-wait': { severity: 'off' } }), []);
  });

  it('hands a rule its options', () => {
    const rule = defineRule({
      ...{ id: 'at-least', description: '', trigger: /./ },
      messages: {
        is: { text: '{{n}}', severity: 'error', fix: { changes: 'nothing', steps: [] } },
      },
      options: { n: { default: 1, description: '' } },
      *check(file, { n }) {
        yield { messageId: 'is', at: file.ast, evidence: { n } };
      },
    });
    const settings = { 'at-least': { options: { n: 7 } } };
    const { problems } = scanned('a;', '/project/a.js', {
      ...{ rules: [rule], profile: 'strict', settings },
    });
    deepStrictEqual(
      problems.map((it) => it.message),
      ['7'],
    );
  });
});
