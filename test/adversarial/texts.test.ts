import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { rawTransferSupported } from 'oxc-parser';
import { everywhere } from '../../lab/robustness/examination.ts';
import { faultsOf } from '../../lab/robustness/faults.ts';
import { sourceOf } from '../../src/scan/parse.ts';
import { createScanner, type FileResult } from '../../src/scan/scan.ts';
import { scanned } from '../fakes/scanned.ts';
import { itInFull } from '../lanes.ts';

const path = '/project/jobs.js';
const leak = [
  "import { Pool } from 'pg';",
  'const pool = new Pool();',
  'export async function count() {',
  '  const client = await pool.connect();',
  "  await client.query('select 1');",
  '}',
].join('\n');

/** What every rule says of a text, which is no exception and no place outside of it. */
function analysed(text: string, file = path): FileResult {
  const result = scanned(text, file, { rules: everywhere, profile: 'audit' });
  deepStrictEqual(
    result.notices.filter((it) => it.reason === 'rule-failure'),
    [],
  );
  deepStrictEqual(
    faultsOf(result.problems, () => text),
    [],
  );
  return result;
}

const saidOf = (text: string, file?: string) =>
  analysed(text, file).problems.map(({ finding }) => `${finding.ruleId} ${finding.messageId}`);

const around = (before: string, middle: string, after: string) => (depth: number) =>
  before.repeat(depth) + middle + after.repeat(depth);
const inFunction = (code: string) => `async function run() { ${code} }`;

describe('a text that nests', function () {
  this.timeout(120_000);
  const shapes: Readonly<Record<string, (depth: number) => string>> = {
    parentheses: around('(', '1', ')'),
    arrays: around('[', '', ']'),
    objects: (it) => `x = ${around('{ a: ', '1', '}')(it)}`,
    blocks: around('{', '', '}'),
    templates: around('`${', '1', '}`'),
    elements: around('<a>', '', '</a>'),
    conditionals: (it) => `${'a ? b : '.repeat(it)}c`,
    'members of members': (it) => `a${'.b'.repeat(it)}`,
    'calls of calls': (it) => `a${'()'.repeat(it)}`,
    'chained promises': (it) => inFunction(`await a${'.then(b)'.repeat(it)}`),
    'else after else': (it) => `${'if (a) b(); else '.repeat(it)}c();`,
    loops: (it) => inFunction(`${'for (const a of b) '.repeat(it)}await c(a);`),
    'tries in tries': (it) => inFunction(around('try {', 'await a()', '} finally {}')(it)),
    functions: around('function f() {', '', '}'),
    'functions in calls': around('a(async () => {', 'await b()', '});'),
    classes: around('(class { static {', '', '} })'),
    awaits: (it) => inFunction(`${'await '.repeat(it)}a`),
    negations: (it) => `${'!'.repeat(it)}a`,
    assignments: (it) => `${'a = '.repeat(it)}b`,
    spreads: around('[...', 'a', ']'),
    patterns: (it) => `const ${around('[', 'a', ']')(it)} = b`,
    labels: (it) => `${Array.from({ length: it }, (_, i) => `a${i}: `).join('')}b();`,
    switches: around('switch (a) { case 1:', '', '}'),
  };
  for (const [name, shape] of Object.entries(shapes)) {
    it(`5,000 deep is read or refused: ${name}`, () => {
      const { notices } = analysed(`${leak}\n${shape(5_000)}\n`, `${path}x`);
      ok(notices.every(({ reason }) => /^(?:rule-)?nesting$/.test(reason)));
    });
  }

  it('refuses, or reads, a sum of 50,000', () => {
    const { notices } = analysed(`${leak}\nconst sum = ${'1 + '.repeat(50_000)}1;`);
    ok(notices.every(({ reason }) => /^(?:rule-)?nesting$/.test(reason)));
  });

  it('finds what stands beside 200 levels of anything', () => {
    for (const shape of Object.values(shapes)) {
      ok(saidOf(`${leak}\n${shape(200)}\n`, `${path}x`).includes('no-leaked-connection never'));
    }
  });
});

describe('code that leads back to itself', () => {
  const codes: Readonly<Record<string, string>> = {
    'objects that hand each other on': [
      'class Num { accept(v: Printer) { return v.visit(this) } }',
      'class Printer { visit(n: Num) { return n.accept(this) } }',
      'export async function print(node: Num, printer: Printer) {',
      '  const first = await node.accept(printer);',
      '  const second = await node.accept(printer);',
      '  return [first, second];',
      '}',
    ].join('\n'),
    'an object that is given itself': [
      'class Chain { run(next: Chain, id: string) { return next.run(next, id) } }',
      'export async function both(chain: Chain) {',
      "  return [await chain.run(chain, 'a'), await chain.run(chain, 'b')];",
      '}',
    ].join('\n'),
    'a name made by itself': [
      'var save = save(tx);',
      'function save() { return async () => { await pool.query("select 1"); }; }',
      'export async function store(order) {',
      '  const client = await pool.connect();',
      '  try { await save(order); } finally { client.release(); }',
      '}',
    ].join('\n'),
    'a list that is declared as itself': [
      'export async function listed(ids) {',
      '  const failed = failed;',
      '  for (const id of ids) {',
      "    const { rows } = await pool.query('select 1');",
      '    if (rows.length > 0) failed.push(id);',
      '  }',
      '}',
    ].join('\n'),
    'a member without a name': [
      "import fs from 'node:fs';",
      "import path from 'node:path';",
      'const db = {};',
      'for (const file of fs.readdirSync(__dirname)) {',
      '  const model = require(path.join(__dirname, file))(pool);',
      '  db[model.name] = model;',
      '}',
      "export const none = async () => { await db[''].findAll(); };",
    ].join('\n'),
  };
  for (const [name, code] of Object.entries(codes)) {
    it(`is read like other code: ${name}`, () => {
      const { notices, problems } = analysed(`${leak}\n${code}`, '/project/jobs.ts');
      deepStrictEqual(notices, []);
      ok(problems.some(({ finding }) => finding.ruleId === 'no-leaked-connection'));
    });
  }
});

describe('a text that is long', function () {
  this.timeout(240_000);

  itInFull('is read with an array of a million elements', () => {
    const { notices, problems } = analysed(`${leak}\nconst zeros = [${'0,'.repeat(1_000_000)}];`);
    deepStrictEqual(notices, []);
    ok(problems.length > 0);
  });

  it('is left to its author when it is one line of 10 MB', () => {
    const text = `${leak.replaceAll('\n', ';')};${'a(b,c);'.repeat(1_500_000)}`;
    const options = { rules: everywhere, profile: 'audit' } as const;
    const { notices } = createScanner(options).scan(text, path, { isNamed: false });
    deepStrictEqual(
      notices.map((it) => it.reason),
      ['large'],
    );
  });
});

describe('a tree that is longer than any string', () => {
  it('is left out, and that is said', function () {
    // Where trees are not spelled as strings, this one takes gigabytes.
    if (rawTransferSupported()) this.skip();
    this.timeout(120_000);
    const source = sourceOf('x();'.repeat(2_000_000), path);
    deepStrictEqual(source, { reason: 'syntax', message: 'the parser cannot print its tree' });
  });
});

describe('a text with other characters', () => {
  it('says the same with every kind of line break, and behind a byte-order mark', () => {
    const expected = saidOf(leak);
    ok(expected.length > 0);
    for (const lineBreak of ['\r\n', '\r', '\u2028', '\u2029']) {
      deepStrictEqual(saidOf(leak.replaceAll('\n', lineBreak)), expected);
    }
    deepStrictEqual(saidOf(`\uFEFF${leak}`), expected);
  });

  it('is read with halves of surrogate pairs and bytes that are no text', () => {
    for (const odd of ["'\uD800'", "'\\uD800'", '`\uDC00`', "'\uFFFD'", "'\0'"]) {
      strictEqual(saidOf(`${leak}\nconst odd = ${odd};`).length, saidOf(leak).length);
    }
  });
});

describe('names that every object has', () => {
  const names = [
    ...['__proto__', 'constructor', 'hasOwnProperty', 'prototype', 'toString', 'valueOf'],
    ...['isPrototypeOf', '__defineGetter__', 'größe', '名前', '𠮷'],
  ];
  for (const name of names) {
    it(`are names of variables, parameters and functions like others: ${name}`, () => {
      const expected = saidOf(leak);
      for (const own of ['pool', 'client', 'count']) {
        deepStrictEqual(saidOf(leak.replaceAll(new RegExp(`\\b${own}\\b`, 'g'), name)), expected);
      }
    });

    it(`are names of members, options, labels and modules that mean nothing: ${name}`, () => {
      analysed(`const db = { ${name}: new Pool(), ['${name}']: 1, ${name}() {} };\n${leak}`);
      analysed(`${leak}\nconst { ${name} } = pool; pool.${name}(); pool['${name}'].${name};`);
      analysed(`${leak}\n${name}: for (;;) { await pool.${name}(); continue ${name}; }`);
      analysed(`import { ${name} } from '${name}';\nimport * as all from '${name}';\n${leak}`);
      analysed(leak.replace('new Pool()', `new Pool({ ${name}: 1 })`));
      analysed(leak.replace("'pg'", `'${name}'`));
      analysed(leak.replaceAll(/\bconnect\b|\bquery\b/g, name));
      analysed(
        `import { ${name} } from '@nestjs/sequelize';\nimport { Sequelize } from 'sequelize-typescript';\nimport { Order } from './models';\n` +
          `export class Orders { constructor(@${name}(Order) private orders: typeof Order, private db: Sequelize) {} ` +
          `async add() { await this.db.transaction(async () => { await this.orders.create({}); }); } }\n${leak}`,
      );
      analysed(`class Jobs { ${name} = 1; #a = this.${name}; static ${name}() {} }\n${leak}`);
    });
  }
});
